// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string_view>

namespace orrery::test {

/// The characters of a text in UTF-8; throws std::runtime_error where it is none.
std::set<char32_t> characters_of(std::string_view text);

/// The characters that stand in the string literals of C++, plain and raw, but not in comments and character literals.
/// Throws std::runtime_error for a character that is written as an escape (\u2192), so that none goes by unseen; those
/// of bytes (\x89) are signatures of files and are left out.
std::set<char32_t> characters_of_literals(std::string_view source);

}  // namespace orrery::test
