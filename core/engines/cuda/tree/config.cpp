// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engines/cuda/tree/build.cuh"

namespace orrery::cuda {
namespace {

/// α for a relative RMS error of the forces on `count` bodies of a Plummer sphere, measured on an H200
/// (docs/measuring.md): broken power laws in the error. Monopoles become more accurate with the number of bodies, which
/// then fill cells more evenly.
double measured_alpha(double accuracy, int order, std::uint64_t count) {
    if (order == 2) return 1.96e-3 * std::pow(accuracy / 2e-4, accuracy < 2e-4 ? 1.55 : 1.25);
    const double millions = std::clamp(static_cast<double>(count) / (1 << 20), 1e-3, 16.0);
    const double bent = std::min(accuracy, 3e-3);
    return 4.55e-3 * std::pow(bent / 1e-3, bent < 1e-3 ? 1.88 : 1.55) * std::pow(accuracy / bent, 0.9) *
           std::pow(millions, millions < 1 ? 0.28 : 0.19);
}

/// Small groups avoid long walks at the end when there are few groups; large groups share more of their walks.
int group_for(int order, std::uint64_t count) { return order == 1 && count < 3'000'000 ? 32 : 64; }

}  // namespace

TreeChoice tree_choice_for(const TreeConfig& config, std::uint64_t count, double scale) {
    TreeLimits limits{.group_step = 32, .group_most = 128, .leaf = 16, .group = 64, .backend = Backend::kCuda};
    limits.group = group_for(tree_choice(config, limits).order, count);
    TreeChoice choice = tree_choice(config, limits);
    if (choice.relative() && config.alpha == 0)
        choice.alpha = measured_alpha(scale * choice.accuracy, choice.order, count);
    return choice;
}

void require_cells(std::uint64_t cells) {
    if (cells > kMostTreeCells)
        environment_error(fmt::format("a tree of {} cells exceeds the maximum of {}; larger leaves give fewer cells",
                                      cells, kMostTreeCells));
}

}  // namespace orrery::cuda
