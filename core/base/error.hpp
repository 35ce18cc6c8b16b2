// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>

namespace orrery {

/// Cause of the problem, the request or the machine. The value is the program's exit code.
enum class Blame {
    kUsage = 2,        ///< the request: an option, an id, a missing or invalid file
    kEnvironment = 3,  ///< the machine: no device, no GL, no display, no memory, disk full or failing
};

/// The only exception type of the project. Its text is one line that names the object, what was expected and what was
/// found.
class Error : public std::runtime_error {
public:
    /// Replaces line feeds, which quoted input may contain, by spaces.
    Error(Blame blame, std::string text)
        : std::runtime_error{(std::ranges::replace(text, '\n', ' '), text)}, blame_{blame} {}
    Blame blame() const noexcept { return blame_; }

private:
    Blame blame_;
};

[[noreturn]] inline void usage_error(const std::string& text) { throw Error{Blame::kUsage, text}; }
[[noreturn]] inline void environment_error(const std::string& text) { throw Error{Blame::kEnvironment, text}; }

/// A device was reset, which erased its memory. BodySystem::restore() opens the device again, so a caller that kept a
/// state can continue.
class DeviceLost : public Error {
public:
    explicit DeviceLost(const std::string& text) : Error{Blame::kEnvironment, text} {}
};

}  // namespace orrery
