// SPDX-License-Identifier: MIT
// One pair of tiles of the half matrix, without and with jerks, compiled by Highway once per instruction set and
// dispatched at run time.
#include "core/engines/cpu/half/simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/half/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/inverse_cube-inl.h"
#include "core/engines/cpu/jerk-inl.h"
#include "core/engines/cpu/pair_law-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How m · D^(-3/2) is computed for both sides. kAny: m·y for each mass, times the remaining factor; valid at any
/// distance. kNear: each mass times the cube, where float can represent it. kEqual: only the cube; the sums are
/// multiplied by the common mass at the end.
enum class Form { kAny, kNear, kEqual };
enum class Reaction { kNo, kYes };

/// Vectors of row bodies and their sums stay in registers. A vector of column bodies rotates past them one lane at a
/// time, together with the reactions accumulated so far; after a full rotation the reactions are back in their lanes,
/// so that no sum is ever taken across lanes.
template <class Real, Softened kSoftened, Potentials kPotentials, Form kForm, Split kSplit,
          PairLaw kLaw = PairLaw::kGravity>
class TilePair {
    using D = hn::CappedTag<Real, 64 / sizeof(Real)>;
    using V = hn::Vec<D>;
    using Cube = InverseCube<D>;
    using Index = hwy::MakeSigned<Real>;
    static_assert(kHalfScale<Real> == Cube::kScale);
    static constexpr std::size_t kLanes = 64 / sizeof(Real);  // upper bound
    static constexpr std::size_t kPlanes = kPotentials == Potentials::kYes ? 4 : 3;
    static constexpr std::size_t kBodyPlanes = kSplit == Split::kYes ? 7 : 4;

    struct Sums {
        V x, y, z, w;
    };
    struct Bodies {
        Position<kSplit, V> at;
        V mass;
    };
    struct Row {
        Bodies bodies;
        Sums sums;
    };

public:
    explicit TilePair(const HalfTile<Real>& work) : work_{work} {
        const std::size_t lanes = hn::Lanes(D());
        for (std::size_t i = 0; i < lanes; ++i) next_[i] = static_cast<Index>((i + 1) % lanes);
    }

    void run() {
        const std::size_t lanes = hn::Lanes(D());
        const std::size_t rows = (work_.rows + lanes - 1) / lanes * lanes;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t c = 0; c < kPlanes; ++c) part_[c][i] = 0;
        const std::size_t vectors = (work_.columns + lanes - 1) / lanes;
        for (std::size_t v = 1; v <= vectors; ++v) {
            const std::size_t j = (work_.last / lanes + v) % vectors * lanes;
            open_ring(j);
            if (work_.diagonal) {  // the vector with itself, without reaction; it has already interacted with earlier
                                   // vectors
                Sums none = zero();
                Row self = row(j);
                turn<Reaction::kNo>(none, self);
                keep(j, self);
            }
            Sums reaction = zero();
            std::size_t i = work_.diagonal ? j + lanes : 0;
            for (; i + 4 * lanes <= rows; i += 4 * lanes) {
                Row a = row(i), b = row(i + lanes), c = row(i + 2 * lanes), e = row(i + 3 * lanes);
                turn<Reaction::kYes>(reaction, a, b, c, e);
                keep(i, a), keep(i + lanes, b), keep(i + 2 * lanes, c), keep(i + 3 * lanes, e);
            }
            for (; i < rows; i += lanes) {
                Row a = row(i);
                turn<Reaction::kYes>(reaction, a);
                keep(i, a);
            }
            if (work_.diagonal)
                add(part_[0], part_[1], part_[2], part_[3], j, false, reaction);
            else
                add_to(work_.column_sum, j, work_.column_first, weighed(reaction));
        }
        for (std::size_t i = 0; i < rows; i += lanes) add_to(work_.row_sum, i, work_.row_first, weighed(row(i).sums));
    }

