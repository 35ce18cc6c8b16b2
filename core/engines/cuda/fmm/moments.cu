// SPDX-License-Identifier: MIT
// Radii, spreads and moments of cells, from leaves upward (P2M and M2M).
#include "core/engines/cuda/fmm/moments.cuh"

#include "core/engines/cuda/fmm/expansions.cuh"
#include "core/engines/cuda/tree/spans.cuh"

namespace orrery::cuda {
namespace {

template <class Real, int P>
struct ExpansionOutput {
    using Order = Expansions<Real, P>;
    const TreeNode<Real>* nodes;
    const BodyRange* ranges;
    const Vec4<Real>* bodies;
    CellReach<Real>* reach;
    Real* moments;

    __device__ static Vec3<Real> zoomed(Vec3<Real> x) { return Real(kZoom) * x; }
    __device__ void write(std::uint32_t cell, Real radius, Real second, Real mass,
                          const Real (&found)[Order::kMoments]) const {
        reach[cell] = {radius, mass > 0 ? sqrt(second / mass) : Real(0)};
        Real* const to = moments + std::uint64_t{cell} * Order::kStored;
        for_terms<1, Order::kMoments>([&]<int kM>() { to[kM - 1] = found[kM]; });
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
        write(cell, sqrt(far2), second, centre.w, found);
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
            const Real* const of = moments + std::uint64_t{child} * Order::kStored;
            for_terms<1, Order::kMoments>([&]<int kM>() { from[kM] = of[kM - 1]; });
            Real t[terms_up_to(P - 1)];
            Order::template powers<P - 1>(zoomed(off), t);
            Order::add_shifted(found, from, t);
        }
        for_terms<1, Order::kMoments>([&]<int kM>() { found[kM] = octet_sum(found[kM]); });
        radius = -octet_min(-radius), second = octet_sum(second);
        if (mine == 0) write(cell, radius, second, centre.w, found);
    }
};

}  // namespace

template <class Real>
void compute_expansions(int order, TreeBuilder<Real>& tree, CellReach<Real>* reach, Real* moments,
                        cudaStream_t stream) {
    const TreeView<Real> view = tree.view();
    with_device_order(order, [&]<int P>() {
        const ExpansionOutput<Real, P> to{view.nodes, tree.ranges(), view.bodies, reach, moments};
        compute_upward(to, tree.span_division(), view.state, stream);
    });
}

template void compute_expansions(int, TreeBuilder<float>&, CellReach<float>*, float*, cudaStream_t);
template void compute_expansions(int, TreeBuilder<double>&, CellReach<double>*, double*, cudaStream_t);

}  // namespace orrery::cuda
