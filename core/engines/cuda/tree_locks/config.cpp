// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/engines/cuda/tree_locks/index.hpp"
#include "core/engines/cuda/tree_locks/tree_locks.hpp"
#include "core/engines/engine.hpp"

namespace orrery {
namespace cuda {
namespace {

constexpr double kTheta = 0.5;  // what nobody asked for otherwise: the middle of what is usual

}  // namespace

double locks_theta(const TreeConfig& config) {
    if (config.accuracy != 0 || config.alpha != 0)
        usage_error("engine 'tree-locks' has only the geometric criterion θ: it has no accuracy and no α");
    if (config.order != 0 && config.order != 1)
        usage_error(fmt::format("engine 'tree-locks' has only monopoles: it has no order {}", config.order));
    if (config.leaf != 0 || config.group != 0)
        usage_error(
            "engine 'tree-locks' has one body per leaf and one warp per walk: it has no leaf size and no group size");
    if (!(config.theta >= 0))
        usage_error(fmt::format("θ {} of engine 'tree-locks' must not be negative", config.theta));
    return config.theta > 0 ? config.theta : kTheta;
}

double locks_tolerance(const EngineConfig& config) {
    const double theta = config.tree.theta > 0 ? config.tree.theta : kTheta;
    // Host emulation of this walk, relative RMS error of Plummer, uniform and Gaussian balls, `collision` and
    // `cold-sphere` of 100 to 20 000 bodies, the worst: 2.8e-4, 8.2e-4, 3.9e-3, 1.2e-2, 2.7e-2, 0.10 at θ 0.2, 0.3,
    // 0.5, 0.7, 1.0, 1.5. This is 1.4 to 1.9 times that.
    return 0.045 * std::pow(theta, 2.8) + (config.precision == Precision::kDouble ? 1e-13 : 5e-6);
}

std::string describe_locks(double theta) { return fmt::format("θ {:.3g}, monopoles", theta); }

void require_links(std::uint64_t bodies, std::uint64_t cells) {
    if (bodies + cells <= kMostLinks) return;
    environment_error(
        fmt::format("engine 'tree-locks' numbers bodies and cells together up to {}: {} bodies and {} "
                    "cells are too many",
                    kMostLinks, bodies, cells));
}

}  // namespace cuda

namespace {
AnyEngine make(const EngineConfig& config) { return cuda::make_tree_locks(config, 0); }
}  // namespace

EngineEntry cuda_tree_locks_engine() {
    return {.id = "tree-locks",
            .label = "Tree with locks",
            .doc =
                "The thesis' six kernels after Burtscher and Pingali, for study: all bodies are inserted into an "
                "octree concurrently, using locks; a warp votes on which cells to open.",
            .backend = Backend::kCuda,
            .tolerance_single = 7e-3,
            .tolerance_double = 7e-3,
            .max_bodies = 1 << 24,
            .knobs = {"theta"},
            .same_bits = true,
            .mixed = true,
            .make = make,
            .own_tolerance = cuda::locks_tolerance};
}

}  // namespace orrery