private:
    static HWY_INLINE Sums zero() {
        const V none = hn::Zero(D());
        return {none, none, none, none};
    }
    /// `load(plane)` returns a vector of that plane.
    template <class Load>
    static HWY_INLINE Bodies bodies_at(const Load& load) {
        if constexpr (kSplit == Split::kYes)
            return {{load(0), load(1), load(2), load(4), load(5), load(6)}, load(3)};
        else
            return {{load(0), load(1), load(2)}, load(3)};
    }
    HWY_INLINE Row row(std::size_t i) const {
        const D d;
        const Real* at = work_.row + i;
        const std::size_t n = work_.stride;
        V w = hn::Zero(d);
        if constexpr (kPotentials == Potentials::kYes) w = hn::Load(d, part_[3] + i);
        return {bodies_at([&](std::size_t plane) { return hn::Load(d, at + plane * n); }),
                {hn::Load(d, part_[0] + i), hn::Load(d, part_[1] + i), hn::Load(d, part_[2] + i), w}};
    }
    HWY_INLINE void keep(std::size_t i, const Row& row) {
        const D d;
        hn::Store(row.sums.x, d, part_[0] + i);
        hn::Store(row.sums.y, d, part_[1] + i);
        hn::Store(row.sums.z, d, part_[2] + i);
        if constexpr (kPotentials == Potentials::kYes) hn::Store(row.sums.w, d, part_[3] + i);
    }
    HWY_INLINE Sums weighed(const Sums& sums) const {
        if constexpr (kForm != Form::kEqual) return sums;
        const V mass = hn::Set(D(), work_.row[3 * work_.stride]);
        return {hn::Mul(mass, sums.x), hn::Mul(mass, sums.y), hn::Mul(mass, sums.z), hn::Mul(mass, sums.w)};
    }
    HWY_INLINE void add_to(Real* sum, std::size_t i, bool first, const Sums& more) const {
        add(sum, sum + work_.stride, sum + 2 * work_.stride, sum + 3 * work_.stride, i, first, more);
    }
    static HWY_INLINE void add(Real* x, Real* y, Real* z, Real* w, std::size_t i, bool first, const Sums& more) {
        const D d;
        const Sums old = first ? zero() : Sums{hn::Load(d, x + i), hn::Load(d, y + i), hn::Load(d, z + i), more.w};
        hn::Store(hn::Add(old.x, more.x), d, x + i);
        hn::Store(hn::Add(old.y, more.y), d, y + i);
        hn::Store(hn::Add(old.z, more.z), d, z + i);
        if constexpr (kPotentials == Potentials::kYes)
            hn::Store(first ? more.w : hn::Add(hn::Load(d, w + i), more.w), d, w + i);
    }

    /// Stores the column vector twice in succession, so that a load at lane t is the vector rotated by t.
    HWY_INLINE void open_ring(std::size_t j) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        for (std::size_t c = 0; c < kBodyPlanes; ++c) {
            const V plane = hn::Load(d, work_.column + c * work_.stride + j);
            hn::Store(plane, d, ring_[c]), hn::Store(plane, d, ring_[c] + lanes);
        }
    }

    template <Reaction kReaction, class... Rows>
    HWY_INLINE void turn(Sums& reaction, Rows&... rows) const {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        const V softening2 = hn::Set(d, work_.softening2);
        const LawOf<D, kLaw> law{d, work_.constants};
        const auto one_on = hn::SetTableIndices(d, next_);
        // Without reaction the vector interacts with itself; rotation 0, each body with itself, is skipped.
        for (std::size_t t = kReaction == Reaction::kNo ? 1 : 0; t < lanes; ++t) {
            const Bodies column = bodies_at([&](std::size_t plane) { return hn::LoadU(d, ring_[plane] + t); });
            if constexpr (kLaw == PairLaw::kGravity)
                (interact<kReaction>(d, column, softening2, rows, reaction), ...);
            else
                (interact<kReaction>(d, column, law, rows, reaction), ...);
            if constexpr (kReaction == Reaction::kYes) {
                reaction.x = hn::TableLookupLanes(reaction.x, one_on);
                reaction.y = hn::TableLookupLanes(reaction.y, one_on);
                reaction.z = hn::TableLookupLanes(reaction.z, one_on);
                if constexpr (kPotentials == Potentials::kYes) reaction.w = hn::TableLookupLanes(reaction.w, one_on);
            }
        }
    }

    template <Reaction kReaction>
    static HWY_INLINE void interact(D d, const Bodies& column, const LawOf<D, kLaw>& law, Row& row, Sums& reaction) {
        const auto [dx, dy, dz] = difference(column.at, row.bodies.at);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
        const PairTerms<V> term = law(d, distance2, row.bodies.mass, column.mass);
        PairTerms<V> act = term, react = term;
        if constexpr (kLaw == PairLaw::kSpline) {
            act = {hn::Mul(column.mass, term.pull), hn::Mul(column.mass, term.depth)};
            react = {hn::Mul(row.bodies.mass, term.pull), hn::Mul(row.bodies.mass, term.depth)};
        }
        row.sums.x = hn::MulAdd(act.pull, dx, row.sums.x);
        row.sums.y = hn::MulAdd(act.pull, dy, row.sums.y);
        row.sums.z = hn::MulAdd(act.pull, dz, row.sums.z);
        if constexpr (kPotentials == Potentials::kYes) row.sums.w = hn::Add(row.sums.w, act.depth);
        if constexpr (kReaction == Reaction::kYes) {
            reaction.x = hn::NegMulAdd(react.pull, dx, reaction.x);
            reaction.y = hn::NegMulAdd(react.pull, dy, reaction.y);
            reaction.z = hn::NegMulAdd(react.pull, dz, reaction.z);
            if constexpr (kPotentials == Potentials::kYes) reaction.w = hn::Add(reaction.w, react.depth);
        }
    }

    template <Reaction kReaction>
    static HWY_INLINE void interact(D d, const Bodies& column, V softening2, Row& row, Sums& reaction) {
        const auto [dx, dy, dz] = difference(column.at, row.bodies.at);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V root = root_of<kSoftened>(d, distance2), core = Cube::core(d, distance2, root);
        V factor = hn::Mul(root, core), back = factor;
        if constexpr (kForm == Form::kNear)
            factor = hn::Mul(column.mass, factor), back = hn::Mul(row.bodies.mass, back);
        if constexpr (kForm == Form::kAny)
            factor = pair_factor(column.mass, root, core), back = pair_factor(row.bodies.mass, root, core);
        row.sums.x = hn::MulAdd(factor, dx, row.sums.x);
        row.sums.y = hn::MulAdd(factor, dy, row.sums.y);
        row.sums.z = hn::MulAdd(factor, dz, row.sums.z);
        if constexpr (kReaction == Reaction::kYes) {
            reaction.x = hn::NegMulAdd(back, dx, reaction.x);
            reaction.y = hn::NegMulAdd(back, dy, reaction.y);
            reaction.z = hn::NegMulAdd(back, dz, reaction.z);
        }
        if constexpr (kPotentials == Potentials::kYes) {
            const V inverse = Cube::inverse(d, distance2, root);
            const V one = hn::Set(d, Real(1));  // multiplied by the mass at the end
            const bool equal = kForm == Form::kEqual;
            row.sums.w = hn::MulAdd(equal ? one : column.mass, inverse, row.sums.w);
            if constexpr (kReaction == Reaction::kYes)
                reaction.w = hn::MulAdd(equal ? one : row.bodies.mass, inverse, reaction.w);
        }
    }

    const HalfTile<Real> work_;
    alignas(64) Index next_[kLanes];
    alignas(64) Real ring_[kBodyPlanes][2 * kLanes];
    alignas(64) Real part_[4][kMaxTile];  // sums of the row tile
};

