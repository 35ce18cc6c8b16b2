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
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/glsl.hpp"

#define ORRERY_KERNEL_C_ONLY
#include "core/kernels/kernel.h"

namespace orrery {
namespace {

using std::size_t;

// Kernels in CUDA.

std::string bytes_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

int print_and_fail(const std::string& what) {
    std::fputs((what + "\n").c_str(), stdout);
    std::fflush(stdout);
    return 1;
}

constexpr std::size_t kGuard = 4096;  ///< bytes before and behind the accelerations, a multiple of their alignment
constexpr int kGuardPattern = 0xa5;

/// Runs the kernel on `count` bodies: all accelerations must be written and finite, and nothing beside them. Returns
/// the fault; empty if there is none.
template <class Real>
std::string fault_on_device(const CudaModule& module, bool pair, unsigned threads, unsigned rows, std::size_t count,
                            double softening, CudaWork work) {
    std::vector<Real> bodies(4 * count), found(4 * count + 2 * kGuard / sizeof(Real));
    for (std::size_t i = 0; i < 4 * count; ++i) {
        const double t = static_cast<double>(i);
        bodies[i] = static_cast<Real>(i % 4 == 3 ? 1 / (t + 1) : std::sin(12.9898 * t + 78.233 * std::cos(t)));
    }
    if (count > 30) std::memcpy(&bodies[4 * 20], &bodies[4 * 7], 3 * sizeof(Real));  // coincident
    std::memset(found.data(), kGuardPattern, found.size() * sizeof(Real));
    const std::vector<Real> untouched = found;
    const CudaMemory in{bodies.size() * sizeof(Real)}, out{found.size() * sizeof(Real)},
        sums{bodies.size() * sizeof(Real)};
    in.write(bodies.data()), out.write(found.data());
    work.bodies = in.at(0), work.out = pair ? sums.at(0) : out.at(kGuard);
    work.count = work.last_row = static_cast<std::uint32_t>(count);
    work.softening2 = softening * softening;
    if (pair) {
        const unsigned of_block = 2 * kCudaPairThreads;
        module.launch("orrery_pairs_2", (work.count + of_block - 1) / of_block, kCudaPairThreads, work, nullptr);
        work.bodies = sums.at(0), work.out = out.at(kGuard);
        module.launch("orrery_add_splits", (work.count + 31) / 32, 256, work, nullptr);
    } else {
        module.launch("orrery_forces", (work.count + rows - 1) / rows, threads, work, nullptr);
    }
    wait_for_cuda();
    out.read(found.data());
    const std::size_t guard = kGuard / sizeof(Real);
    const auto same = [&](std::size_t begin, std::size_t numbers) {
        return std::memcmp(&found[begin], &untouched[begin], numbers * sizeof(Real)) == 0;
    };
    if (!same(0, guard) || !same(guard + 4 * count, guard))
        return fmt::format("writes outside of the accelerations of {} bodies", count);
    for (std::size_t i = 0; i < count; ++i) {
        const Real* const a = &found[guard + 4 * i];
        if (same(guard + 4 * i, 4)) return fmt::format("does not write the acceleration of body {} of {}", i, count);
        if (!std::isfinite(a[0]) || !std::isfinite(a[1]) || !std::isfinite(a[2]))
            return fmt::format("computes an acceleration that is not finite, of body {} of {}{}", i, count,
                               softening > 0 ? "" : " without softening");
    }
    std::vector<Real> after(bodies.size());
    in.read(after.data());
    if (std::memcmp(after.data(), bodies.data(), bodies.size() * sizeof(Real)) != 0) return "changes the bodies";
    return {};
}

/// The content of a file that another process writes as a whole.
std::string awaited_bytes_of(const std::string& path) {
    while (!std::filesystem::exists(path)) ::usleep(1000);  // the parent ends a process that waits too long
    std::signal(SIGALRM, [](int) {
        static_assert(kCudaTrialSeconds == 10);
        constexpr std::string_view kLate = "does not end within 10 s\n";
        [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, kLate.data(), kLate.size());
        ::_exit(1);
    });
    ::alarm(kCudaTrialSeconds);
    return bytes_of(path);
}

template <class Real>
std::string fault_of_cubin(const std::vector<std::string>& words) {
    const CudaMemory makes_context{sizeof(Real)};
    const std::string binary = awaited_bytes_of(words[0]);
    if (binary.empty()) return "does not compile";
    const CudaModule module{binary};
    const bool pair = words[1] == "pair";
    const auto threads = static_cast<unsigned>(std::atoi(words[3].c_str())),
               rows = static_cast<unsigned>(std::atoi(words[4].c_str()));
    CudaWork work;
    work.constant = 1.5;
    for (std::size_t i = 5; i < words.size(); ++i) work.parameters.at(i - 5) = std::strtod(words[i].c_str(), nullptr);
    for (const auto& [count, softening] :
         {std::pair<std::size_t, double>{1, 0.05}, {2, 0.05}, {33, 0.05}, {601, 0.05}, {33, 0}})
        if (std::string fault = fault_on_device<Real>(module, pair, threads, rows, count, softening, work);
            !fault.empty())
            return fault;
    return {};
}

/// Arguments: source, header, binary to write, options. Returns the exit code after printing messages.
int compile_cuda_here(const std::vector<std::string>& words) {
    try {
        const NvrtcResult result = compile_with_nvrtc(bytes_of(words[0]), {{"orrery/kernel.h", bytes_of(words[1])}},
                                                      {words.begin() + 3, words.end()});
        if (result.cubin.empty()) return print_and_fail(result.log);
        std::ofstream file{words[2], std::ios::binary};
        file.write(result.cubin.data(), static_cast<std::streamsize>(result.cubin.size()));
        file.close();
        return file ? 0 : print_and_fail("error: the binary cannot be written");
    } catch (const std::exception& error) {
        return print_and_fail(fmt::format("error: {}", error.what()));
    }
}

/// Arguments: binary, kind, real, threads, rows, values of parameters. Waits until the file of the binary exists; an
/// empty one ends the trial. Returns the exit code.
int try_cuda_here(const std::vector<std::string>& words) {
    try {
        const std::string fault = words[2] == "double" ? fault_of_cubin<double>(words) : fault_of_cubin<float>(words);
        return fault.empty() ? 0 : print_and_fail(fault);
    } catch (const std::exception& error) {
        return print_and_fail(fmt::format("fails: {}", error.what()));
    }
}

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
