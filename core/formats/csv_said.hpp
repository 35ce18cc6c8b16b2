// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/physics/pair_law.hpp"

namespace orrery::csv_text {

/// Values stated in the comments.
struct Said {
    std::optional<double> constant, softening, sigma, cut_off, dt, time, scale_factor, days_per_time;
    PairLaw law = PairLaw::kGravity;
    std::optional<std::size_t> bodies, steps_per_frame;
    std::string length_unit, mass_unit;
};

/// Parses a comment without its mark: "orrery: G=1 …", or the unit of time "yr/2pi". Returns the error in one line,
/// or an empty text; comments without settings are no error.
std::string take_comment(std::string_view comment, Said& said);

}  // namespace orrery::csv_text
