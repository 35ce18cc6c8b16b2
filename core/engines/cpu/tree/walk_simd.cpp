// SPDX-License-Identifier: MIT
// The tree walk of a group, compiled by Highway once per instruction set and dispatched at run time.
#include "core/engines/cpu/tree/walk.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/tree/walk_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/inverse_cube-inl.h"
#include "core/engines/cpu/tree/lists-inl.h"
#include "core/spatial/keys.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Depth-first traversal from the root. The parts of an opened cell, at most 8, are tested as one vector.
template <class Real, WalkMac::Kind kRule>
class Walk {
public:
    explicit Walk(const GroupWalk<Real>& work) : work_{work}, lists_{work} {}

    WalkCounts operator()() {
        const CentredBox<Real> box = lists_.box();
        test_cells(box, {0, 1});
        while (waiting_ > 0) test_cells(box, stack_[--waiting_]);
        return lists_.finish();
    }

private:
    using D = hn::CappedTag<Real, 8>;
    using DI = hn::RebindToUnsigned<D>;
    using V = hn::Vec<D>;
    static constexpr std::size_t kStack = 8 * (kKeyLevels + 1);  // at each level fewer than 8 wait

    static HWY_INLINE V outside(D d, V at, Real middle, Real half) {
        return hn::Max(hn::Sub(hn::Abs(hn::Sub(at, hn::Set(d, middle))), hn::Set(d, half)), hn::Zero(d));
    }

    void test_cells(const CentredBox<Real>& box, CellLink parts) {
        const D d;
        const DI di;
        const WalkTree<Real>& tree = work_.tree;
        const std::uint32_t end = parts.first + parts.count;
        for (std::uint32_t cell = parts.first; cell < end; cell += static_cast<std::uint32_t>(hn::Lanes(d))) {
            const V dx = outside(d, hn::LoadU(d, tree.x + cell), box.middle.x, box.half.x);
            const V dy = outside(d, hn::LoadU(d, tree.y + cell), box.middle.y, box.half.y);
            const V dz = outside(d, hn::LoadU(d, tree.z + cell), box.middle.z, box.half.z);
            const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
            V reach = distance2;
            if constexpr (kRule != WalkMac::kGeometric) {
                reach = hn::Mul(hn::Mul(distance2, distance2), hn::Set(d, work_.acceleration));
                if constexpr (kRule == WalkMac::kQuadrupole) reach = hn::Mul(reach, hn::Sqrt(distance2));
            }
            const auto valid = hn::FirstN(d, end - cell);
            auto accepted = hn::And(valid, hn::Ge(reach, hn::LoadU(d, tree.threshold + cell)));
            if constexpr (kRule != WalkMac::kGeometric) {
                const V apart = hn::Max(dx, hn::Max(dy, dz));  // see apart()
                const auto near = hn::And(accepted, hn::Lt(apart, hn::LoadU(d, tree.extent + cell)));
                if (!hn::AllFalse(d, near)) accepted = hn::AndNot(overlapping(d, near, box, cell), accepted);
            }
            const auto index = hn::Add(hn::Set(di, cell), hn::Iota(di, 0));
            lists_.accept_cells(di, index, hn::RebindMask(di, accepted));
            open(d, hn::AndNot(accepted, valid), cell);
        }
    }

    /// The cells of `mask`, starting at `first`, whose boxes overlap the group's box.
    template <class M>
    M overlapping(D d, M mask, const CentredBox<Real>& box, std::uint32_t first) const {
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, mask, bytes);
        for (unsigned i = 0; i < hn::Lanes(d); ++i) {
            const std::uint32_t cell = first + i;
            if ((bytes[0] >> i & 1) != 0 && !overlap(box, work_.tree.low_corners[cell], work_.tree.high_corners[cell]))
                bytes[0] = static_cast<std::uint8_t>(bytes[0] & ~(1u << i));
        }
        return hn::LoadMaskBits(d, bytes);
    }

    template <class M>
    HWY_INLINE void open(D d, M mask, std::uint32_t first) {
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, mask, bytes);
        // From last to first, so that the first is on top of the stack and consecutive ranges of bodies are merged.
        for (unsigned bits = bytes[0]; bits != 0;) {
            const int bit = 31 - __builtin_clz(bits);
            bits ^= 1u << bit;
            const CellLink link = work_.tree.links[first + static_cast<std::uint32_t>(bit)];
            if (link.leaf())
                lists_.accept_bodies({link.first, link.parts()});
            else
                stack_[waiting_++] = link;
        }
    }

    const GroupWalk<Real>& work_;
    Lists<Real> lists_;
    std::size_t waiting_ = 0;
    CellLink stack_[kStack];
};

template <class Real>
WalkCounts run_walk(const GroupWalk<Real>& work) {
    switch (work.rule) {
        case WalkMac::kGeometric:
            return Walk<Real, WalkMac::kGeometric>{work}();
        case WalkMac::kMonopole:
            return Walk<Real, WalkMac::kMonopole>{work}();
        default:
            return Walk<Real, WalkMac::kQuadrupole>{work}();
    }
}

WalkCounts walk_float(const GroupWalk<float>& work) { return run_walk(work); }
WalkCounts walk_double(const GroupWalk<double>& work) { return run_walk(work); }

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(walk_float);
HWY_EXPORT(walk_double);

WalkCounts walk_group(const GroupWalk<float>& work) { return HWY_DYNAMIC_DISPATCH(walk_float)(work); }
WalkCounts walk_group(const GroupWalk<double>& work) { return HWY_DYNAMIC_DISPATCH(walk_double)(work); }

}  // namespace orrery
#endif
