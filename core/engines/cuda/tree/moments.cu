// SPDX-License-Identifier: MIT
// Masses, centres of mass and bounding boxes of cells, from leaves upward.
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"
#include "core/engines/cuda/tree/spans.cuh"

namespace orrery::cuda {

template <class Real>
MomentOutput<Real> TreeBuilder<Real>::moment_output(const TreeMac& rule, bool fresh) {
    return {.nodes = nodes_.data(),
            .quadrupoles = quadrupoles_.data(),
            .lows = lows_.data(),
            .highs = highs_.data(),
            .ranges = ranges_.data(),
            .bodies = bodies_.data(),
            .rule = rule,
            .fresh = fresh};
}

template <class Real>
void TreeBuilder<Real>::compute_moments(const TreeMac& rule, bool fresh, cudaStream_t stream) {
    if (rule.order == 2 && quadrupoles_.size() < nodes_.size())
        quadrupoles_ = {}, quadrupoles_ = DeviceBuffer<Quadrupole<Real>>{nodes_.size()};
    compute_upward(moment_output(rule, fresh), span_division(), state_.data(), stream);
}

template <class Real>
SpanDivision TreeBuilder<Real>::span_division() const {
    return {offsets_.data(), count_, sorted_levels_};
}

template SpanDivision TreeBuilder<float>::span_division() const;
template SpanDivision TreeBuilder<double>::span_division() const;
template MomentOutput<float> TreeBuilder<float>::moment_output(const TreeMac&, bool);
template MomentOutput<double> TreeBuilder<double>::moment_output(const TreeMac&, bool);
template void TreeBuilder<float>::compute_moments(const TreeMac&, bool, cudaStream_t);
template void TreeBuilder<double>::compute_moments(const TreeMac&, bool, cudaStream_t);

}  // namespace orrery::cuda
