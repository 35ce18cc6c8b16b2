// SPDX-License-Identifier: MIT
#include "core/base/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "core/base/error.hpp"

namespace orrery {
namespace {

struct CgroupNames {
    std::string_view folder, limit, usage, inactive;
};
constexpr CgroupNames kUnified{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
constexpr CgroupNames kVersion1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file"};
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;  // version 1 writes nearly 2⁶³ for "no limit"

/// Empty if there is no such file or it does not begin with a number ("max").
std::optional<std::uint64_t> number_in(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::uint64_t value = 0;
    return file >> value ? std::optional{value} : std::nullopt;
}

std::uint64_t value_of(const std::filesystem::path& statistics, std::string_view wanted) {
    std::ifstream file{statistics};
    std::string key;
    for (std::uint64_t value = 0; file >> key >> value;)
        if (key == wanted) return value;
    return 0;
}

std::optional<std::uint64_t> left_in(const std::filesystem::path& group, const CgroupNames& names) {
    const auto limit = number_in(group / names.limit), used = number_in(group / names.usage);
    if (!limit || !used || *limit >= kNoLimit) return std::nullopt;
    const std::uint64_t kept = *used - std::min(*used, value_of(group / "memory.stat", names.inactive));
    return *limit - std::min(*limit, kept);
}

/// Path of this process's group below the root of its hierarchy; lines are "number:controllers:path".
std::optional<std::filesystem::path> group_of(const std::filesystem::path& root, std::string_view controllers) {
    std::ifstream file{root / "proc/self/cgroup"};
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos || line.compare(first + 1, second - first - 1, controllers) != 0) continue;
        return std::filesystem::path{line.substr(second + 1)}.relative_path();
    }
    return std::nullopt;
}

constexpr std::uint64_t kAnybodyHas = 4 << 20;  // reading /proc/meminfo takes longer than computing with less

}  // namespace

std::optional<std::uint64_t> memory_left_in_cgroup(const std::filesystem::path& root) {
    std::optional<std::uint64_t> least;
    const auto look = [&](const CgroupNames& names, std::string_view controllers) {
        const auto group = group_of(root, controllers);
        if (!group) return;
        // In a container the path may exist only on the host; missing groups impose no limit.
        for (std::filesystem::path path = *group;; path = path.parent_path()) {
            if (const auto left = left_in(root / names.folder / path, names))
                least = std::min(*left, least.value_or(*left));
            if (path.empty()) return;
        }
    };
    look(kUnified, "");
    look(kVersion1, "memory");
    return least;
}

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

void prefer_huge_pages(void* memory, std::size_t bytes) {
    constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t from = (first + kHugePage - 1) / kHugePage * kHugePage,
                         to = (first + bytes) / kHugePage * kHugePage;
    if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);  // a failure is harmless
}

}  // namespace orrery
