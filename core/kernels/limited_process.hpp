// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// Limits of a process and of those that it starts.
struct ProcessLimits {
    double seconds;        ///< until all of them are killed
    std::uint64_t memory;  ///< address space of each, bytes
};

/// How a process ended.
struct ProcessEnd {
    int code = -1;       ///< exit code; -1: it did not exit
    std::string output;  ///< the first 64 KiB of its standard output and error
    std::string reason;  ///< if it did not exit: "ended by signal 11 (Segmentation fault)", "does not end within 2 s"
};

/// Runs a program in a process group of its own, without input, and waits for its end. Throws Error{kEnvironment} if it
/// cannot be started.
ProcessEnd run_limited(const std::vector<std::string>& arguments, const ProcessLimits& limits);

}  // namespace orrery
