// SPDX-License-Identifier: MIT
#pragma once
#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace orrery {

/// Reads a TOML file: a regular file of 64 MiB at most. Throws Error{kUsage} for anything else, without waiting for a
/// FIFO; Error{kEnvironment} if it cannot be read.
std::string text_of_file(const std::filesystem::path& path);

/// Parses a text. Throws Error{kUsage} with `name`, line and column if it is not TOML, or if it is nested so deeply
/// that the recursive parser and destructors could overflow the stack.
toml::table parsed_toml(std::string_view text, const std::string& name);

}  // namespace orrery
