// SPDX-License-Identifier: MIT
// The CPU's pair loops, without and with jerks, compiled by Highway once per instruction set and dispatched at run
// time.
#include "core/engines/cpu/simd.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/direct/direct_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/inverse_cube-inl.h"
#include "core/engines/cpu/jerk-inl.h"
#include "core/engines/cpu/pair_law-inl.h"
#include "core/engines/cpu/tuning.hpp"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of row bodies and their sums stay in registers; each column body is broadcast against all of them.
template <class Real, Softened kSoftened, Potentials kPotentials, Split kSplit, PairLaw kLaw = PairLaw::kGravity>
struct Rows {
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    using Cube = InverseCube<D>;
    using At = Position<kSplit, V>;
    static constexpr bool kGravity = kLaw == PairLaw::kGravity;
    static constexpr std::size_t kSums = kPotentials == Potentials::kYes ? 4 : 3;
    static constexpr std::size_t kPlanes = kSplit == Split::kYes ? 6 : kGravity ? 3 : 4;
    /// With softening, the potential of a body in its own field is m/ε and must not enter the sum; its force is 0.
    static constexpr bool kMeetsItself = kGravity && kSoftened == Softened::kYes && kPotentials == Potentials::kYes;
    /// As many vectors of rows as fit into registers with their sums: AVX-512 has 32 registers.
    static constexpr std::size_t kVectors =
        HWY_TARGET <= HWY_AVX3 && kGravity && kPotentials == Potentials::kNo && kSplit == Split::kNo ? 4 : 2;
    struct Sums {
        V x, y, z, w;
    };
    struct Row {
        At at;
        V own;  ///< strength, for laws other than gravity
        Sums sums;
    };

    /// The mass of a column body in every lane except that of the body itself.
    static HWY_INLINE V mass_beside(D d, Real mass, std::uint64_t lane) {
        const auto iota = hn::Iota(hn::RebindToUnsigned<D>{}, 0);
        const auto self = hn::Eq(iota, hn::Set(hn::RebindToUnsigned<D>{}, static_cast<hwy::MakeUnsigned<Real>>(lane)));
        return hn::IfThenZeroElse(hn::RebindMask(d, self), hn::Set(d, mass));
    }

    static HWY_INLINE At column_at(D d, const DirectRows<Real>& work, std::uint64_t j) {
        const Vec4<Real>& body = work.bodies[j];
        if constexpr (kSplit == Split::kNo) {
            return {hn::Set(d, body.x), hn::Set(d, body.y), hn::Set(d, body.z)};
        } else {
            const Vec4<Real>& low = work.low[j];
            return {hn::Set(d, body.x), hn::Set(d, body.y), hn::Set(d, body.z),
                    hn::Set(d, low.x),  hn::Set(d, low.y),  hn::Set(d, low.z)};
        }
    }
    static HWY_INLINE Row row_at(D d, const Real (&planes)[kPlanes][kRowBlock], std::size_t i) {
        const V zero = hn::Zero(d);
        Row row{{hn::Load(d, planes[0] + i), hn::Load(d, planes[1] + i), hn::Load(d, planes[2] + i)},
                zero,
                {zero, zero, zero, zero}};
        if constexpr (kSplit == Split::kYes)
            row.at.low_x = hn::Load(d, planes[3] + i), row.at.low_y = hn::Load(d, planes[4] + i),
            row.at.low_z = hn::Load(d, planes[5] + i);
        if constexpr (!kGravity) row.own = hn::Load(d, planes[3] + i);
        return row;
    }

    static HWY_INLINE void add(D d, const At& other, V mass, V softening2, const At& self, Sums& sums) {
        const auto [dx, dy, dz] = difference(other, self);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V root = root_of<kSoftened>(d, distance2);
        const V factor = pair_factor(mass, root, Cube::core(d, distance2, root));
        sums.x = hn::MulAdd(factor, dx, sums.x);
        sums.y = hn::MulAdd(factor, dy, sums.y);
        sums.z = hn::MulAdd(factor, dz, sums.z);
        if constexpr (kPotentials == Potentials::kYes)
            sums.w = hn::MulAdd(mass, Cube::inverse(d, distance2, root), sums.w);
    }

