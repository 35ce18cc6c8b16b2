// SPDX-License-Identifier: MIT
// The part of orrery-kernel-trial for kernels in CUDA.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/base/error.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/cuda_launch.hpp"
#include "core/kernels/nvrtc.hpp"

namespace orrery {
namespace {

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

}  // namespace

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

int try_cuda_here(const std::vector<std::string>& words) {
    try {
        const std::string fault = words[2] == "double" ? fault_of_cubin<double>(words) : fault_of_cubin<float>(words);
        return fault.empty() ? 0 : print_and_fail(fault);
    } catch (const std::exception& error) {
        return print_and_fail(fmt::format("fails: {}", error.what()));
    }
}

}  // namespace orrery
