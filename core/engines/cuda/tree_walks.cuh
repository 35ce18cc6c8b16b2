// SPDX-License-Identifier: MIT
#pragma once
// The walks that are compiled, to choose from.
#include <array>
#include <span>

#include "core/engines/cuda/tree_walk.cuh"

namespace orrery::cuda {

/// One compiled kernel of the family.
template <class Real>
struct WalkVariant {
    int bodies, order;  ///< bodies per lane: a group has up to 32 times as many
    bool softened, potential;
    void (*kernel)(WalkArgs<Real>);
};

std::span<const WalkVariant<float>> walks_float();
std::span<const WalkVariant<double>> walks_double();
std::span<const WalkVariant<float>> walks_split();  ///< of split positions, softened or not

template <class Real>
constexpr auto walk_variants() {
    using enum Softened;
    constexpr Split kWhole = Split::kNo;
    using V = WalkVariant<Real>;
    return std::array{V{1, 1, true, false, &walk_tree<Real, 1, 1, kYes, false, kWhole>},
                      V{2, 1, true, false, &walk_tree<Real, 2, 1, kYes, false, kWhole>},
                      V{4, 1, true, false, &walk_tree<Real, 4, 1, kYes, false, kWhole>},
                      V{1, 1, false, false, &walk_tree<Real, 1, 1, kNo, false, kWhole>},
                      V{2, 1, false, false, &walk_tree<Real, 2, 1, kNo, false, kWhole>},
                      V{4, 1, false, false, &walk_tree<Real, 4, 1, kNo, false, kWhole>},
                      V{1, 2, true, false, &walk_tree<Real, 1, 2, kYes, false, kWhole>},
                      V{2, 2, true, false, &walk_tree<Real, 2, 2, kYes, false, kWhole>},
                      V{4, 2, true, false, &walk_tree<Real, 4, 2, kYes, false, kWhole>},
                      V{1, 2, false, false, &walk_tree<Real, 1, 2, kNo, false, kWhole>},
                      V{2, 2, false, false, &walk_tree<Real, 2, 2, kNo, false, kWhole>},
                      V{4, 2, false, false, &walk_tree<Real, 4, 2, kNo, false, kWhole>},
                      V{1, 1, true, true, &walk_tree<Real, 1, 1, kYes, true, kWhole>},
                      V{2, 1, true, true, &walk_tree<Real, 2, 1, kYes, true, kWhole>},
                      V{4, 1, true, true, &walk_tree<Real, 4, 1, kYes, true, kWhole>},
                      V{1, 1, false, true, &walk_tree<Real, 1, 1, kNo, true, kWhole>},
                      V{2, 1, false, true, &walk_tree<Real, 2, 1, kNo, true, kWhole>},
                      V{4, 1, false, true, &walk_tree<Real, 4, 1, kNo, true, kWhole>},
                      V{1, 2, true, true, &walk_tree<Real, 1, 2, kYes, true, kWhole>},
                      V{2, 2, true, true, &walk_tree<Real, 2, 2, kYes, true, kWhole>},
                      V{4, 2, true, true, &walk_tree<Real, 4, 2, kYes, true, kWhole>},
                      V{1, 2, false, true, &walk_tree<Real, 1, 2, kNo, true, kWhole>},
                      V{2, 2, false, true, &walk_tree<Real, 2, 2, kNo, true, kWhole>},
                      V{4, 2, false, true, &walk_tree<Real, 4, 2, kNo, true, kWhole>}};
}

}  // namespace orrery::cuda