template <class Real, Softened kSoftened, Potentials kPotentials, Split kSplit>
void run_form(const HalfTile<Real>& work) {
    if (work.equal_masses && work.near) return TilePair<Real, kSoftened, kPotentials, Form::kEqual, kSplit>(work).run();
    work.near ? TilePair<Real, kSoftened, kPotentials, Form::kNear, kSplit>(work).run()
              : TilePair<Real, kSoftened, kPotentials, Form::kAny, kSplit>(work).run();
}

template <class Real, Split kSplit>
void run_tile(const HalfTile<Real>& work) {
    using enum Softened;
    if (kSplit == Split::kNo && work.law != PairLaw::kGravity)
        return with_law(work.law, [&]<PairLaw kLaw>() {
            work.potential ? TilePair<Real, kNo, Potentials::kYes, Form::kAny, Split::kNo, kLaw>(work).run()
                           : TilePair<Real, kNo, Potentials::kNo, Form::kAny, Split::kNo, kLaw>(work).run();
        });
    const bool softened = work.softening2 > kTouching<Real>;
    if (work.potential)
        softened ? run_form<Real, kYes, Potentials::kYes, kSplit>(work)
                 : run_form<Real, kNo, Potentials::kYes, kSplit>(work);
    else
        softened ? run_form<Real, kYes, Potentials::kNo, kSplit>(work)
                 : run_form<Real, kNo, Potentials::kNo, kSplit>(work);
}

