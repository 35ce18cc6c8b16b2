// SPDX-License-Identifier: MIT
#include "app/platform/address_space.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <thread>

#include "core/base/error.hpp"

namespace orrery {

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

}  // namespace orrery