    static HWY_INLINE void add(D d, const LawOf<D, kLaw>& law, const At& other, V strength, const At& self, V own,
                               Sums& sums) {
        const auto [dx, dy, dz] = difference(other, self);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
        auto [pull, depth] = law(d, distance2, own, strength);
        if constexpr (kLaw == PairLaw::kSpline) pull = hn::Mul(strength, pull), depth = hn::Mul(strength, depth);
        sums.x = hn::MulAdd(pull, dx, sums.x);
        sums.y = hn::MulAdd(pull, dy, sums.y);
        sums.z = hn::MulAdd(pull, dz, sums.z);
        if constexpr (kPotentials == Potentials::kYes) sums.w = hn::Add(sums.w, depth);
    }

    /// Adds the pulls of columns [column, end) on vectors of rows, which begin at row `i` of the block.
    template <class... Each>
    static HWY_INLINE void pull(D d, const DirectRows<Real>& work, const LawOf<D, kLaw>& law, std::uint64_t column,
                                std::uint64_t end, std::size_t i, Each&... rows) {
        const std::size_t lanes = hn::Lanes(d);
        const V softening2 = hn::Set(d, work.softening2);
        const std::uint64_t self = work.row + i;  // first of the columns that are these rows themselves
        std::uint64_t stop = kMeetsItself ? std::clamp(self, column, end) : end;
        for (std::uint64_t j = column;; stop = end) {
            for (; j < stop; ++j) {
                const At other = column_at(d, work, j);
                const V mass = hn::Set(d, work.bodies[j].w);
                if constexpr (kGravity)
                    (add(d, other, mass, softening2, rows.at, rows.sums), ...);
                else
                    (add(d, law, other, mass, rows.at, rows.own, rows.sums), ...);
            }
            if (j == end) break;
            if constexpr (kMeetsItself) {
                for (; j < std::min(self + kVectors * lanes, end); ++j) {
                    const At other = column_at(d, work, j);
                    std::uint64_t lane = j - self;
                    ((add(d, other, mass_beside(d, work.bodies[j].w, lane), softening2, rows.at, rows.sums),
                      lane -= lanes),
                     ...);
                }
            }
        }
    }

    template <class... Each>
    static HWY_INLINE void keep(D d, Real (&part)[4][kRowBlock], std::size_t i, const Each&... rows) {
        const auto one = [&](const Sums& sums) {
            hn::Store(sums.x, d, part[0] + i), hn::Store(sums.y, d, part[1] + i), hn::Store(sums.z, d, part[2] + i);
            if constexpr (kPotentials == Potentials::kYes) hn::Store(sums.w, d, part[3] + i);
            i += hn::Lanes(d);
        };
        (one(rows.sums), ...);
    }

    static void run(const DirectRows<Real>& work) {
        const D d;
        const std::size_t lanes = hn::Lanes(d), block = kVectors * lanes;
        HWY_ALIGN Real place[kPlanes][kRowBlock];
        HWY_ALIGN Real part[4][kRowBlock] = {};
        HWY_ALIGN double total[4][kRowBlock];
        const std::size_t rows = work.row_end - work.row;
        for (std::size_t i = 0; i < kRowBlock; ++i) {  // padding rows repeat the last one and are never read
            const std::uint64_t at = work.row + std::min(i, rows - 1);
            const Vec4<Real> body = work.bodies[at];
            place[0][i] = body.x, place[1][i] = body.y, place[2][i] = body.z;
            if constexpr (kSplit == Split::kYes)
                place[3][i] = work.low[at].x, place[4][i] = work.low[at].y, place[5][i] = work.low[at].z;
            if constexpr (!kGravity) place[3][i] = body.w;
            const Vec4d sum = work.first_column == 0 ? Vec4d{} : work.sums[at];
            total[0][i] = sum.x, total[1][i] = sum.y, total[2][i] = sum.z, total[3][i] = sum.w;
        }
        const LawOf<D, kLaw> law{d, work.constants};
        std::uint64_t column = work.first_column;
        for (const std::uint64_t end : work.ends) {
            for (std::size_t i = 0; i < rows; i += block) {
                const auto row = [&](std::size_t vector) { return row_at(d, place, i + vector * lanes); };
                if constexpr (kVectors == 4) {
                    Row a = row(0), b = row(1), c = row(2), e = row(3);
                    pull(d, work, law, column, end, i, a, b, c, e);
                    keep(d, part, i, a, b, c, e);
                } else {
                    Row a = row(0), b = row(1);
                    pull(d, work, law, column, end, i, a, b);
                    keep(d, part, i, a, b);
                }
            }
            for (std::size_t c = 0; c < kSums; ++c)
                for (std::size_t i = 0; i < kRowBlock; ++i) total[c][i] += part[c][i];
            column = end;
        }
        for (std::size_t i = 0; i < rows; ++i) {
            const Vec4d sum{total[0][i], total[1][i], total[2][i], total[3][i]};
            const std::uint64_t at = work.row + i;
            if (work.finish)
                work.acceleration[at] = finished(work, at, convert<Real>(sum));
            else
                work.sums[at] = sum;
        }
    }

