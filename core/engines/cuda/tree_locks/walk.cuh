// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include "core/engines/cuda/tree_locks/tree.hpp"
#include "core/engines/cuda/tree_locks/tuning.hpp"

namespace orrery::cuda {

template <class Real>
struct LocksWalk {
    LocksTree<Real> tree;
    const Vec4<Real>*in_order, *low_in_order;  ///< low_in_order is null if positions are not split
    const std::uint32_t* order;
    Vec4<Real>* acceleration;
    double G;
    bool softened, potential;
};

/// Enqueues kernel 5 for blocks [first, last).
template <class Real>
void walk_locks(const LocksWalk<Real>& walk, std::uint32_t first, std::uint32_t last, cudaStream_t stream);

}  // namespace orrery::cuda
