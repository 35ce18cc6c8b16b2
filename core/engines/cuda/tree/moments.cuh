// SPDX-License-Identifier: MIT
#pragma once
// Mass, centre of mass and bounding box of a cell, from its bodies or its children.
#include "core/engines/cuda/tree/cells.cuh"
#include "core/physics/opening.hpp"

namespace orrery::cuda {

template <class Real>
struct MomentOutput {
    TreeNode<Real>* nodes;
    Quadrupole<Real>* quadrupoles;
    Vec3<Real>*lows, *highs;
    const BodyRange* ranges;
    const Vec4<Real>* bodies;
    TreeMac rule;
    bool fresh;  ///< counts of nodes are still indices, as written by write_cells()

    /// Writes a cell, given its centre of mass and the tight bounding box of its bodies.
    __device__ void write(std::uint32_t cell, const Vec4<Real>& centre, const Corners<Real>& box) const {
        const Vec3<Real> sides = box.high - box.low;
        const Real extent = max(sides.x, max(sides.y, sides.z)) + Real(rule.blur);
        const auto parameter = Real(rule.parameter);
        TreeNode<Real>& node = nodes[cell];
        node.centre = centre;
        node.rest.extent = extent;
        if (rule.rule == MacKind::kGeometric) {
            const Vec3<Real> off = xyz(centre) - Real(0.5) * (box.low + box.high);
            node.rest.threshold = opening_radius(extent, sqrt(dot(off, off)), parameter);
        } else {
            node.rest.threshold = relative_threshold(centre.w, extent, parameter, rule.order);
        }
        lows[cell] = box.low, highs[cell] = box.high;
    }

    /// Computes a leaf, with one thread: most leaves have few bodies, which are loaded in small batches.
    __device__ void leaf(std::uint32_t cell) const {
        const BodyRange range = ranges[cell];
        const std::uint32_t count = range.end - range.first;
        const Vec4<Real>* of = bodies + range.first;
        nodes[cell].rest.count = -static_cast<std::int32_t>(count);
        MassSum<Real> sum{.about = xyz(of[0])};
        Corners<Real> box = nowhere<Real>();
        constexpr std::uint32_t kBatch = 4;
        for (std::uint32_t i = 0; i < count; i += kBatch) {
            Vec4<Real> body[kBatch];
#pragma unroll
            for (std::uint32_t k = 0; k < kBatch; ++k) body[k] = of[min(i + k, count - 1)];
#pragma unroll
            for (std::uint32_t k = 0; k < kBatch; ++k) {
                if (i + k < count) sum.add(body[k]);
                box.enclose({xyz(body[k]), xyz(body[k])});
            }
        }
        const Vec4<Real> centre = sum.centre();
        write(cell, centre, box);
        if (rule.order != 2) return;
        Quadrupole<Real> q;
        for (std::uint32_t i = 0; i < count; ++i) add_at(q, xyz(of[i]) - xyz(centre), of[i].w);
        quadrupoles[cell] = q;
    }

    /// Computes a divided cell, with an octet: one child per lane.
    __device__ void divided(std::uint32_t cell) const {
        const unsigned mine = threadIdx.x % kOctet;
        const std::int32_t count = nodes[cell].rest.count - (fresh ? nodes[cell].rest.first : 0);
        const bool has_child = static_cast<std::int32_t>(mine) < count;
        const auto child = static_cast<std::uint32_t>(nodes[cell].rest.first) + mine;
        Vec4<Real> part{};
        Corners<Real> box = nowhere<Real>();
        if (has_child) part = nodes[child].centre, box = {lows[child], highs[child]};
        const auto first = [](Real x) { return __shfl_sync(octet_mask(), x, 0, kOctet); };
        MassSum<Real> sum{.about = {first(part.x), first(part.y), first(part.z)}};
        if (has_child) sum.add(part);
        sum.mass = octet_sum(sum.mass);
        sum.first = {octet_sum(sum.first.x), octet_sum(sum.first.y), octet_sum(sum.first.z)};
        if (!(sum.mass > 0)) sum.plain = {octet_sum(sum.plain.x), octet_sum(sum.plain.y), octet_sum(sum.plain.z)};
        sum.count = Real(count);
        box.low = {octet_min(box.low.x), octet_min(box.low.y), octet_min(box.low.z)};
        box.high = {-octet_min(-box.high.x), -octet_min(-box.high.y), -octet_min(-box.high.z)};
        const Vec4<Real> centre = sum.centre();
        if (mine == 0) write(cell, centre, box), nodes[cell].rest.count = count;
        if (rule.order != 2) return;
        Quadrupole<Real> q;
        if (has_child) {
            add_at(q, xyz(part) - xyz(centre), part.w);
            add(q, quadrupoles[child]);
        }
        q = {octet_sum(q.xx), octet_sum(q.yy), octet_sum(q.zz), octet_sum(q.xy), octet_sum(q.xz), octet_sum(q.yz)};
        if (mine == 0) quadrupoles[cell] = q;
    }
};

}  // namespace orrery::cuda
