// SPDX-License-Identifier: MIT
#include "app/platform/machine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/device_tuning.hpp"
#include "core/gl/info.hpp"

namespace orrery {
namespace {

constexpr const char* kNoDevice = "no device";

/// Reaps the children that have ended, so that zombies do not accumulate.
void forget_ended(std::vector<pid_t>& children) {
    std::erase_if(children, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; });
}

}  // namespace

std::string cpu_model() {
    std::ifstream info{"/proc/cpuinfo"};
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown CPU";
}

std::string device_name(Backend backend) {
    if (backend == Backend::kCpu) return fmt::format("{} ({})", cpu_model(), simd_target());
    if (backend == Backend::kGl) {
        const GlComputeInfo& gl = gl_compute_info();
        return gl.available ? gl.devices.front().renderer : kNoDevice;
    }
    const CudaInfo& cuda = cuda_info();
    return cuda.devices.empty() ? kNoDevice : cuda.devices.front().name;
}

std::filesystem::path tuning_path(Backend backend) {
    const std::string device = device_name(backend);
    if (device == kNoDevice) return {};
    const char* const given = std::getenv("ORRERY_TUNING");
    std::filesystem::path folder = given ? given : user_folder("XDG_CACHE_HOME", ".cache");
    if (folder.empty()) return {};
    if (!given) folder /= "tuning";
    std::string file{name(backend)};
    for (const char each : "-" + device) {
        if (std::isalnum(static_cast<unsigned char>(each)))
            file += each;
        else if (file.back() != '-')
            file += '-';
    }
    while (file.ends_with('-')) file.pop_back();
    return folder / (file + ".txt");
}

void use_tuning_files() {
    set_tuning_source([](Backend backend) -> DeviceTuning {
        const std::filesystem::path path = tuning_path(backend);
        std::ifstream file{path};
        if (path.empty() || !file) return {};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        try {
            return read_tuning(text, path.string());
        } catch (const Error& error) {
            to_stderr("orrery: note: {}; the built-in settings are used\n", error.what());
            return {};
        }
    });
}

EnergySource open_energy_counter(Backend backend) {
    if (backend == Backend::kCpu) return open_rapl_counter();
    if (backend == Backend::kGl) return {.counter = nullptr, .name = {}, .why_not = "OpenGL has no energy counter"};
    const CudaInfo& cuda = cuda_info();
    if (cuda.devices.empty()) return {.counter = nullptr, .name = {}, .why_not = cuda.reason};
    return open_nvml_counter(cuda.devices.front().bus);
}

std::string driver_version() {
    const int driver = cuda_info().driver;
    return driver == 0 ? "" : fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
}

void require_address_space_to_draw() {
    constexpr std::uint64_t kMegabyte = 1'000'000, kForDrawing = 560 * kMegabyte, kForEachThread = 40 * kMegabyte;
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    std::uint64_t pages = 0;
    std::ifstream{"/proc/self/statm"} >> pages;
    const std::uint64_t taken = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t needed = kForDrawing + kForEachThread * std::max(1u, std::thread::hardware_concurrency());
    if (taken + needed > limit.rlim_cur)
        environment_error(
            fmt::format("drawing needs {} MB of address space, and the limit of {} MB (ulimit -v) leaves {} "
                        "MB: raise it to {} MB or more",
                        needed / kMegabyte, limit.rlim_cur / kMegabyte,
                        (limit.rlim_cur - std::min<std::uint64_t>(taken, limit.rlim_cur)) / kMegabyte,
                        (taken + needed) / kMegabyte + 1));
}

bool show_folder(const std::filesystem::path& folder) { return open_on_desktop(folder.string()); }

bool can_open_on_desktop() { return !program_in_path("xdg-open").empty(); }

bool open_on_desktop(const std::string& what) {
    static std::vector<pid_t> children;
    forget_ended(children);
    std::string program = "xdg-open", path = what;
    char* words[] = {program.data(), path.data(), nullptr};
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0) return false;
    // Keep its output out of the terminal in which this program was started.
    for (const int output : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, output, "/dev/null", output == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    pid_t child = -1;
    const int failed = posix_spawnp(&child, program.c_str(), &files, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return false;
    children.push_back(child);
    return true;
}

}  // namespace orrery
