// SPDX-License-Identifier: MIT
#include "core/base/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/base/cgroup.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kAnybodyHas = 4 << 20;  // reading /proc/meminfo takes longer than computing with less

}  // namespace

std::uint64_t available_memory() {
    std::ifstream file{"/proc/meminfo"};
    std::string key;
    std::uint64_t kibibytes = 0;
    for (std::string rest; file >> key >> kibibytes; std::getline(file, rest))
        if (key == "MemAvailable:") {
            const std::uint64_t on_host = kibibytes * 1024;
            return std::min(on_host, memory_left_in_cgroup().value_or(on_host));
        }
    return 0;
}

void require_memory(const std::string& what, std::uint64_t bytes) {
    const std::uint64_t available = bytes < kAnybodyHas ? 0 : available_memory();
    if (available != 0 && bytes > available)
        environment_error(fmt::format("{}: needs {:.3g} GB of memory, {:.3g} GB are available", what,
                                      1e-9 * static_cast<double>(bytes), 1e-9 * static_cast<double>(available)));
}

}  // namespace orrery
