// SPDX-License-Identifier: MIT
#pragma once
#include <spawn.h>
#include <sys/types.h>

namespace orrery {

/// Starts a program that posix_spawnp() finds, in its own process group, so that Ctrl+C ends only the parent, with no
/// signals blocked or ignored. `words`: its arguments, the program first, null last. Returns 0 and sets `child`, or
/// returns the error number.
int spawn_apart(pid_t& child, char* const* words, const posix_spawn_file_actions_t& files);

}  // namespace orrery
