// SPDX-License-Identifier: MIT
#include "core/bodies/owned/part_rows.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/pool.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSamplesOfRank = 65536;

/// The order of bodies along the curve: cuts may lie between bodies with equal keys.
struct CurvePlace {
    std::uint64_t key, id;
    auto operator<=>(const CurvePlace&) const = default;
};
struct CurveEntry {
    std::uint64_t key;
    std::uint32_t at;
};

/// Bounding box of the bodies of all ranks; coordinates that are not finite are ignored.
template <class Real>
KeyGrid<double> grid_of_all(Ranks& ranks, const PartRows<Real>& rows) {
    struct Box {
        Vec3d low, high;
    };
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Box own{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    const auto widen = [](double x, double& low, double& high) {
        if (std::abs(x) < kFar) low = std::min(low, x), high = std::max(high, x);
    };
    for (const Vec4<Real>& at : rows.position_mass) {
        widen(at.x, own.low.x, own.high.x), widen(at.y, own.low.y, own.high.y), widen(at.z, own.low.z, own.high.z);
    }
    for (const Box& other : from_all(ranks, own)) {
        own.low = {std::min(own.low.x, other.low.x), std::min(own.low.y, other.low.y),
                   std::min(own.low.z, other.low.z)};
        own.high = {std::max(own.high.x, other.high.x), std::max(own.high.y, other.high.y),
                    std::max(own.high.z, other.high.z)};
    }
    const Vec3d sides = own.high - own.low;
    return key_grid(own.low, std::max({sides.x, sides.y, sides.z, 0.0}));
}

template <class T>
void permute(Pool& pool, std::span<const CurveEntry> order, std::vector<T>& column) {
    if (column.empty()) return;
    std::vector<T> sorted(column.size());
    for_each_in_blocks(pool, column.size(), [&](std::size_t i) { sorted[i] = column[order[i].at]; });
    column.swap(sorted);
}

template <class Real>
void permute(Pool& pool, std::span<const CurveEntry> order, PartRows<Real>& rows) {
    permute(pool, order, rows.position_mass), permute(pool, order, rows.velocity);
    permute(pool, order, rows.acceleration), permute(pool, order, rows.ids);
}

template <class Real>
std::vector<CurveEntry> keys_of(Pool& pool, const KeyGrid<double>& grid, const PartRows<Real>& rows) {
    std::vector<CurveEntry> keys(rows.count());
    for_each_in_blocks(pool, rows.count(), [&](std::size_t i) {
        const Vec4<Real>& at = rows.position_mass[i];
        keys[i] = {key_of(grid, Vec3d{double(at.x), double(at.y), double(at.z)}), static_cast<std::uint32_t>(i)};
    });
    return keys;
}

template <class Real>
void sort_along_curve(Pool& pool, const KeyGrid<double>& grid, PartRows<Real>& rows) {
    std::vector<CurveEntry> order = keys_of(pool, grid, rows);
    tbb::parallel_sort(order.begin(), order.end(), [&](const CurveEntry& a, const CurveEntry& b) {
        if (a.key != b.key) return a.key < b.key;
        return rows.ids[a.at] != rows.ids[b.at] ? rows.ids[a.at] < rows.ids[b.at] : a.at < b.at;
    });
    permute(pool, order, rows);
}

/// Groups the bodies by their owners, each group in the present order; returns the size of each group.
template <class Real>
std::vector<std::size_t> group_by_owner(Pool& pool, std::span<const CurveEntry> keys, std::span<const CurvePlace> cuts,
                                        PartRows<Real>& rows) {
    const auto owner = [&](std::size_t i) {
        return static_cast<std::size_t>(std::ranges::upper_bound(cuts, CurvePlace{keys[i].key, rows.ids[i]}) -
                                        cuts.begin());
    };
    auto blocks = by_blocks(pool, keys.size(), [&](std::size_t first, std::size_t last) {
        std::vector<std::size_t> counts(cuts.size() + 1);
        for (std::size_t i = first; i < last; ++i) ++counts[owner(i)];
        return counts;
    });
    std::vector<std::size_t> sizes(cuts.size() + 1);
    std::size_t end = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r)
        for (std::vector<std::size_t>& counts : blocks) {
            sizes[r] += counts[r];
            end += std::exchange(counts[r], end);  // now where the block's bodies of this owner begin
        }
    if (std::ranges::count(sizes, keys.size()) > 0) return sizes;  // all have the same owner
    std::vector<CurveEntry> order(keys.size());
    pool.parallel_for(0, blocks.size(), [&](std::uint64_t block) {
        const std::size_t last = std::min(keys.size(), (block + 1) * kBlockBodies);
        for (std::size_t i = block * kBlockBodies; i < last; ++i) order[blocks[block][owner(i)]++] = keys[i];
    });
    permute(pool, order, rows);
    return sizes;
}

