// SPDX-License-Identifier: MIT
// The CPU's pair loop with jerks, compiled by Highway once per instruction set and dispatched at run time.
#include <algorithm>
#include <span>

#include "core/engines/cpu/simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/direct/jerk_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/jerk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector of row bodies and their sums stay in registers; each column body is broadcast against it.
template <class Real>
struct JerkLoop {
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    struct Sums {
        Three<V> acceleration, jerk;
        V potential;
    };

    static HWY_INLINE Three<V> broadcast(D d, const Vec4<Real>& v) {
        return {hn::Set(d, v.x), hn::Set(d, v.y), hn::Set(d, v.z)};
    }

    static HWY_INLINE void add(D d, const JerkRows<Real>& work, std::uint64_t j, V mass, const Three<V>& place,
                               const Three<V>& velocity, Sums& sums) {
        const Three<V> x = broadcast(d, work.bodies[j]) - place, v = broadcast(d, work.velocity[j]) - velocity;
        const MovingPair<V> pair = moving_pair(d, x, v, hn::Set(d, work.softening2));
        const V potential = hn::Mul(mass, pair.inverse);
        const V factor = hn::Mul(potential, pair.inverse2);
        sums = {with(sums.acceleration, factor, x), with(sums.jerk, factor, pair.turn),
                hn::Add(sums.potential, potential)};
    }

    /// The first column from `from` on that is one of the rows; `end` if there is none. It needs a mass of 0: a body
    /// has no potential, m/ε, in its own field.
    static std::uint64_t next_self(std::span<const std::uint32_t> rows, std::uint64_t from, std::uint64_t end) {
        for (const std::uint32_t row : rows)
            if (row >= from && row < end) end = row;
        return end;
    }

    /// A sum and what its additions have lost so far (Knuth 1969, 4.2.2).
    struct Total {
        V sum, lost;

        HWY_INLINE void add(V part) {
            const V next = hn::Add(sum, part), added = hn::Sub(next, sum);
            lost = hn::Add(lost, hn::Add(hn::Sub(sum, hn::Sub(next, added)), hn::Sub(part, added)));
            sum = next;
        }
    };

    static void run(const JerkRows<Real>& work) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        HWY_ALIGN Real row[6][hn::MaxLanes(D{})], out[7][hn::MaxLanes(D{})], mass[hn::MaxLanes(D{})];
        for (std::size_t first = 0; first < work.row_count; first += lanes) {
            const std::size_t rows = std::min(lanes, work.row_count - first);
            for (std::size_t i = 0; i < lanes; ++i) {  // padding lanes repeat the last row and are never read
                const std::uint32_t at = work.rows[first + std::min(i, rows - 1)];
                const Vec4<Real>&x = work.bodies[at], &v = work.velocity[at];
                row[0][i] = x.x, row[1][i] = x.y, row[2][i] = x.z, row[3][i] = v.x, row[4][i] = v.y, row[5][i] = v.z;
            }
            const Three<V> place{hn::Load(d, row[0]), hn::Load(d, row[1]), hn::Load(d, row[2])};
            const Three<V> velocity{hn::Load(d, row[3]), hn::Load(d, row[4]), hn::Load(d, row[5])};
            const V zero = hn::Zero(d);
            const Sums none{{zero, zero, zero}, {zero, zero, zero}, zero};
            Total total[7];
            for (Total& each : total) each = {zero, zero};
            const std::span<const std::uint32_t> selves{work.rows + first, rows};
            const std::uint64_t run = work.columns <= kOneRun ? kOneRun : kRun;
            for (std::uint64_t column = 0; column < work.columns; column += run) {
                Sums part = none;
                const std::uint64_t end = std::min(column + run, work.columns);
                for (std::uint64_t j = column; j < end; ++j) {
                    const std::uint64_t self = next_self(selves, j, end);
                    for (; j < self; ++j) add(d, work, j, hn::Set(d, work.bodies[j].w), place, velocity, part);
                    if (self == end) break;
                    for (std::size_t i = 0; i < lanes; ++i)
                        mass[i] = i < rows && selves[i] == self ? Real(0) : work.bodies[self].w;
                    add(d, work, self, hn::Load(d, mass), place, velocity, part);
                }
                const V parts[]{part.acceleration.x, part.acceleration.y, part.acceleration.z, part.jerk.x,
                                part.jerk.y,         part.jerk.z,         part.potential};
                for (std::size_t c = 0; c < 7; ++c) total[c].add(parts[c]);
            }
            for (std::size_t c = 0; c < 7; ++c) hn::Store(hn::Add(total[c].sum, total[c].lost), d, out[c]);
            for (std::size_t i = 0; i < rows; ++i) store(work, work.rows[first + i], out, i);
        }
    }

    static void store(const JerkRows<Real>& work, std::uint32_t at, const Real (&out)[7][hn::MaxLanes(D{})],
                      std::size_t lane) {
        const Real g = work.constant;
        work.acceleration[at] = {g * out[0][lane], g * out[1][lane], g * out[2][lane], -g * out[6][lane]};
        work.jerk[at] = {g * out[3][lane], g * out[4][lane], g * out[5][lane], 0};
    }
};

void jerk_float(const JerkRows<float>& work) { JerkLoop<float>::run(work); }
void jerk_double(const JerkRows<double>& work) { JerkLoop<double>::run(work); }

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(jerk_float);
HWY_EXPORT(jerk_double);

void jerk_rows(const JerkRows<float>& work) { HWY_DYNAMIC_DISPATCH(jerk_float)(work); }
void jerk_rows(const JerkRows<double>& work) { HWY_DYNAMIC_DISPATCH(jerk_double)(work); }

}  // namespace orrery
#endif
