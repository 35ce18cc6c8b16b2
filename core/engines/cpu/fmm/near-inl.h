// SPDX-License-Identifier: MIT
// Near field: interactions body by body (P2P). Compiled once per instruction set.
#if defined(ORRERY_CORE_ENGINES_CPU_FMM_NEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ENGINES_CPU_FMM_NEAR_INL_H_
#undef ORRERY_CORE_ENGINES_CPU_FMM_NEAR_INL_H_
#else
#define ORRERY_CORE_ENGINES_CPU_FMM_NEAR_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "core/engines/cpu/fmm/kernels.hpp"
#include "core/engines/cpu/inverse_cube-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Interactions of the bodies of a cell (columns) with rows: bodies of any other cells, concatenated so that vectors
/// are full however small those cells are. Columns are broadcast, two at a time; sums of rows go to and from the cache,
/// and reactions on columns stay in registers until all rows are processed.
template <class Real>
class NearField {
public:
    explicit NearField(const FmmView<Real>& view) : view_{view} {}

    void begin(BodySpan columns) { columns_ = columns; }
    void add_rows(BodySpan rows) {
        while (rows.count > 0) {
            const std::uint32_t part = std::min(rows.count, kRows - count_);
            copy({rows.first, part});
            rows.first += part, rows.count -= part;
            if (count_ == kRows || span_count_ == kSpans) evaluate<true>();
        }
    }
    void finish() {
        if (count_ > 0) evaluate<true>();
    }

    /// Interactions among the bodies of a cell.
    void alone(BodySpan bodies) {
        columns_ = bodies;
        for (std::uint32_t i = 0; i < bodies.count; i += kRows) {
            copy({bodies.first + i, std::min(kRows, bodies.count - i)});
            evaluate<false>();
        }
    }

    std::uint64_t pairs() const { return pairs_; }

private:
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    using Cube = InverseCube<D>;
    static constexpr std::uint32_t kRows = 512, kSpans = 128, kMostLanes = 64;

    struct Sums {
        V x, y, z, w;
    };
    template <Split kSplit>
    struct Column {
        Position<kSplit, V> at;
        V mass;
        Sums reaction;
    };

    bool softened() const { return view_.softening2 > kTouching<Real>; }

