// SPDX-License-Identifier: MIT
#include "core/engines/locks_choice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"

namespace orrery {
namespace cuda {
namespace {

constexpr double kTheta = 0.5;  // default: the middle of the usual range

}  // namespace

LocksOpening locks_opening(const TreeConfig& config) {
    if (config.accuracy != 0 || config.alpha != 0)
        usage_error("engine 'tree-locks' supports only θ and a cut-off, not an accuracy or α");
    if (config.order != 0 && config.order != 1)
        usage_error(fmt::format("engine 'tree-locks' supports only monopoles, not order {}", config.order));
    if (config.leaf != 0 || config.group != 0)
        usage_error(
            "engine 'tree-locks' has one body per leaf and one warp per walk; leaf and group size cannot be set");
    if (!(config.theta >= 0))
        usage_error(fmt::format("θ {} of engine 'tree-locks' must not be negative", config.theta));
    if (!(config.cutoff >= 0))
        usage_error(fmt::format("cut-off {} of engine 'tree-locks' must not be negative", config.cutoff));
    if (config.cutoff > 0 && config.theta > 0)
        usage_error("engine 'tree-locks' opens cells by θ or by a cut-off, not by both");
    return {config.theta > 0 ? config.theta : kTheta, config.cutoff};
}

double locks_tolerance(const EngineConfig& config) {
    if (config.tree.cutoff > 0) return std::numeric_limits<double>::infinity();
    const double theta = config.tree.theta > 0 ? config.tree.theta : kTheta;
    // Measured with a host emulation of this walk: the largest relative RMS error over Plummer, uniform and Gaussian
    // balls, `collision` and `cold-sphere` with 100 to 20 000 bodies is 2.8e-4, 8.2e-4, 3.9e-3, 1.2e-2, 2.7e-2, 0.10 at
    // θ 0.2, 0.3, 0.5, 0.7, 1.0, 1.5. The tolerance is 1.4 to 1.9 times that.
    return 0.045 * std::pow(theta, 2.8) + (config.precision == Precision::kDouble ? 1e-13 : 5e-6);
}

std::string describe_locks(const LocksOpening& opening) {
    if (opening.cutoff > 0) return fmt::format("cut-off {:.3g}, monopoles", opening.cutoff);
    return fmt::format("θ {:.3g}, monopoles", opening.theta);
}

void require_links(std::uint64_t bodies, std::uint64_t cells) {
    if (bodies + cells <= kMostLinks) return;
    environment_error(
        fmt::format("engine 'tree-locks' can index at most {} bodies and cells in total, not {} bodies and {} "
                    "cells",
                    kMostLinks, bodies, cells));
}

}  // namespace cuda

EngineEntry tree_locks_entry(Backend backend) {
    return {.id = "tree-locks",
            .label = "Tree with locks",
            .doc = backend == Backend::kCpu
                       ? "The thesis' six kernels after Burtscher and Pingali, run by threads of the processor, for "
                         "study: all bodies are inserted into an octree concurrently, using locks."
                       : "The thesis' six kernels after Burtscher and Pingali, for study: all bodies are inserted into "
                         "an octree concurrently, using locks; a warp votes on which cells to open.",
            .backend = backend,
            .tolerance_single = 7e-3,
            .tolerance_double = 7e-3,
            .max_bodies = std::uint64_t{1} << (backend == Backend::kCpu ? 20 : 24),
            .capabilities = {Capability::kTree, Capability::kCutoff, Capability::kMixed},
            .same_bits = true,
            .own_units = true,
            .make = nullptr,
            .own_tolerance = cuda::locks_tolerance};
}

}  // namespace orrery
