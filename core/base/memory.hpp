// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

/// Bytes available to programs without swapping (MemAvailable); 0 if unknown.
std::uint64_t available_memory();

/// Refuses, before anything is allocated, what does not fit: Error{kEnvironment} with the bytes needed and available.
/// Below 4 MiB nobody looks.
void require_memory(const std::string& what, std::uint64_t bytes);

}  // namespace orrery