void tile_float(const HalfTile<float>& work) { run_tile<float, Split::kNo>(work); }
void tile_split(const HalfTile<float>& work) { run_tile<float, Split::kYes>(work); }
void tile_double(const HalfTile<double>& work) { run_tile<double, Split::kNo>(work); }

/// As TilePair: column bodies rotate past a vector of row bodies, together with the reactions that they
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
                turn<Reaction::kNo>(none, self);
                store(part_, kMaxTile, j, self.sums);
            }
            Sums reaction = zero();
            std::size_t i = work_.diagonal ? j + lanes : 0;
            for (; i + 2 * lanes <= rows; i += 2 * lanes) {
                Row a = row(i), b = row(i + lanes);
                turn<Reaction::kYes>(reaction, a, b);
                store(part_, kMaxTile, i, a.sums), store(part_, kMaxTile, i + lanes, b.sums);
            }
            for (; i < rows; i += lanes) {
                Row a = row(i);
                turn<Reaction::kYes>(reaction, a);
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

    template <Reaction kReaction, class... Rows>
    HWY_INLINE void turn(Sums& reaction, Rows&... rows) const {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        const V softening2 = hn::Set(d, work_.softening2);
        const auto one_on = hn::SetTableIndices(d, next_);
        // Without reaction the vector interacts with itself; rotation 0, each body with itself, is skipped.
        for (std::size_t t = kReaction == Reaction::kNo ? 1 : 0; t < lanes; ++t) {
            const auto plane = [&](std::size_t c) { return hn::LoadU(d, ring_[c] + t); };
            const Body column{{plane(0), plane(1), plane(2)}, plane(3), {plane(4), plane(5), plane(6)}};
            (interact<kReaction>(d, column, softening2, rows, reaction), ...);
            if constexpr (kReaction == Reaction::kYes) {
                const auto on = [&](V& v) { v = hn::TableLookupLanes(v, one_on); };
                on(reaction.acceleration.x), on(reaction.acceleration.y), on(reaction.acceleration.z),
                    on(reaction.potential);
                on(reaction.jerk.x), on(reaction.jerk.y), on(reaction.jerk.z);
            }
        }
    }

    template <Reaction kReaction>
    static HWY_INLINE void interact(D d, const Body& column, V softening2, Row& row, Sums& reaction) {
        const Three<V> x = column.place - row.body.place, v = column.velocity - row.body.velocity;
        const MovingPair<V> pair = moving_pair(d, x, v, softening2);
        const V potential = hn::Mul(column.mass, pair.inverse), factor = hn::Mul(potential, pair.inverse2);
        row.sums = {with(row.sums.acceleration, factor, x), hn::Add(row.sums.potential, potential),
                    with(row.sums.jerk, factor, pair.turn)};
        if constexpr (kReaction == Reaction::kYes) {
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

HWY_EXPORT(tile_float);
HWY_EXPORT(tile_split);
HWY_EXPORT(tile_double);
HWY_EXPORT(jerk_tile_float);
HWY_EXPORT(jerk_tile_double);

void half_tile(const HalfTile<float>& work) {
    work.split ? HWY_DYNAMIC_DISPATCH(tile_split)(work) : HWY_DYNAMIC_DISPATCH(tile_float)(work);
}
void half_tile(const HalfTile<double>& work) { HWY_DYNAMIC_DISPATCH(tile_double)(work); }

void half_jerk_tile(const HalfTile<float>& work) { HWY_DYNAMIC_DISPATCH(jerk_tile_float)(work); }
void half_jerk_tile(const HalfTile<double>& work) { HWY_DYNAMIC_DISPATCH(jerk_tile_double)(work); }

}  // namespace orrery
#endif
