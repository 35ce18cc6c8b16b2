// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace orrery {

/// Bytes available to programs without swapping (MemAvailable), within the limits of control groups; 0 if unknown.
std::uint64_t available_memory();

/// Throws Error{kEnvironment} with the needed and available bytes if `bytes` are not available; call before allocating.
/// Does not check below 4 MiB.
void require_memory(const std::string& what, std::uint64_t bytes);

/// Asks the kernel for pages of 2 MiB where they lie within these bytes, which have not been written yet: a large array
/// that is written once takes a third of the time. Without effect where the kernel has no such pages.
void prefer_huge_pages(void* memory, std::size_t bytes);

/// Bytes that control groups (container, batch system) leave to this process: the minimum, over its group and all its
/// ancestors, of the limit minus the memory in use that cannot be reclaimed (inactive file pages can). Empty without a
/// limit. Supports cgroup versions 2 and 1, below `root`/proc/self and `root`/sys/fs/cgroup.
std::optional<std::uint64_t> memory_left_in_cgroup(const std::filesystem::path& root = "/");

}  // namespace orrery
