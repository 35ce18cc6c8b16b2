// SPDX-License-Identifier: MIT
#include "app/platform/machine.hpp"

#include <fmt/format.h>

#include <fstream>

#include "core/cuda/info.hpp"
#include "core/engines/cpu/simd.hpp"

namespace orrery {

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
    const CudaInfo& cuda = cuda_info();
    return cuda.devices.empty() ? "no device" : cuda.devices.front().name;
}

std::string driver_version() {
    const int driver = cuda_info().driver;
    return driver == 0 ? "" : fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
}

}  // namespace orrery
