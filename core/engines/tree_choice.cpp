// SPDX-License-Identifier: MIT
#include "core/engines/tree_choice.hpp"
#include "core/engines/knobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/fmm_choice.hpp"
#include "core/physics/opening.hpp"

namespace orrery {
namespace {

constexpr int kMostTreeOrder = 2;

/// Accuracy from which monopoles are faster than quadrupoles: on a CPU, walking costs more than evaluating a cell.
constexpr double monopoles_from(Backend backend) { return backend == Backend::kCpu ? 2e-3 : 4.5e-4; }

/// Quadrupoles if θ or α is given: they gain more accuracy for the same walk.
int order_of(const TreeConfig& config, Backend backend) {
    if (config.order != 0) return config.order;
    if (config.theta > 0 || config.alpha > 0) return 2;
    return (config.accuracy > 0 ? config.accuracy : kDefaultAccuracy) < monopoles_from(backend) ? 2 : 1;
}

double accuracy_of(const TreeConfig& config, int order) {
    if (config.theta > 0) return accuracy_of_theta(config.theta, order);
    if (config.alpha > 0) return accuracy_of_alpha(config.alpha, order);
    return config.accuracy > 0 ? config.accuracy : kDefaultAccuracy;
}

}  // namespace

std::vector<int> expansion_orders(const EngineEntry& entry) {
    if (!entry.reads("order")) return {1};
    if (entry.reads("group")) return {1, kMostTreeOrder};
    return fmm_orders(entry.backend);
}

std::vector<int> swept_orders(const EngineEntry& entry) {
    const std::vector<int> all = expansion_orders(entry);
    return all.size() > 2 ? std::vector{4, 6} : all;
}

double accuracy_to_keep(const TreeConfig& config) {
    if (!config.keep_accuracy || config.alpha > 0 || config.theta > 0) return 0;
    return config.accuracy > 0 ? config.accuracy : kDefaultAccuracy;
}

TreeChoice tree_choice(const TreeConfig& config, const TreeLimits& limits, double scale) {
    require_accepted(kTreeGroup, {.tree = config});
    if (config.order > kMostTreeOrder)
        usage_error(fmt::format(
            "order {}: `tree` offers 1 (monopoles) and 2 (quadrupoles); use `fmm` for higher orders", config.order));
    if (config.group > limits.group_most || config.group % limits.group_step != 0)
        usage_error(fmt::format("group size {}: must be a multiple of {} up to {}", config.group, limits.group_step,
                                limits.group_most));
    TreeChoice choice{.order = order_of(config, limits.backend), .leaf = limits.leaf, .group = limits.group};
    if (config.leaf > 0) choice.leaf = config.leaf;
    if (config.group > 0) choice.group = config.group;
    choice.theta = config.theta;
    choice.accuracy = accuracy_of(config, choice.order);
    if (choice.relative()) {
        // α was fitted with groups of 64. Smaller groups have smaller boxes and keep cells less far away: by this
        // measured factor.
        const double closer = std::sqrt(std::min(1.0, choice.group / 64.0));
        choice.alpha = config.alpha > 0 ? config.alpha : closer * alpha_for(scale * choice.accuracy, choice.order);
    }
    return choice;
}

std::string TreeChoice::text() const {
    const std::string rule =
        relative() ? fmt::format("relative α {:.3g}", alpha) : fmt::format("geometric θ {:.3g}", theta);
    return fmt::format("{}, {}, leaves of {}, groups of {}", rule, order == 2 ? "quadrupoles" : "monopoles", leaf,
                       group);
}

EngineEntry tree_entry() {
    return {.id = "tree",
            .label = "Tree (Barnes–Hut)",
            .doc = {},
            .backend = {},
            .tolerance_single = 1.5e-3,
            .tolerance_double = 1.5e-3,
            .max_bodies = 0,
            .knobs = knobs::tree(),
            .mixed = true,
            .own_units = true,
            .make = nullptr,
            .own_tolerance = tree_tolerance};
}

double tree_tolerance(const EngineConfig& config) {
    const int order = order_of(config.tree, config.backend);
    const double accuracy = accuracy_of(config.tree, order);
    // A uniform sphere is the worst case for monopoles: the errors of all cells of a size have the same sign and add up
    // with the number of cells. At a million bodies the error is 4.2 times that in a Plummer sphere.
    const double presets = order == 2 ? 2 : 5;
    return presets * accuracy + (config.precision == Precision::kDouble ? 1e-13 : 2e-6);
}

}  // namespace orrery
