// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "core/base/vec.hpp"

namespace orrery::cuda {

template <class Real>
class TreeBuilder;

/// Sorts bodies in device memory along the Hilbert curve, by the kernels of the tree engine. Keeps its allocations for
/// the next call.
template <class Real>
class DeviceCurveOrder {
public:
    DeviceCurveOrder();
    ~DeviceCurveOrder();
    DeviceCurveOrder(const DeviceCurveOrder&) = delete;
    DeviceCurveOrder& operator=(const DeviceCurveOrder&) = delete;

    /// Enqueues the sort. `leaf`: number of consecutive bodies that need not be sorted further.
    void sort(const Vec4<Real>* bodies, std::uint64_t count, std::uint32_t leaf, cudaStream_t stream);

    // Device memory, valid until the next sort().
    const std::uint32_t* order() const;  ///< index of the body at each sorted position
    const Vec4<Real>* bodies() const;    ///< sorted, in internal units; a non-finite coordinate stays non-finite
    const Real* per_length() const;      ///< internal units per unit of length

private:
    std::unique_ptr<TreeBuilder<Real>> tree_;
};

}  // namespace orrery::cuda
