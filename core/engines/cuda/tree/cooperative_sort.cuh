// SPDX-License-Identifier: MIT
#pragma once
// Cooperative radix sort of as many bodies as all resident blocks of a device can hold: one kernel instead of a dozen,
// whose launches would take longer than their work.
#include "core/engines/cuda/tree/gather.cuh"

namespace orrery::cuda {

constexpr int kDigitLevels = 3;  // levels of the tree per pass: nine bits
constexpr unsigned kDigits = 1u << 3 * kDigitLevels, kDigitPairs = kDigits / 2;
constexpr unsigned kMostCooperativeBlocks = 1024;  // blocks

/// The number of levels, at least `levels`, that whole passes cover.
constexpr int whole_digits(int levels) { return (levels + kDigitLevels - 1) / kDigitLevels * kDigitLevels; }

/// Number of blocks for a cooperative sort of `count` bodies; 0 if there are too many bodies.
unsigned cooperative_blocks(std::uint64_t count);

template <class Real>
struct CooperativeSort {
    Gathering<Real> gathering;
    double softening;
    int levels;                ///< a result of whole_digits()
    std::uint64_t* keys[2];    ///< the sorted keys end up in the second array
    std::uint32_t* bodies[2];  ///< the same for indices of the scene's bodies
    std::uint32_t* counts;     ///< [block][pair of digits]
    Bounds<Real>* bounds;      ///< [block]
};

/// Enqueues bounds and units, keys, their sort and the gathering of bodies in that order.
template <class Real>
void cooperative_sort(const CooperativeSort<Real>& in, TreeState<Real>* state, unsigned blocks, cudaStream_t stream);

}  // namespace orrery::cuda
