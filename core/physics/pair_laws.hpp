// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/physics/gravity.hpp"

namespace orrery {

/// A line of the menu of laws.
struct PairLawEntry {
    std::string_view id, label, doc;
    PairLaw value;
};

std::span<const PairLawEntry> pair_laws();
const PairLawEntry& pair_law(PairLaw law);
/// Throws Error{kUsage} for an id that no entry has (listing the menu).
const PairLawEntry& pair_law(std::string_view id);
/// All laws, for EngineEntry::pair_laws.
std::vector<PairLaw> every_pair_law();

/// Throws Error{kUsage} if a constant is out of range or missing.
void validate(const Gravity& gravity);

}  // namespace orrery
