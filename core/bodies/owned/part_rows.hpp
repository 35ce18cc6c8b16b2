// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/vec.hpp"
#include "core/ranks/ranks.hpp"

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

/// Cuts the Hilbert curve into one interval per rank with nearly the same number of bodies, moves each body to the
/// rank that owns it, and sorts the bodies of each rank along the curve, those with equal keys by id. Either all ranks
/// have accelerations or none. Collective; the result depends only on the bodies and on the ranks that had them.
template <class Real>
void redistribute(Ranks& ranks, Pool& pool, PartRows<Real>& rows);

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

extern template void redistribute(Ranks&, Pool&, PartRows<float>&);
extern template void redistribute(Ranks&, Pool&, PartRows<double>&);

}  // namespace orrery