/// The first place of each rank's interval but that of rank 0, from evenly chosen bodies of all ranks.
std::vector<CurvePlace> cuts_of(Ranks& ranks, std::span<const CurveEntry> order, std::span<const std::uint64_t> ids) {
    const std::size_t count = order.size(), samples = std::min(count, kSamplesOfRank);
    struct Sample {
        CurvePlace place;
        double weight;  // bodies that it stands for
    };
    std::vector<Sample> own(kSamplesOfRank, Sample{{~std::uint64_t{0}, ~std::uint64_t{0}}, 0});
    for (std::size_t k = 0; k < samples; ++k) {
        const std::size_t at = k * count / samples, next = (k + 1) * count / samples;
        own[k] = {{order[at].key, ids[at]}, static_cast<double>(next - at)};
    }
    std::vector<Sample> all = rows_of_all<Sample>(ranks, own);
    std::ranges::sort(all, {}, &Sample::place);
    const double bodies =
        std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const Sample& each) { return sum + each.weight; });
    std::vector<CurvePlace> cuts;
    double before = 0;
    for (const Sample& each : all) {
        while (static_cast<int>(cuts.size()) + 1 < ranks.count() && each.weight > 0 &&
               before >= bodies * static_cast<double>(cuts.size() + 1) / ranks.count())
            cuts.push_back(each.place);
        before += each.weight;
    }
    cuts.resize(static_cast<std::size_t>(ranks.count()) - 1, {~std::uint64_t{0}, ~std::uint64_t{0}});
    return cuts;
}

/// Moves the elements of a sorted column to their owners; `counts`: how many each rank sends to each.
template <class T>
void move_column(Ranks& ranks, std::span<const std::size_t> counts, std::vector<T>& column) {
    const auto all = static_cast<std::size_t>(ranks.count()), own = static_cast<std::size_t>(ranks.rank());
    std::vector<std::size_t> bytes(all * all);
    std::size_t begin = 0, received = 0;
    for (std::size_t from = 0; from < all; ++from)
        for (std::size_t to = 0; to < all; ++to)
            bytes[from * all + to] = from == to ? 0 : counts[from * all + to] * sizeof(T);
    for (std::size_t to = 0; to < own; ++to) begin += counts[own * all + to];
    for (std::size_t from = 0; from < all; ++from)
        if (from != own) received += counts[from * all + own];
    const std::size_t stay = counts[own * all + own];
    std::vector<T> kept(stay + received);
    std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(begin), stay, kept.begin());
    std::copy(column.begin() + static_cast<std::ptrdiff_t>(begin + stay), column.end(),
              column.begin() + static_cast<std::ptrdiff_t>(begin));
    exchange(ranks, std::as_bytes(std::span{column}.first(column.size() - stay)),
             std::as_writable_bytes(std::span{kept}.subspan(stay)), bytes);
    column.swap(kept);
}

}  // namespace

template <class Real>
void redistribute(Ranks& ranks, Pool& pool, PartRows<Real>& rows) {
    const KeyGrid<double> grid = grid_of_all(ranks, rows);
    std::vector<std::size_t> counts;
    {
        const std::vector<CurveEntry> keys = keys_of(pool, grid, rows);
        counts = group_by_owner(pool, keys, cuts_of(ranks, keys, rows.ids), rows);
    }
    const std::vector<std::size_t> all = rows_of_all<std::size_t>(ranks, counts);
    bool moved = false;
    for (std::size_t i = 0; i < all.size(); ++i)
        moved = moved || (i / counts.size() != i % counts.size() && all[i] > 0);
    if (moved) {
        const std::vector<std::uint8_t> accelerated = from_all<std::uint8_t>(ranks, rows.acceleration.empty() ? 0 : 1);
        move_column(ranks, all, rows.position_mass), move_column(ranks, all, rows.velocity);
        move_column(ranks, all, rows.ids);
        if (std::ranges::count(accelerated, 1) > 0) move_column(ranks, all, rows.acceleration);
    }
    sort_along_curve(pool, grid, rows);
}

/// Pairs of ranks exchange one after another, in the order of all ranks, so no two wait for each other.
void exchange(Ranks& ranks, std::span<const std::byte> sent, std::span<std::byte> received,
              std::span<const std::size_t> bytes) {
    const auto all = static_cast<std::size_t>(ranks.count()), own = static_cast<std::size_t>(ranks.rank());
    std::vector<std::size_t> send_at(all), receive_at(all);
    for (std::size_t r = 0, to = 0, from = 0; r < all; ++r) {
        send_at[r] = to, receive_at[r] = from;
        to += bytes[own * all + r], from += bytes[r * all + own];
    }
    const auto send = [&](std::size_t to) {
        if (const std::size_t size = bytes[own * all + to]; size > 0)
            ranks.send(sent.subspan(send_at[to], size), static_cast<int>(to));
    };
    const auto receive = [&](std::size_t from) {
        if (const std::size_t size = bytes[from * all + own]; size > 0)
            ranks.receive(received.subspan(receive_at[from], size), static_cast<int>(from));
    };
    // In round k a rank meets the one whose number adds up with its own to k, modulo the number of ranks.
    for (std::size_t round = 0; round < all; ++round) {
        const std::size_t other = (round + all - own) % all;
        if (other == own) continue;
        if (own < other)
            send(other), receive(other);
        else
            receive(other), send(other);
    }
}

template void redistribute(Ranks&, Pool&, PartRows<float>&);
template void redistribute(Ranks&, Pool&, PartRows<double>&);

}  // namespace orrery
