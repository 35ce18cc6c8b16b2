// SPDX-License-Identifier: MIT
// The program orrery-kernel-trial: runs a kernel in C++ on a few bodies, in arrays that end where memory is protected.
// An endless loop, a crash or a wild access ends this process and not the one that started it. Arguments: kind,
// library, values of parameters. On failure it prints one line, which follows "the kernel", and returns 1.
#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/glsl.hpp"

#define ORRERY_KERNEL_C_ONLY
#include "core/kernels/kernel.h"

namespace orrery {
namespace {

using std::size_t;

[[noreturn]] void fail(const std::string& what) {
    std::fputs((what + "\n").c_str(), stdout);
    std::fflush(stdout);
    ::_exit(1);
}

constexpr unsigned char kCanary = 0xa5;

/// An array that ends at a protected page, and begins after another one and a few bytes of a known pattern.
template <class T>
class GuardedArray {
public:
    explicit GuardedArray(size_t count) : count_{count} {
        const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
        const size_t pages = (count * sizeof(T) + page - 1) / page;
        bytes_ = (pages + 2) * page;
        void* const at = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) fail("cannot be tried: no memory");
        begin_ = static_cast<unsigned char*>(at) + page;
        usable_ = pages * page;
        if (::mprotect(begin_, usable_, PROT_READ | PROT_WRITE) != 0) fail("cannot be tried: no memory");
        std::memset(begin_, kCanary, usable_);
    }
    GuardedArray(const GuardedArray&) = delete;
    GuardedArray& operator=(const GuardedArray&) = delete;
    ~GuardedArray() { ::munmap(begin_ - (bytes_ - usable_) / 2, bytes_); }

