// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/vec.hpp"
#include "core/ranks/ranks.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {

class Pool;

/// One rank's bodies on the host.
template <class Real>
struct PartRows {
    std::vector<Vec4<Real>> position_mass, velocity;
    std::vector<Vec4<Real>> acceleration;  ///< empty: all zero
    std::vector<std::uint64_t> ids;

    std::size_t count() const { return position_mass.size(); }
};

/// The order of bodies along the curve: cuts may lie between bodies with equal keys.
struct CurvePlace {
    std::uint64_t key, id;
    auto operator<=>(const CurvePlace&) const = default;
};

/// Cuts the Hilbert curve into one interval per rank of nearly the same cost, moves each body to the rank that owns it,
/// and sorts the bodies of each rank along the curve, those with equal keys by id. `cost`: of a body of this rank,
/// relative to those of others. Either all ranks have accelerations or none. Collective; the result depends only on the
/// bodies, their costs and the ranks that had them.
template <class Real>
void redistribute(Ranks& ranks, Pool& pool, PartRows<Real>& rows, double cost = 1);

/// Moves and sorts bodies by ascending id: each rank then has a range of ids, and about as many bodies as the others.
/// Bits of ids beyond `mask` move with them. Accelerations stay behind. Collective.
template <class Real>
void sort_by_id(Ranks& ranks, Pool& pool, PartRows<Real>& rows, std::uint64_t mask);

// The steps of redistribute(), for bodies in other memory. Collective.

/// The grid of the bounding box of all ranks' bodies; `low` and `high` are the corners of this rank's box, infinite if
/// it has no bodies.
KeyGrid<double> grid_of_all(Ranks& ranks, Vec3d low, Vec3d high);
/// Body k · count / cut_samples(count) of a rank with `count` bodies is sample k.
std::size_t cut_samples(std::size_t count);
/// The first place of each rank's interval but that of rank 0, given the samples of this rank.
std::vector<CurvePlace> cuts_of(Ranks& ranks, std::span<const CurvePlace> samples, std::size_t count, double cost);
/// True if any rank sends a body to another; counts[P · s + r] is the number that rank s has for rank r.
bool any_moves(std::span<const std::size_t> counts, std::size_t ranks);

/// Exchanges stretches of bytes: sends bytes[P · s + r] bytes from rank s to rank r, where P is the number of ranks.
/// `sent` and `received` hold them in the order of ranks; a rank sends nothing to itself. All ranks have the whole
/// matrix. Collective.
void exchange(Ranks& ranks, std::span<const std::byte> sent, std::span<std::byte> received,
              std::span<const std::size_t> bytes);

/// The number that each rank contributes, in the order of ranks. Collective.
template <class T>
std::vector<T> from_all(Ranks& ranks, const T& own) {
    std::vector<T> all(static_cast<std::size_t>(ranks.count()));
    all[static_cast<std::size_t>(ranks.rank())] = own;
    gather_parts(ranks, std::span{all}, all.size(), 1);
    return all;
}

/// The rows of a matrix that each rank contributes. Collective.
template <class T>
std::vector<T> rows_of_all(Ranks& ranks, std::span<const T> own) {
    const auto count = static_cast<std::size_t>(ranks.count());
    std::vector<T> all(count * own.size());
    std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(own.size()) * ranks.rank());
    gather(ranks, std::span{all}, [&](int r) { return (static_cast<std::size_t>(r) + 1) * own.size(); });
    return all;
}

/// The elements that each rank contributes, in the order of ranks. Collective.
template <class T>
std::vector<T> lists_of_all(Ranks& ranks, std::span<const T> own) {
    std::vector<std::size_t> ends = from_all<std::size_t>(ranks, own.size());
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<T> all(ends.back());
    const std::size_t end = ends[static_cast<std::size_t>(ranks.rank())];
    std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(end - own.size()));
    gather(ranks, std::span{all}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
    return all;
}

extern template void redistribute(Ranks&, Pool&, PartRows<float>&, double);
extern template void redistribute(Ranks&, Pool&, PartRows<double>&, double);
extern template void sort_by_id(Ranks&, Pool&, PartRows<float>&, std::uint64_t);
extern template void sort_by_id(Ranks&, Pool&, PartRows<double>&, std::uint64_t);

}  // namespace orrery
