// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace orrery {

/// The same text in small letters: those of ASCII, which names of files, columns and options are compared by.
inline std::string lower_case(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

}  // namespace orrery
