// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery {

/// Parses a number typed by a user, with optional blanks around it: "0.5", "-1e-3". Empty if it is invalid or not
/// finite.
std::optional<double> parse_real(std::string_view text);
/// Parses a non-negative whole number: "20000", "20 000", "20k", "1.5M", "1e5", "2^16". Empty if invalid or above 2⁶⁴ −
/// 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace orrery
