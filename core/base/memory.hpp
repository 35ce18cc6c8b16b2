// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

/// Bytes that programs of this machine can still take without swapping (MemAvailable); 0 where nobody says.
std::uint64_t available_memory();

/// Refuses, before anything is allocated, what would not fit: Error{kEnvironment} with the bytes needed and available.
void require_memory(const std::string& what, std::uint64_t bytes);

}  // namespace orrery
