// SPDX-License-Identifier: MIT
// One pair of tiles of the half matrix with jerks, compiled by Highway once per instruction set and dispatched at run
// time.
#include "core/engines/cpu/half/simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/half/jerk_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/jerk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

enum class JerkReaction { kNo, kYes };

/// As TilePair in simd.cpp: column bodies rotate past a vector of row bodies, together with the reactions that they
/// have accumulated. Jerks are equal and opposite, as forces are.
template <class Real>
class JerkTilePair {
    using D = hn::CappedTag<Real, 64 / sizeof(Real)>;
    using V = hn::Vec<D>;
    using Index = hwy::MakeSigned<Real>;
    static constexpr std::size_t kLanes = 64 / sizeof(Real);  // upper bound
    static constexpr std::size_t kPlanes = kJerkPlanes;

    struct Body {
        Three<V> place;
        V mass;
        Three<V> velocity;
    };
    struct Sums {
        Three<V> acceleration;
        V potential;
        Three<V> jerk;
    };
    struct Row {
        Body body;
        Sums sums;
    };

public:
    explicit JerkTilePair(const HalfTile<Real>& work) : work_{work} {
        const std::size_t lanes = hn::Lanes(D());
        for (std::size_t i = 0; i < lanes; ++i) next_[i] = static_cast<Index>((i + 1) % lanes);
    }

    void run() {
        const std::size_t lanes = hn::Lanes(D()), side = work_.stride;
        const std::size_t rows = (work_.rows + lanes - 1) / lanes * lanes;
        for (std::size_t c = 0; c < kPlanes; ++c) std::fill_n(part_ + c * kMaxTile, rows, Real(0));
        const std::size_t vectors = (work_.columns + lanes - 1) / lanes;
        for (std::size_t v = 1; v <= vectors; ++v) {
            const std::size_t j = (work_.last / lanes + v) % vectors * lanes;
            open_ring(j);
            if (work_.diagonal) {  // the vector with itself, without reaction; it has already interacted with earlier
                                   // vectors
                Sums none = zero();
                Row self = row(j);
                turn<JerkReaction::kNo>(none, self);
                store(part_, kMaxTile, j, self.sums);
            }
            Sums reaction = zero();
            std::size_t i = work_.diagonal ? j + lanes : 0;
            for (; i + 2 * lanes <= rows; i += 2 * lanes) {
                Row a = row(i), b = row(i + lanes);
                turn<JerkReaction::kYes>(reaction, a, b);
                store(part_, kMaxTile, i, a.sums), store(part_, kMaxTile, i + lanes, b.sums);
            }
            for (; i < rows; i += lanes) {
                Row a = row(i);
                turn<JerkReaction::kYes>(reaction, a);
                store(part_, kMaxTile, i, a.sums);
            }
            if (work_.diagonal)
                add_to(part_, kMaxTile, j, false, reaction);
            else
                add_to(work_.column_sum, side, j, work_.column_first, reaction);
        }
        for (std::size_t i = 0; i < rows; i += lanes)
            add_to(work_.row_sum, side, i, work_.row_first, load(part_, kMaxTile, i));
    }

private:
    static HWY_INLINE Sums zero() {
        const V none = hn::Zero(D());
        return {{none, none, none}, none, {none, none, none}};
    }
    static HWY_INLINE Sums load(const Real* planes, std::size_t stride, std::size_t i) {
        const auto plane = [&](std::size_t c) { return hn::Load(D(), planes + c * stride + i); };
        return {{plane(0), plane(1), plane(2)}, plane(3), {plane(4), plane(5), plane(6)}};
    }
    static HWY_INLINE void store(Real* planes, std::size_t stride, std::size_t i, const Sums& sums) {
        const V all[kPlanes]{sums.acceleration.x, sums.acceleration.y, sums.acceleration.z, sums.potential,
                             sums.jerk.x,         sums.jerk.y,         sums.jerk.z};
        for (std::size_t c = 0; c < kPlanes; ++c) hn::Store(all[c], D(), planes + c * stride + i);
    }
    static HWY_INLINE void add_to(Real* planes, std::size_t stride, std::size_t i, bool first, const Sums& more) {
        if (first) return store(planes, stride, i, more);
        const Sums old = load(planes, stride, i);
        const V one = hn::Set(D(), Real(1));
        store(planes, stride, i,
              {with(old.acceleration, one, more.acceleration), hn::Add(old.potential, more.potential),
               with(old.jerk, one, more.jerk)});
    }
    HWY_INLINE Row row(std::size_t i) const {
        const auto plane = [&](std::size_t c) { return hn::Load(D(), work_.row + c * work_.stride + i); };
        return {{{plane(0), plane(1), plane(2)}, plane(3), {plane(4), plane(5), plane(6)}}, load(part_, kMaxTile, i)};
    }

