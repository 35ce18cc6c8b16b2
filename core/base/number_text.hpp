// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <string_view>
#include <system_error>

namespace orrery {

/// Parses all of `text` as a decimal number, with an optional sign; false if it is not one or is out of range. Accepts
/// "inf" and "nan" for floating point.
template <class T>
bool read_number(std::string_view text, T& number) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const char* const last = text.data() + text.size();
    const auto [end, problem] = std::from_chars(text.data(), last, number);
    return problem == std::errc{} && end == last;
}

}  // namespace orrery
