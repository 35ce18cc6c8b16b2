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

template <class Real>
constexpr auto walk_variants() {
    using enum Softened;
    using V = WalkVariant<Real>;
    return std::array{V{1, 1, true, false, &walk_tree<Real, 1, 1, kYes, false>},
                      V{2, 1, true, false, &walk_tree<Real, 2, 1, kYes, false>},
                      V{4, 1, true, false, &walk_tree<Real, 4, 1, kYes, false>},
                      V{1, 1, false, false, &walk_tree<Real, 1, 1, kNo, false>},
                      V{2, 1, false, false, &walk_tree<Real, 2, 1, kNo, false>},
                      V{4, 1, false, false, &walk_tree<Real, 4, 1, kNo, false>},
                      V{1, 2, true, false, &walk_tree<Real, 1, 2, kYes, false>},
                      V{2, 2, true, false, &walk_tree<Real, 2, 2, kYes, false>},
                      V{4, 2, true, false, &walk_tree<Real, 4, 2, kYes, false>},
                      V{1, 2, false, false, &walk_tree<Real, 1, 2, kNo, false>},
                      V{2, 2, false, false, &walk_tree<Real, 2, 2, kNo, false>},
                      V{4, 2, false, false, &walk_tree<Real, 4, 2, kNo, false>},
                      V{1, 1, true, true, &walk_tree<Real, 1, 1, kYes, true>},
                      V{2, 1, true, true, &walk_tree<Real, 2, 1, kYes, true>},
                      V{4, 1, true, true, &walk_tree<Real, 4, 1, kYes, true>},
                      V{1, 1, false, true, &walk_tree<Real, 1, 1, kNo, true>},
                      V{2, 1, false, true, &walk_tree<Real, 2, 1, kNo, true>},
                      V{4, 1, false, true, &walk_tree<Real, 4, 1, kNo, true>},
                      V{1, 2, true, true, &walk_tree<Real, 1, 2, kYes, true>},
                      V{2, 2, true, true, &walk_tree<Real, 2, 2, kYes, true>},
                      V{4, 2, true, true, &walk_tree<Real, 4, 2, kYes, true>},
                      V{1, 2, false, true, &walk_tree<Real, 1, 2, kNo, true>},
                      V{2, 2, false, true, &walk_tree<Real, 2, 2, kNo, true>},
                      V{4, 2, false, true, &walk_tree<Real, 4, 2, kNo, true>}};
}

}  // namespace orrery::cuda
