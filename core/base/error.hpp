// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>

namespace orrery {

/// Who can fix it. The value is the exit code of the program.
enum class Blame {
    kUsage = 2,        ///< the request: an option, an id, a missing or invalid file
    kEnvironment = 3,  ///< the machine: no device, no GL, no display, no memory, a disk that is full or fails
};

/// The only exception type of the project. Its text is one line that names the object, what was expected and what was
/// found.
class Error : public std::runtime_error {
public:
    /// Line feeds, which may come with what is quoted, become spaces.
    Error(Blame blame, std::string text)
        : std::runtime_error{(std::ranges::replace(text, '\n', ' '), text)}, blame_{blame} {}
    Blame blame() const noexcept { return blame_; }

private:
    Blame blame_;
};

[[noreturn]] inline void usage_error(const std::string& text) { throw Error{Blame::kUsage, text}; }
[[noreturn]] inline void environment_error(const std::string& text) { throw Error{Blame::kEnvironment, text}; }

}  // namespace orrery
