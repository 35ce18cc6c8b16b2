// SPDX-License-Identifier: MIT
// Masses, centres of mass and bounding boxes of cells, from leaves upward.
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"
#include "core/engines/cuda/tree/spans.cuh"

namespace orrery::cuda {

template <class Real>
MomentOutput<Real> TreeBuilder<Real>::moment_output(const TreeMac& rule, bool fresh) {
    return {.nodes = memory_.nodes.data(),
            .quadrupoles = memory_.quadrupoles.data(),
            .lows = memory_.lows.data(),
            .highs = memory_.highs.data(),
            .ranges = memory_.ranges.data(),
            .bodies = bodies_.data(),
            .rule = rule,
            .fresh = fresh};
}

template <class Real>
void TreeBuilder<Real>::compute_moments(const TreeMac& rule, bool fresh, cudaStream_t stream) {
    if (moments_) return moments_(rule, fresh, stream);
    if (rule.order == 2 && memory_.quadrupoles.size() < memory_.nodes.size())
        memory_.quadrupoles = {}, memory_.quadrupoles = DeviceBuffer<Quadrupole<Real>>{memory_.nodes.size()};
    compute_upward(moment_output(rule, fresh), span_division(), state_.data(), stream);
}

template <class Real>
SpanDivision TreeBuilder<Real>::span_division() const {
    return {memory_.offsets.data(), count_};
}

template SpanDivision TreeBuilder<float>::span_division() const;
template SpanDivision TreeBuilder<double>::span_division() const;
template MomentOutput<float> TreeBuilder<float>::moment_output(const TreeMac&, bool);
template MomentOutput<double> TreeBuilder<double>::moment_output(const TreeMac&, bool);
template void TreeBuilder<float>::compute_moments(const TreeMac&, bool, cudaStream_t);
template void TreeBuilder<double>::compute_moments(const TreeMac&, bool, cudaStream_t);

}  // namespace orrery::cuda
