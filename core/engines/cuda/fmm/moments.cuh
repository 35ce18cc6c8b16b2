// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/cuda/fmm/data.cuh"
#include "core/engines/cuda/tree/build.cuh"
#include "core/physics/expansion_terms.hpp"

namespace orrery::cuda {

/// Expansion orders that are compiled for devices.
inline constexpr int kLeastOrder = 3, kMostDeviceOrder = 6;

/// Calls work.operator()<P>() for an order P from kLeastOrder to kMostDeviceOrder.
template <class Work>
auto with_device_order(int order, const Work& work) {
    switch (order) {
        case 3:
            return work.template operator()<3>();
        case 4:
            return work.template operator()<4>();
        case 5:
            return work.template operator()<5>();
        default:
            return work.template operator()<kMostDeviceOrder>();
    }
}

/// Stored numbers per cell: its moments without the mass, padded to whole vectors.
constexpr int stored_moments(int order) { return (moments_of(order) - 1 + 3) / 4 * 4; }

/// Enqueues the computation of radii, spreads and moments of all cells of a built tree, including those
/// that `tree` computes.
template <class Real>
void compute_all_moments(int order, TreeBuilder<Real>& tree, const TreeMac& rule, bool fresh, CellReach<Real>* reach,
                         Real* moments, cudaStream_t stream);

}  // namespace orrery::cuda