    static Vec4<Real> finished(const DirectRows<Real>& work, std::uint64_t row, const Vec4<Real>& sum) {
        Real scale = work.scale * Real(Cube::kScale), depth = work.scale;
        if constexpr (!kGravity) scale = depth = scale_of(kLaw, work.scale, work.masses[row].w);
        return {scale * sum.x, scale * sum.y, scale * sum.z, -depth * sum.w};
    }
};

template <class Real, Split kSplit>
void run_rows(const DirectRows<Real>& work) {
    using enum Softened;
    if (kSplit == Split::kNo && work.law != PairLaw::kGravity)
        return with_law(work.law, [&]<PairLaw kLaw>() {
            work.potential ? Rows<Real, kNo, Potentials::kYes, Split::kNo, kLaw>::run(work)
                           : Rows<Real, kNo, Potentials::kNo, Split::kNo, kLaw>::run(work);
        });
    const bool softened = work.softening2 > kTouching<Real>;
    if (work.potential)
        softened ? Rows<Real, kYes, Potentials::kYes, kSplit>::run(work)
                 : Rows<Real, kNo, Potentials::kYes, kSplit>::run(work);
    else
        softened ? Rows<Real, kYes, Potentials::kNo, kSplit>::run(work)
                 : Rows<Real, kNo, Potentials::kNo, kSplit>::run(work);
}

void rows_float(const DirectRows<float>& work) { run_rows<float, Split::kNo>(work); }
void rows_split(const DirectRows<float>& work) { run_rows<float, Split::kYes>(work); }
void rows_double(const DirectRows<double>& work) { run_rows<double, Split::kNo>(work); }
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

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

    /// In double precision, where these digits do not matter, runs are longer and added without them.
    static constexpr bool kExact = std::is_same_v<Real, double>;
    static std::uint64_t run_of(std::uint64_t columns) {
        return kExact ? cpu::kDirectChunk : columns <= kOneRun ? kOneRun : kRun;
    }

    /// A sum and what its additions have lost so far (Knuth 1969, 4.2.2).
    struct Total {
        V sum, lost;

        HWY_INLINE void add(V part) {
            if constexpr (kExact) {
                sum = hn::Add(sum, part);
                return;
            }
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
            const std::uint64_t run = run_of(work.columns);
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

HWY_EXPORT(rows_float);
HWY_EXPORT(rows_split);
HWY_EXPORT(rows_double);
HWY_EXPORT(target_name);
HWY_EXPORT(jerk_float);
HWY_EXPORT(jerk_double);

void direct_rows(const DirectRows<float>& work) {
    work.low ? HWY_DYNAMIC_DISPATCH(rows_split)(work) : HWY_DYNAMIC_DISPATCH(rows_float)(work);
}
void direct_rows(const DirectRows<double>& work) { HWY_DYNAMIC_DISPATCH(rows_double)(work); }
std::string_view simd_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

void jerk_rows(const JerkRows<float>& work) { HWY_DYNAMIC_DISPATCH(jerk_float)(work); }
void jerk_rows(const JerkRows<double>& work) { HWY_DYNAMIC_DISPATCH(jerk_double)(work); }

}  // namespace orrery
#endif