    T* data() const { return reinterpret_cast<T*>(begin_ + usable_ - count_ * sizeof(T)); }
    void protect() const { ::mprotect(begin_, usable_, PROT_READ); }
    void fill() const { std::memset(begin_, kCanary, usable_); }
    /// True if the bytes before the array still have the pattern.
    bool intact() const {
        for (const unsigned char* at = begin_; at != reinterpret_cast<unsigned char*>(data()); ++at)
            if (*at != kCanary) return false;
        return true;
    }

private:
    size_t count_, bytes_ = 0, usable_ = 0;
    unsigned char* begin_ = nullptr;
};

/// A number in [0, 1) that depends only on `i`.
double scattered(size_t i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

template <class Work>
using Rows = void (*)(const Work*, size_t, size_t);

/// Runs the kernel on `count` bodies in one part and in two: all accelerations must be written, finite and the same.
template <class Real, class Work>
void try_rows(Rows<Work> rows, size_t count, Real softening, const double* parameters) {
    const GuardedArray<Real> bodies{4 * count}, whole{4 * count}, parts{4 * count};
    for (size_t i = 0; i < 4 * count; ++i)
        bodies.data()[i] = static_cast<Real>(i % 4 == 3 ? (0.5 + scattered(i)) / double(count) : 2 * scattered(i) - 1);
    if (count > 30) std::memcpy(bodies.data() + 4 * 20, bodies.data() + 4 * 7, 3 * sizeof(Real));  // coincident
    bodies.protect();
    Work work{bodies.data(), whole.data(), count, softening * softening, Real(1.5), parameters};
    rows(&work, 0, count);
    work.acceleration = parts.data();
    const size_t cut = count * 2 / 3;
    rows(&work, 0, cut);
    rows(&work, cut, count);
    if (!whole.intact() || !parts.intact()) fail("writes before the begin of the accelerations");
    unsigned char unwritten[4 * sizeof(Real)];
    std::memset(unwritten, kCanary, sizeof unwritten);
    for (size_t i = 0; i < count; ++i) {
        const Real* const a = whole.data() + 4 * i;
        if (std::memcmp(a, unwritten, sizeof unwritten) == 0)
            fail(fmt::format("does not write the acceleration of body {} of {}", i, count));
        if (!std::isfinite(a[0]) || !std::isfinite(a[1]) || !std::isfinite(a[2]))
            fail(fmt::format("computes an acceleration that is not finite, of body {} of {}{}", i, count,
                             softening > 0 ? "" : " without softening"));
        if (std::memcmp(a, parts.data() + 4 * i, 3 * sizeof(Real)) != 0)
            fail(fmt::format("computes another acceleration of body {} of {} if the bodies are divided in two parts", i,
                             count));
    }
}

template <class Real, class Work>
void try_all_counts(Rows<Work> rows, const double* parameters) {
    for (const size_t count : {1, 2, 33, 601}) try_rows<Real>(rows, count, Real(0.05), parameters);
    try_rows<Real>(rows, 33, Real(0), parameters);
}

using GridOf = void (*)(std::uint32_t, const double*, std::uint64_t*, std::uint64_t*);
using TilesOf = void (*)(std::uint32_t, const double*, std::uint64_t, std::uint64_t, orrery_tile*);

void try_map(GridOf grid, TilesOf tiles, const double* parameters) {
    for (const std::uint32_t rows : {1u, 2u, 3u, 17u, 64u}) {
        std::uint64_t x = 0, y = 0;
        grid(rows, parameters, &x, &y);
        const std::uint64_t most = 4 * std::uint64_t{rows} * rows + 1024;
        if (x == 0 || y == 0 || x > most || y > most || x * y > most)
            fail(fmt::format("gives a grid of {} × {} blocks for {} rows; there are at most {}", x, y, rows, most));
        const GuardedArray<orrery_tile> out{x * y};
        tiles(rows, parameters, 0, x * y, out.data());
        if (!out.intact()) fail("writes before the begin of the tiles");
    }
}

/// A kernel in GLSL: its text and name.
int run_glsl(const char* path, const char* name) {
    std::ifstream file{path, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    try {
        try_glsl(parse_kernel(text, name));
    } catch (const std::exception& error) {
        fail(error.what());
    }
    ::_exit(0);  // drivers do not survive a context that ends during exit()
}

int run(int count, char** words) {
    const std::string_view kind = words[1];
    std::vector<double> parameters;
    for (int i = 3; i < count; ++i) parameters.push_back(std::strtod(words[i], nullptr));
    const GuardedArray<double> values{parameters.size() + 1};
    if (!parameters.empty()) std::memcpy(values.data(), parameters.data(), parameters.size() * sizeof(double));
    values.protect();
    void* const library = ::dlopen(words[2], RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(fmt::format("cannot be loaded: {}", ::dlerror()));
    const auto symbol = [library](const char* name) {
        void* const found = ::dlsym(library, name);
        if (!found) fail(fmt::format("does not export {}", name));
        return found;
    };
    if (kind == "map") {
        try_map(reinterpret_cast<GridOf>(symbol("orrery_kernel_grid")),
                reinterpret_cast<TilesOf>(symbol("orrery_kernel_tiles")), values.data());
    } else {
        try_all_counts<float>(reinterpret_cast<Rows<orrery_work_float>>(symbol("orrery_kernel_float")), values.data());
        try_all_counts<double>(reinterpret_cast<Rows<orrery_work_double>>(symbol("orrery_kernel_double")),
                               values.data());
    }
    std::fflush(stdout);
    ::_exit(0);  // without the destructors of the kernel
}

}  // namespace
}  // namespace orrery

int main(int count, char** words) {
    if (count < 3) {
        std::fputs("orrery-kernel-trial: Orrery starts this program to try kernels\n", stderr);
        return 2;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string_view work = words[1];
    if (work == "glsl" && count == 4) return orrery::run_glsl(words[2], words[3]);
    const std::vector<std::string> arguments(words + 2, words + count);
    // Without the destructors of libraries, which may wait for a kernel.
    if (work == "nvrtc" && count >= 5) ::_exit(orrery::compile_cuda_here(arguments));
    if (work == "cuda" && count >= 7) ::_exit(orrery::try_cuda_here(arguments));
    return orrery::run(count, words);
}
