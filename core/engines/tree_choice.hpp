// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// Relative RMS error where nothing is asked for: far below what a picture shows.
inline constexpr double kUsualAccuracy = 1e-3;

/// The options of a backend's tree, and its defaults.
struct TreeLimits {
    int group_step, group_most;  ///< group sizes are multiples of the first up to the second
    int leaf, group;             ///< its own choice
    Backend backend = Backend::kCuda;
};

/// A TreeConfig with all values chosen.
struct TreeChoice {
    double alpha = 0;  ///< of the relative criterion, unless theta > 0
    double theta = 0;
    double accuracy;  ///< expected relative RMS error of the criterion, unscaled
    int order, leaf, group;

    bool relative() const { return !(theta > 0); }
    std::string text() const;  ///< for people: "relative α 0.01, monopoles, leaves of 16, groups of 64"
};

/// `scale`: see AcceptancePower::scale_acceptance(). Throws Error{kUsage} for what the backend does not offer.
TreeChoice tree_choice(const TreeConfig& config, const TreeLimits& limits, double scale = 1);

/// AcceptancePower::accuracy_to_keep() of an engine that opens by this.
double accuracy_to_keep(const TreeConfig& config);

/// Orders of the expansions of cells that an engine offers, rising.
std::vector<int> expansion_orders(const EngineEntry& entry);
/// Those of them that a sweep over ways of opening compares.
std::vector<int> swept_orders(const EngineEntry& entry);

/// The common part of the entries of both trees: everything except `doc`, `backend`, `max_bodies` and `make`.
EngineEntry tree_entry();

/// Relative RMS error that checks accept of a tree under this configuration, EngineEntry::own_tolerance of all trees:
/// what presets differ by, times the error that the rule was fitted to, and the rounding of the arithmetic.
double tree_tolerance(const EngineConfig& config);

}  // namespace orrery
