// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/subject.hpp"

namespace orrery {

/// A line of the menu of quantities of a body that histograms can show.
struct QuantityEntry {
    std::string_view id, label, doc;
    std::string_view symbol;
    std::string (UnitNames::*unit)() const;
    /// Value for one body; `potential` is the body's own, per mass, if `needs_potential`.
    double (*of)(const Subject& subject, std::size_t i, double potential);
    bool needs_potential = false;
    bool never_negative = false;  ///< suitable for a logarithmic axis
};

std::span<const QuantityEntry> quantities();

/// Values for all bodies of the subject. Empty if stopped.
std::vector<double> values_of(const QuantityEntry& quantity, const Subject& subject,
                              std::span<const double> potentials);
std::string label_of(const QuantityEntry& quantity, const UnitNames& units);

}  // namespace orrery
