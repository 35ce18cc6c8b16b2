// SPDX-License-Identifier: MIT
#pragma once
#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace orrery {

/// The text of a TOML file, which is written by hand: a regular file of 64 MiB at most. Throws Error{kUsage} for
/// anything else, without waiting for a FIFO; Error{kEnvironment} if it cannot be read.
std::string text_of_file(const std::filesystem::path& path);

/// The tables of a text. Throws Error{kUsage} with `name`, line and column if it is not TOML, or if it is nested so
/// deeply that neither the parser nor the tables' destructors, which are recursive, are safe from the end of the stack.
toml::table parsed_toml(std::string_view text, const std::string& name);

}  // namespace orrery
