// SPDX-License-Identifier: MIT
#pragma once
// Sorts as many bodies as all resident blocks of a device can hold: one kernel instead of a dozen, whose launches would
// take longer than their work.
#include "core/engines/cuda/tree/gather.cuh"

namespace orrery::cuda {

constexpr int kDigitLevels = 3;  // levels of the tree that a pass sorts by: nine bits
constexpr unsigned kDigits = 1u << 3 * kDigitLevels, kDigitPairs = kDigits / 2;
constexpr unsigned kMostTogether = 1024;  // blocks

/// The number of levels, at least `levels`, that this many passes cover.
constexpr int whole_digits(int levels) { return (levels + kDigitLevels - 1) / kDigitLevels * kDigitLevels; }

/// Number of blocks that sort `count` bodies together; 0: there are too many bodies for that.
unsigned blocks_together(std::uint64_t count);

template <class Real>
struct Together {
    Gathering<Real> gathering;
    double softening;
    int levels;                ///< of whole_digits()
    std::uint64_t* keys[2];    ///< at the end sorted in the second one
    std::uint32_t* bodies[2];  ///< likewise, which of the scene's bodies each is
    std::uint32_t* counts;     ///< [block][pair of digits]
    Bounds<Real>* bounds;      ///< [block]
};

/// Enqueues bounds and units, keys, their sort and the gathering of bodies in that order.
template <class Real>
void sort_together(const Together<Real>& in, TreeState<Real>* state, unsigned blocks, cudaStream_t stream);

}  // namespace orrery::cuda
