// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/subject.hpp"

namespace orrery {

/// A line of the menu of quantities that a body has, over which it can be counted.
struct QuantityEntry {
    std::string_view id, label, doc;
    std::string_view symbol;
    std::string (UnitNames::*unit)() const;
    /// Of a body; `potential` is its own, per mass, where the quantity needs it.
    double (*of)(const Subject& subject, std::size_t i, double potential);
    bool needs_potential = false;
    bool never_negative = false;  ///< so that a logarithmic axis makes sense
};

std::span<const QuantityEntry> quantities();

/// Of each body of the subject. Empty when stopped.
std::vector<double> values_of(const QuantityEntry& quantity, const Subject& subject,
                              std::span<const double> potentials);
std::string label_of(const QuantityEntry& quantity, const UnitNames& units);

}  // namespace orrery
