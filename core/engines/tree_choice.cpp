// SPDX-License-Identifier: MIT
#include "core/engines/tree_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/physics/opening.hpp"

namespace orrery {
namespace {

constexpr double kAccuracy = 1e-3;  // where nothing is asked for: errors far below what a picture shows

int order_of(const TreeConfig& config) { return config.order == 0 ? 1 : config.order; }

}  // namespace

TreeChoice tree_choice(const TreeConfig& config, const TreeLimits& limits) {
    if (config.order < 0 || config.order > 2)
        usage_error(fmt::format("order {} of a tree: must be 1 (monopoles) or 2 (quadrupoles)", config.order));
    if (config.leaf != 0 && config.leaf != 8 && config.leaf != 16 && config.leaf != 32 && config.leaf != 64)
        usage_error(fmt::format("leaves of {} bodies: must be 8, 16, 32 or 64", config.leaf));
    if (config.group < 0 || config.group > limits.group_most || config.group % limits.group_step != 0)
        usage_error(fmt::format("groups of {} bodies: here they must be a multiple of {} up to {}", config.group,
                                limits.group_step, limits.group_most));
    if (config.alpha < 0 || config.theta < 0 || config.accuracy < 0)
        usage_error("accuracy, α and θ of a tree must not be negative");
    TreeChoice choice{.order = order_of(config), .leaf = limits.leaf, .group = limits.group};
    if (config.leaf > 0) choice.leaf = config.leaf;
    if (config.group > 0) choice.group = config.group;
    choice.theta = config.theta;
    if (choice.relative()) {
        const double accuracy = config.accuracy > 0 ? config.accuracy : kAccuracy;
        choice.alpha = config.alpha > 0 ? config.alpha : alpha_for(accuracy, choice.order);
    }
    return choice;
}

std::string TreeChoice::text() const {
    const std::string rule =
        relative() ? fmt::format("relative α {:.3g}", alpha) : fmt::format("geometric θ {:.3g}", theta);
    return fmt::format("{}, {}, leaves of {}, groups of {}", rule, order == 2 ? "quadrupoles" : "monopoles", leaf,
                       group);
}

double tree_tolerance(const EngineConfig& config) {
    return config.tree.accuracy > 0 ? 1.5 * config.tree.accuracy : 1.5 * kAccuracy;
}

}  // namespace orrery
