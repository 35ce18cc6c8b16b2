// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "core/engines/cuda/fmm/far.cuh"
#include "core/engines/cuda/fmm/kernels.cuh"

namespace orrery::cuda {

template <class Real, int P, bool kPotential>
constexpr FarVariant<Real> far_variant() {
    return {P, kPotential, &walk_clusters<Real, P, kPotential>, &walk_groups<Real, P, kPotential>};
}
template <class Real>
constexpr std::array<FarVariant<Real>, 8> far_variants() {
    return {{far_variant<Real, 3, false>(), far_variant<Real, 4, false>(), far_variant<Real, 5, false>(),
             far_variant<Real, 6, false>(), far_variant<Real, 3, true>(), far_variant<Real, 4, true>(),
             far_variant<Real, 5, true>(), far_variant<Real, 6, true>()}};
}

}  // namespace orrery::cuda
