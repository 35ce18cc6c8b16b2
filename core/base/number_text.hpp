// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <string_view>
#include <system_error>

namespace orrery {

/// The decimal number that is all of `text`, with or without a plus sign; false: there is none, or it does not fit.
/// "inf" and "nan" are numbers of floating point.
template <class T>
bool read_number(std::string_view text, T& number) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const char* const last = text.data() + text.size();
    const auto [end, problem] = std::from_chars(text.data(), last, number);
    return problem == std::errc{} && end == last;
}

}  // namespace orrery
