// SPDX-License-Identifier: MIT
// Names and sources of the forms that the laboratory times.
#pragma once
#include <string_view>

#include "core/lab/launch_variants.hpp"

namespace orrery {

struct FormNote {
    std::string_view name;    ///< "Rectangular box", without the id
    std::string_view source;  ///< authors, title and year; empty: a form of this program
};
/// For a map that of note_of(), otherwise from the table in form_notes.cpp. Throws Error{kUsage} for an unknown id.
FormNote form_note(std::string_view id);

/// The greatest possible I for n bodies: blocks of the baseline over those with work, 2m/(m + 1) for pairs with m rows
/// of tiles, 6m²/((m + 1)(m + 2)) for triples with m layers.
struct LabBound {
    std::uint64_t rows = 0;  ///< m
    double improvement = 0;
};
LabBound lab_bound(std::string_view experiment, std::uint64_t bodies, std::uint32_t rho);

}  // namespace orrery