    /// Appends rows in whole vectors: the excess beyond their end is overwritten by the next rows.
    HWY_INLINE void copy(BodySpan rows) {
        const D d;
        const std::size_t planes = view_.split() ? 7 : 4;
        for (std::size_t k = 0; k < planes; ++k) {
            const Real* const from = view_.place[k] + rows.first;
            Real* const to = row_[k] + count_;
            for (std::size_t i = 0; i < rows.count; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
        }
        if (span_count_ > 0 && spans_[span_count_ - 1].first + spans_[span_count_ - 1].count == rows.first)
            spans_[span_count_ - 1].count += rows.count;
        else
            spans_[span_count_++] = rows;
        count_ += rows.count;
    }

    template <bool kMutual>
    void evaluate() {
        view_.potential ? evaluate_softened<kMutual, Potentials::kYes>()
                        : evaluate_softened<kMutual, Potentials::kNo>();
        pairs_ += (kMutual ? 2u : 1u) * std::uint64_t{count_} * columns_.count;
        count_ = 0, span_count_ = 0;
    }
    template <bool kMutual, Potentials kPotentials>
    void evaluate_softened() {
        softened() ? evaluate_split<kMutual, Softened::kYes, kPotentials>()
                   : evaluate_split<kMutual, Softened::kNo, kPotentials>();
    }
    template <bool kMutual, Softened kSoftened, Potentials kPotentials>
    void evaluate_split() {
        if constexpr (sizeof(Real) == sizeof(float))
            if (view_.split()) return evaluate_as<kMutual, kSoftened, kPotentials, Split::kYes>();
        evaluate_as<kMutual, kSoftened, kPotentials, Split::kNo>();
    }

    template <bool kMutual, Softened kSoftened, Potentials kPotentials, Split kSplit>
    void evaluate_as() {
        const D d;
        const std::size_t lanes = hn::Lanes(d), rows = (count_ + lanes - 1) / lanes * lanes;
        for (std::size_t i = count_; i < rows; ++i) {  // padding repeats the last row with mass 0 and is never read
            for (auto& plane : row_) plane[i] = plane[count_ - 1];
            row_[3][i] = 0;
        }
        for (auto& sum : sums_)
            for (std::size_t i = 0; i < rows; i += lanes) hn::Store(hn::Zero(d), d, sum + i);
        const V softening2 = hn::Set(d, view_.softening2);
        for (std::uint32_t j = 0; j < columns_.count; j += 2) {
            const bool both = j + 1 < columns_.count;
            Column<kSplit> a = column<kSplit>(columns_.first + j), b = column<kSplit>(columns_.first + j + both);
            if (!both) b.mass = hn::Zero(d);
            for (std::size_t i = 0; i < rows; i += lanes) {
                const auto load = [&](std::size_t plane) HWY_ATTR { return hn::Load(d, row_[plane] + i); };
                const Position<kSplit, V> row = position<kSplit>(load);
                const V mass = load(3);
                if constexpr (!kMutual && kPotentials == Potentials::kYes) {
                    // Here the rows are one span and are columns too: a body has no potential, m/ε, in its own field.
                    const std::uint32_t row_body = spans_[0].first + static_cast<std::uint32_t>(i);
                    a.mass = mass_beside(d, column_mass(j), columns_.first + j - row_body);
                    b.mass = both ? mass_beside(d, column_mass(j + 1), columns_.first + j + 1 - row_body) : b.mass;
                }
                Sums sums{hn::Load(d, sums_[0] + i), hn::Load(d, sums_[1] + i), hn::Load(d, sums_[2] + i),
                          kPotentials == Potentials::kYes ? hn::Load(d, sums_[3] + i) : hn::Zero(d)};
                add_pair<kMutual, kSoftened, kPotentials>(d, row, mass, a, softening2, sums);
                add_pair<kMutual, kSoftened, kPotentials>(d, row, mass, b, softening2, sums);
                hn::Store(sums.x, d, sums_[0] + i), hn::Store(sums.y, d, sums_[1] + i);
                hn::Store(sums.z, d, sums_[2] + i);
                if constexpr (kPotentials == Potentials::kYes) hn::Store(sums.w, d, sums_[3] + i);
            }
            if constexpr (kMutual) {
                add_reaction<kPotentials>(a.reaction, columns_.first + j);
                if (both) add_reaction<kPotentials>(b.reaction, columns_.first + j + 1);
            }
        }
        add_sums<kPotentials>();
    }

    Real column_mass(std::uint32_t j) const { return view_.place[3][columns_.first + j]; }
    /// The mass of a column body in every lane except that of the body itself.
    static HWY_INLINE V mass_beside(D d, Real mass, std::uint32_t lane) {
        const hn::RebindToUnsigned<D> di;
        const auto self = hn::Eq(hn::Iota(di, 0), hn::Set(di, static_cast<hwy::MakeUnsigned<Real>>(lane)));
        return hn::IfThenZeroElse(hn::RebindMask(d, self), hn::Set(d, mass));
    }

    template <Split kSplit, class Load>
    static HWY_INLINE Position<kSplit, V> position(const Load& load) {
        if constexpr (kSplit == Split::kYes)
            return {load(0), load(1), load(2), load(4), load(5), load(6)};
        else
            return {load(0), load(1), load(2)};
    }
    template <Split kSplit>
    HWY_INLINE Column<kSplit> column(std::size_t body) const {
        const D d;
        const auto load = [&](std::size_t plane) HWY_ATTR { return hn::Set(d, view_.place[plane][body]); };
        const V zero = hn::Zero(d);
        return {position<kSplit>(load), load(3), {zero, zero, zero, zero}};
    }

    /// Adds the acceleration of rows by a column and, if kMutual, of the column by the rows. These sums lack kScale. In
    /// the engine's units the cube of any distance fits a float.
    template <bool kMutual, Softened kSoftened, Potentials kPotentials, Split kSplit>
    static HWY_INLINE void add_pair(D d, const Position<kSplit, V>& row, V mass, Column<kSplit>& column, V softening2,
                                    Sums& sums) {
        const auto [dx, dy, dz] = difference(column.at, row);
        const V distance2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::MulAdd(dz, dz, softening2)));
        const V y = root_of<kSoftened>(d, distance2), cube = hn::Mul(y, Cube::core(d, distance2, y));
        const V factor = hn::Mul(column.mass, cube);
        sums.x = hn::MulAdd(factor, dx, sums.x);
        sums.y = hn::MulAdd(factor, dy, sums.y);
        sums.z = hn::MulAdd(factor, dz, sums.z);
        V inverse = y;
        if constexpr (kPotentials == Potentials::kYes) {
            inverse = Cube::inverse(d, distance2, y);
            sums.w = hn::MulAdd(column.mass, inverse, sums.w);
        }
        if constexpr (kMutual) {
            const V back = hn::Mul(mass, cube);
            column.reaction.x = hn::NegMulAdd(back, dx, column.reaction.x);
            column.reaction.y = hn::NegMulAdd(back, dy, column.reaction.y);
            column.reaction.z = hn::NegMulAdd(back, dz, column.reaction.z);
            if constexpr (kPotentials == Potentials::kYes)
                column.reaction.w = hn::MulAdd(mass, inverse, column.reaction.w);
        }
    }

    template <Potentials kPotentials>
    HWY_INLINE void add_reaction(const Sums& reaction, std::size_t body) const {
        const D d;
        constexpr auto scale = static_cast<Real>(Cube::kScale);
        view_.field[0][body] += scale * hn::GetLane(hn::SumOfLanes(d, reaction.x));
        view_.field[1][body] += scale * hn::GetLane(hn::SumOfLanes(d, reaction.y));
        view_.field[2][body] += scale * hn::GetLane(hn::SumOfLanes(d, reaction.z));
        if constexpr (kPotentials == Potentials::kYes)
            view_.field[3][body] += hn::GetLane(hn::SumOfLanes(d, reaction.w));
    }

    /// Scatters the sums of the rows back to their bodies.
    template <Potentials kPotentials>
    void add_sums() const {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        const V scale = hn::Set(d, static_cast<Real>(Cube::kScale)), one = hn::Set(d, Real(1));
        std::size_t at = 0;
        for (std::uint32_t s = 0; s < span_count_; ++s) {
            const BodySpan span = spans_[s];
            for (std::size_t k = 0; k < (kPotentials == Potentials::kYes ? 4 : 3); ++k) {
                for (std::size_t i = 0; i < span.count; i += lanes) {
                    Real* const to = view_.field[k] + span.first + i;
                    const V sum = hn::MulAdd(hn::LoadU(d, sums_[k] + at + i), k == 3 ? one : scale, hn::LoadU(d, to));
                    if (i + lanes <= span.count)
                        hn::StoreU(sum, d, to);
                    else
                        hn::BlendedStore(sum, hn::FirstN(d, span.count - i), d, to);
                }
            }
            at += span.count;
        }
    }

    const FmmView<Real>& view_;
    BodySpan columns_{};
    std::uint32_t count_ = 0, span_count_ = 0;
    std::uint64_t pairs_ = 0;
    BodySpan spans_[kSpans];
    HWY_ALIGN Real row_[7][kRows + kMostLanes];
    HWY_ALIGN Real sums_[4][kRows + kMostLanes];
};

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
