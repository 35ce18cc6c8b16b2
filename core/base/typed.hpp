// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery {

/// A number as people type it, with blanks around: "0.5", "-1e-3". Empty: it is none, or not finite.
std::optional<double> parse_real(std::string_view text);
/// A whole number, not negative: "20000", "20 000", "20k", "1.5M", "1e5", "2^16". Empty: it is none, or beyond 2⁶⁴ − 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace orrery
