// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace orrery {

/// Gathers of(order[i]) of all i on every rank; rank r has those from ends[r − 1], or 0, up to ends[r]. Collective.
template <class T, class Of>
void gather_in_order(Ranks& ranks, std::span<const std::uint32_t> order, std::span<const std::size_t> ends,
                     const Of& of) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    std::vector<T> sorted(order.size());
    for (std::size_t i = rank > 0 ? ends[rank - 1] : 0; i < ends[rank]; ++i) sorted[i] = of(order[i]);
    gather(ranks, std::span{sorted}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
    for (std::size_t i = 0; i < sorted.size(); ++i) of(order[i]) = sorted[i];
}

}  // namespace orrery
