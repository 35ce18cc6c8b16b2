// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace orrery {

/// Bytes that the control groups of this process leave it, in a container or under a batch system: the least, over its
/// group and all above, of the limit less what is used and could not be dropped (files not read lately can). Empty
/// where nothing is limited. Versions 2 and 1, whose files lie below `root`/proc/self and `root`/sys/fs/cgroup.
std::optional<std::uint64_t> memory_left_in_cgroup(const std::filesystem::path& root = "/");

}  // namespace orrery
