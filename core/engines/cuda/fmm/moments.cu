// SPDX-License-Identifier: MIT
// Radii, spreads and moments of cells, from leaves upward (P2M and M2M).
#include "core/engines/cuda/fmm/moments.cuh"

#include "core/engines/cuda/fmm/expansions.cuh"
#include "core/engines/cuda/tree/moments.cuh"
#include "core/engines/cuda/tree/spans.cuh"

namespace orrery::cuda {
namespace {

/// Adds eight numbers over the lanes of an octet; the first then holds the sum with the lane's own index.
template <int kStep = kOctet / 2, class Real>
__device__ __forceinline__ void fold_octet(Real* v) {
    const bool upper = (threadIdx.x & static_cast<unsigned>(kStep)) != 0;
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
        const Real given = upper ? v[i] : v[i + kStep], kept = upper ? v[i + kStep] : v[i];
        v[i] = kept + __shfl_xor_sync(octet_mask(), given, kStep);
    }
    if constexpr (kStep > 1) fold_octet<kStep / 2>(v);
}

/// Moments of cells without their masses, which nodes contain, stored in whole vectors.
template <class Real, int P>
struct ExpansionOutput {
    using Order = Expansions<Real, P>;
    const TreeNode<Real>* nodes;
    const BodyRange* ranges;
    const Vec4<Real>* bodies;
    CellReach<Real>* reach;
    Real* moments;

    __device__ static Vec3<Real> zoomed(Vec3<Real> x) { return Real(kZoom) * x; }
    __device__ void write(std::uint32_t cell, Real radius, Real second, Real mass) const {
        reach[cell] = {radius, mass > 0 ? sqrt(second / mass) : Real(0)};
    }
    __device__ Vec4<Real>* vectors_of(std::uint32_t cell) const {
        return reinterpret_cast<Vec4<Real>*>(moments + std::uint64_t{cell} * Order::kStored);
    }

    __device__ void leaf(std::uint32_t cell) const {
        const BodyRange range = ranges[cell];
        const Vec4<Real> centre = nodes[cell].centre;
        Real found[Order::kMoments] = {}, far2 = 0, second = 0;
        for (std::uint32_t i = range.first; i < range.end; ++i) {
            const Vec4<Real> body = bodies[i];
            const Vec3<Real> off = xyz(body) - xyz(centre);
            const Real r2 = dot(off, off);
            far2 = max(far2, r2), second = fma(body.w, r2, second);
            Real t[terms_up_to(P - 1)];
            Order::template powers<P - 1>(zoomed(off), t);
            Order::add_body(found, body.w, t);
        }
        write(cell, sqrt(far2), second, centre.w);
        Vec4<Real>* const to = vectors_of(cell);
        for_terms<0, Order::kStored / 4>([&]<int kI>() {
            Real four[4];
            for_terms<0, 4>([&]<int kJ>() {
                constexpr int kM = 4 * kI + kJ + 1;
                if constexpr (kM < Order::kMoments)
                    four[kJ] = found[kM];
                else
                    four[kJ] = 0;
            });
            to[kI] = {four[0], four[1], four[2], four[3]};
        });
    }

    __device__ void divided(std::uint32_t cell) const {
        const unsigned mine = threadIdx.x % kOctet;
        const bool has_child = static_cast<std::int32_t>(mine) < nodes[cell].rest.count;
        const std::uint32_t child = static_cast<std::uint32_t>(nodes[cell].rest.first) + mine;
        const Vec4<Real> centre = nodes[cell].centre;
        Real found[Order::kMoments] = {}, radius = 0, second = 0;
        if (has_child) {
            const Vec4<Real> at = nodes[child].centre;
            const CellReach<Real> part = reach[child];
            const Vec3<Real> off = xyz(at) - xyz(centre);
            const Real r2 = dot(off, off);
            radius = sqrt(r2) + part.radius;
            second = at.w * fma(part.spread, part.spread, r2);
            Real from[Order::kMoments];
            from[0] = at.w;
            const Vec4<Real>* const of = vectors_of(child);
            for_terms<0, Order::kStored / 4>([&]<int kI>() {
                const Vec4<Real> four = of[kI];
                const Real each[4] = {four.x, four.y, four.z, four.w};
                for_terms<0, 4>([&]<int kJ>() {
                    if constexpr (4 * kI + kJ + 1 < Order::kMoments) from[4 * kI + kJ + 1] = each[kJ];
                });
            });
            Real t[terms_up_to(P - 1)];
            Order::template powers<P - 1>(zoomed(off), t);
            Order::add_shifted(found, from, t);
        }
        radius = -octet_min(-radius), second = octet_sum(second);
        if (mine == 0) write(cell, radius, second, centre.w);
        Real* const to = moments + std::uint64_t{cell} * Order::kStored;
        for_terms<0, (Order::kStored + int{kOctet} - 1) / int{kOctet}>([&]<int kI>() {
            constexpr int kFirst = kI * int{kOctet};
            Real eight[kOctet];
            for_terms<0, int{kOctet}>([&]<int kJ>() {
                constexpr int kM = kFirst + kJ + 1;
                if constexpr (kM < Order::kMoments)
                    eight[kJ] = found[kM];
                else
                    eight[kJ] = 0;
            });
            fold_octet(eight);
            if (kFirst + int{kOctet} <= Order::kStored || kFirst + static_cast<int>(mine) < Order::kStored)
                to[kFirst + static_cast<int>(mine)] = eight[0];
        });
    }
};

/// Both kinds of moments in one pass.
template <class Real, int P>
struct AllMoments {
    MomentOutput<Real> first;
    ExpansionOutput<Real, P> then;
    const TreeNode<Real>* nodes;
    const BodyRange* ranges;

    __device__ void leaf(std::uint32_t cell) const {
        first.leaf(cell);
        then.leaf(cell);
    }
    __device__ void divided(std::uint32_t cell) const {
        first.divided(cell);
        __syncwarp(octet_mask());  // one lane has written the centre and the number of children
        then.divided(cell);
    }
};

}  // namespace

template <class Real>
void compute_all_moments(int order, TreeBuilder<Real>& tree, const TreeMac& rule, bool fresh, CellReach<Real>* reach,
                         Real* moments, cudaStream_t stream) {
    const TreeView<Real> view = tree.view();
    with_device_order(order, [&]<int P>() {
        const AllMoments<Real, P> to{tree.moment_output(rule, fresh),
                                     {view.nodes, tree.ranges(), view.bodies, reach, moments},
                                     view.nodes,
                                     tree.ranges()};
        compute_upward(to, tree.span_division(), view.state, stream);
    });
}

template void compute_all_moments(int, TreeBuilder<float>&, const TreeMac&, bool, CellReach<float>*, float*,
                                  cudaStream_t);
template void compute_all_moments(int, TreeBuilder<double>&, const TreeMac&, bool, CellReach<double>*, double*,
                                  cudaStream_t);

}  // namespace orrery::cuda
