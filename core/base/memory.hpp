// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

/// Bytes available to programs without swapping (MemAvailable), within the limits of control groups; 0 if unknown.
std::uint64_t available_memory();

/// Throws Error{kEnvironment} with the needed and available bytes if `bytes` are not available; call before allocating.
/// Does not check below 4 MiB.
void require_memory(const std::string& what, std::uint64_t bytes);

}  // namespace orrery
