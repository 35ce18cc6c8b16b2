// SPDX-License-Identifier: MIT
#include "core/engines/cuda/fmm/config.hpp"

#include <algorithm>
#include <cmath>

#include "core/physics/opening.hpp"

namespace orrery {

CudaFmmChoice cuda_fmm_choice(const EngineConfig& config) {
    TreeConfig tree = config.tree;
    if (tree.order == 0) tree.order = std::clamp(fmm_choice(tree).order, 3, 6);
    if (tree.leaf == 0) tree.leaf = 16;
    CudaFmmChoice choice{fmm_choice(tree), 0};
    choice.mass_alpha = alpha_for(choice.accuracy, 1);
    return choice;
}

double cuda_fmm_tolerance(const EngineConfig& config) { return 5 * fmm_tolerance(config); }

}  // namespace orrery
