// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/physics/pair_law.hpp"

namespace orrery::csv_text {

/// What the comments say.
struct Said {
    std::optional<double> constant, softening, sigma, cut_off, dt, time, scale_factor, days_per_time;
    PairLaw law = PairLaw::kGravity;
    std::optional<std::size_t> bodies, steps_per_frame;
    std::string length_unit, mass_unit;
};

/// Takes what a comment, without its mark, says: "orrery: G=1 …", or the unit of time "yr/2pi". Returns why it cannot
/// be understood, one line; empty: it can, or says nothing.
std::string take_comment(std::string_view comment, Said& said);

}  // namespace orrery::csv_text