    /// Stores the column vector twice in succession, so that a load at lane t is the vector rotated by t.
    HWY_INLINE void open_ring(std::size_t j) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        for (std::size_t c = 0; c < kPlanes; ++c) {
            const V plane = hn::Load(d, work_.column + c * work_.stride + j);
            hn::Store(plane, d, ring_[c]), hn::Store(plane, d, ring_[c] + lanes);
        }
    }

    template <JerkReaction kReaction, class... Rows>
    HWY_INLINE void turn(Sums& reaction, Rows&... rows) const {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        const V softening2 = hn::Set(d, work_.softening2);
        const auto one_on = hn::SetTableIndices(d, next_);
        // Without reaction the vector interacts with itself; rotation 0, each body with itself, is skipped.
        for (std::size_t t = kReaction == JerkReaction::kNo ? 1 : 0; t < lanes; ++t) {
            const auto plane = [&](std::size_t c) { return hn::LoadU(d, ring_[c] + t); };
            const Body column{{plane(0), plane(1), plane(2)}, plane(3), {plane(4), plane(5), plane(6)}};
            (interact<kReaction>(d, column, softening2, rows, reaction), ...);
            if constexpr (kReaction == JerkReaction::kYes) {
                const auto on = [&](V& v) { v = hn::TableLookupLanes(v, one_on); };
                on(reaction.acceleration.x), on(reaction.acceleration.y), on(reaction.acceleration.z),
                    on(reaction.potential);
                on(reaction.jerk.x), on(reaction.jerk.y), on(reaction.jerk.z);
            }
        }
    }

    template <JerkReaction kReaction>
    static HWY_INLINE void interact(D d, const Body& column, V softening2, Row& row, Sums& reaction) {
        const Three<V> x = column.place - row.body.place, v = column.velocity - row.body.velocity;
        const MovingPair<V> pair = moving_pair(d, x, v, softening2);
        const V potential = hn::Mul(column.mass, pair.inverse), factor = hn::Mul(potential, pair.inverse2);
        row.sums = {with(row.sums.acceleration, factor, x), hn::Add(row.sums.potential, potential),
                    with(row.sums.jerk, factor, pair.turn)};
        if constexpr (kReaction == JerkReaction::kYes) {
            const V other = hn::Mul(row.body.mass, pair.inverse), back = hn::Mul(other, pair.inverse2);
            reaction = {without(reaction.acceleration, back, x), hn::Add(reaction.potential, other),
                        without(reaction.jerk, back, pair.turn)};
        }
    }

    const HalfTile<Real> work_;
    alignas(64) Index next_[kLanes];
    alignas(64) Real ring_[kPlanes][2 * kLanes];
    alignas(64) Real part_[kPlanes * kMaxTile];  // sums of the row tile
};

void jerk_tile_float(const HalfTile<float>& work) { JerkTilePair<float>(work).run(); }
void jerk_tile_double(const HalfTile<double>& work) { JerkTilePair<double>(work).run(); }

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(jerk_tile_float);
HWY_EXPORT(jerk_tile_double);

void half_jerk_tile(const HalfTile<float>& work) { HWY_DYNAMIC_DISPATCH(jerk_tile_float)(work); }
void half_jerk_tile(const HalfTile<double>& work) { HWY_DYNAMIC_DISPATCH(jerk_tile_double)(work); }

}  // namespace orrery
#endif
