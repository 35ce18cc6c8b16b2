// SPDX-License-Identifier: MIT
// The CPU's pair loop with jerks, compiled once per instruction set by Highway and chosen at run time.
#include <algorithm>

#include "core/engines/cpu/simd.hpp"
#include "core/physics/gravity.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/jerk_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector of row bodies and their sums stay in registers; each column body is broadcast to it. Roots are exact: what
/// asks for jerks steps by fourth order, and would see the error of an estimate.
template <class Real>
struct JerkLoop {
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    struct Three {
        V x, y, z;
    };
    struct Sums {
        Three pull, jerk;
        V potential;
    };
    static constexpr std::uint64_t kChunk = 2048;  // columns summed apart, against rounding

    static HWY_INLINE V dot(Three a, Three b) { return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z))); }
    static HWY_INLINE void add_scaled(Three& sum, V factor, Three v) {
        sum = {hn::MulAdd(factor, v.x, sum.x), hn::MulAdd(factor, v.y, sum.y), hn::MulAdd(factor, v.z, sum.z)};
    }
    static HWY_INLINE Three from(D d, const Vec4<Real>& body, Three row) {
        return {hn::Sub(hn::Set(d, body.x), row.x), hn::Sub(hn::Set(d, body.y), row.y),
                hn::Sub(hn::Set(d, body.z), row.z)};
    }

    /// m x/D^(3/2) and its derivative m (v - 3 (x·v)/D x)/D^(3/2), with D = x² + ε²; nothing where D is 0.
    static HWY_INLINE void add(D d, const JerkRows<Real>& work, std::uint64_t j, Three place, Three velocity,
                               Sums& sums) {
        const Three x = from(d, work.bodies[j], place), v = from(d, work.velocity[j], velocity);
        const V distance2 = hn::Add(dot(x, x), hn::Set(d, work.softening2));
        const V touching = hn::Set(d, kTouching<Real>);
        const V inverse = hn::IfThenElseZero(hn::Gt(distance2, touching),
                                             hn::Div(hn::Set(d, Real(1)), hn::Sqrt(hn::Max(distance2, touching))));
        const V inverse2 = hn::Mul(inverse, inverse), potential = hn::Mul(hn::Set(d, work.bodies[j].w), inverse);
        const V pull = hn::Mul(potential, inverse2);
        const V turn = hn::Mul(hn::Mul(hn::Set(d, Real(-3)), inverse2), hn::Mul(dot(x, v), pull));
        add_scaled(sums.pull, pull, x);
        add_scaled(sums.jerk, pull, v);
        add_scaled(sums.jerk, turn, x);
        sums.potential = hn::Add(sums.potential, potential);
    }

    static void add_all(V& total, V part) { total = hn::Add(total, part); }
    static void add_all(Three& total, const Three& part) {
        add_all(total.x, part.x), add_all(total.y, part.y), add_all(total.z, part.z);
    }

    static void run(const JerkRows<Real>& work) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        HWY_ALIGN Real row[6][hn::MaxLanes(D{})], out[7][hn::MaxLanes(D{})];
        for (std::size_t first = 0; first < work.row_count; first += lanes) {
            const std::size_t rows = std::min(lanes, work.row_count - first);
            for (std::size_t i = 0; i < lanes; ++i) {  // lanes beyond the end repeat the last row; nobody reads them
                const std::uint32_t at = work.rows[first + std::min(i, rows - 1)];
                const Vec4<Real>&x = work.bodies[at], &v = work.velocity[at];
                row[0][i] = x.x, row[1][i] = x.y, row[2][i] = x.z, row[3][i] = v.x, row[4][i] = v.y, row[5][i] = v.z;
            }
            const Three place{hn::Load(d, row[0]), hn::Load(d, row[1]), hn::Load(d, row[2])};
            const Three velocity{hn::Load(d, row[3]), hn::Load(d, row[4]), hn::Load(d, row[5])};
            const V zero = hn::Zero(d);
            const Sums none{{zero, zero, zero}, {zero, zero, zero}, zero};
            Sums total = none;
            for (std::uint64_t column = 0; column < work.columns; column += kChunk) {
                Sums part = none;
                for (std::uint64_t j = column; j < std::min(column + kChunk, work.columns); ++j)
                    add(d, work, j, place, velocity, part);
                add_all(total.pull, part.pull), add_all(total.jerk, part.jerk);
                add_all(total.potential, part.potential);
            }
            const V sums[]{total.pull.x, total.pull.y, total.pull.z,   total.jerk.x,
                           total.jerk.y, total.jerk.z, total.potential};
            for (std::size_t c = 0; c < 7; ++c) hn::Store(sums[c], d, out[c]);
            for (std::size_t i = 0; i < rows; ++i) store(work, work.rows[first + i], out, i);
        }
    }

    static void store(const JerkRows<Real>& work, std::uint32_t at, const Real (&out)[7][hn::MaxLanes(D{})],
                      std::size_t lane) {
        // The body met itself too, at 1/ε.
        const Real own = work.softening2 > kTouching<Real> ? work.bodies[at].w / std::sqrt(work.softening2) : Real(0);
        const Real g = work.constant;
        work.acceleration[at] = {g * out[0][lane], g * out[1][lane], g * out[2][lane], -g * (out[6][lane] - own)};
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
