// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string_view>

namespace orrery::test {

/// The characters of a UTF-8 text; throws std::runtime_error if it is not UTF-8.
std::set<char32_t> characters_of(std::string_view text);

/// The characters in the string literals of C++ source, plain and raw, but not in comments or character literals.
/// Throws std::runtime_error for an escape like \u2192, which hides its character. Byte escapes (\x89) are file
/// signatures and are skipped.
std::set<char32_t> characters_of_literals(std::string_view source);

}  // namespace orrery::test
