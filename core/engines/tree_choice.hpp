// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// Default relative RMS error: far below what is visible in a frame.
inline constexpr double kDefaultAccuracy = 1e-3;

/// The options and defaults of a backend's tree.
struct TreeLimits {
    int group_step, group_most;  ///< group sizes are multiples of group_step up to group_most
    int leaf, group;             ///< the defaults
    Backend backend = Backend::kCuda;
};

/// A TreeConfig with every default resolved.
struct TreeChoice {
    double alpha = 0;  ///< of the relative criterion, unless theta > 0
    double theta = 0;
    double accuracy;  ///< expected relative RMS error of the criterion, unscaled
    int order, leaf, group;

    bool relative() const { return !(theta > 0); }
    std::string text() const;  ///< for display: "relative α 0.01, monopoles, leaves of 16, groups of 64"
};

/// `scale`: see AcceptancePower::scale_acceptance(). Throws Error{kUsage} for values that the backend does not offer.
TreeChoice tree_choice(const TreeConfig& config, const TreeLimits& limits, double scale = 1);

/// AcceptancePower::accuracy_to_keep() of a tree with this configuration.
double accuracy_to_keep(const TreeConfig& config);

/// Expansion orders that an engine offers, ascending.
std::vector<int> expansion_orders(const EngineEntry& entry);
/// The orders that a sweep over acceptance criteria compares.
std::vector<int> swept_orders(const EngineEntry& entry);

/// The menu entry shared by both trees: everything except `doc`, `backend`, `max_bodies` and `make`.
EngineEntry tree_entry();

/// EngineEntry::own_tolerance of all trees, the relative RMS error that checks accept: the error that the criterion was
/// fitted to, times the spread between presets, plus the rounding of the arithmetic.
double tree_tolerance(const EngineConfig& config);

}  // namespace orrery
