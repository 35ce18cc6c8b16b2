// SPDX-License-Identifier: MIT
#include "core/bodies/owned/part_rows.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/pool.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSamplesOfRank = 65536;

struct CurveEntry {
    std::uint64_t key;
    std::uint32_t at;
};

constexpr double kFar = std::numeric_limits<double>::infinity();

struct Box {
    Vec3d low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};

    void add(Vec3d least, Vec3d most) {
        low = {std::min(low.x, least.x), std::min(low.y, least.y), std::min(low.z, least.z)};
        high = {std::max(high.x, most.x), std::max(high.y, most.y), std::max(high.z, most.z)};
    }
};

/// Coordinates that are not finite are ignored.
template <class Real>
Box box_of(Pool& pool, const PartRows<Real>& rows) {
    const auto widen = [](double x, double& low, double& high) {
        if (std::abs(x) < kFar) low = std::min(low, x), high = std::max(high, x);
    };
    Box all;
    for (const Box& part : by_blocks(pool, rows.count(), [&](std::size_t first, std::size_t last) {
             Box own;
             for (std::size_t i = first; i < last; ++i) {
                 const Vec4<Real>& at = rows.position_mass[i];
                 widen(at.x, own.low.x, own.high.x), widen(at.y, own.low.y, own.high.y);
                 widen(at.z, own.low.z, own.high.z);
             }
             return own;
         }))
        all.add(part.low, part.high);
    return all;
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

/// Sorts by keys, those with equal keys by id.
template <class Real>
void sort_by(Pool& pool, std::vector<CurveEntry> order, PartRows<Real>& rows) {
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

KeyGrid<double> grid_of_all(Ranks& ranks, Vec3d low, Vec3d high) {
    Box all;
    for (const Box& each : from_all(ranks, Box{low, high})) all.add(each.low, each.high);
    const Vec3d sides = all.high - all.low;
    return key_grid(all.low, std::max({sides.x, sides.y, sides.z, 0.0}));
}

std::size_t cut_samples(std::size_t count) { return std::min(count, kSamplesOfRank); }

std::vector<CurvePlace> cuts_of(Ranks& ranks, std::span<const CurvePlace> samples, std::size_t count, double cost) {
    struct Sample {
        CurvePlace place;
        double weight;  // cost of the bodies that it stands for
    };
    std::vector<Sample> own(kSamplesOfRank, Sample{{~std::uint64_t{0}, ~std::uint64_t{0}}, 0});
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const std::size_t at = k * count / samples.size(), next = (k + 1) * count / samples.size();
        own[k] = {samples[k], cost * static_cast<double>(next - at)};
    }
    std::vector<Sample> all = rows_of_all<Sample>(ranks, own);
    std::ranges::sort(all, {}, &Sample::place);
    const double whole =
        std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const Sample& each) { return sum + each.weight; });
    std::vector<CurvePlace> cuts;
    double before = 0;
    for (const Sample& each : all) {
        while (static_cast<int>(cuts.size()) + 1 < ranks.count() && each.weight > 0 &&
               before >= whole * static_cast<double>(cuts.size() + 1) / ranks.count())
            cuts.push_back(each.place);
        before += each.weight;
    }
    cuts.resize(static_cast<std::size_t>(ranks.count()) - 1, {~std::uint64_t{0}, ~std::uint64_t{0}});
    return cuts;
}

bool any_moves(std::span<const std::size_t> counts, std::size_t ranks) {
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (i / ranks != i % ranks && counts[i] > 0) return true;
    return false;
}

namespace {

/// Gives each rank an interval of keys, in order; keys_of(rows) computes those of the bodies.
template <class Real, class KeysOf>
void divide_by(Ranks& ranks, Pool& pool, PartRows<Real>& rows, double cost, const KeysOf& keys_of) {
    std::vector<std::size_t> counts;
    {
        const std::vector<CurveEntry> keys = keys_of(rows);
        std::vector<CurvePlace> samples(cut_samples(rows.count()));
        for (std::size_t k = 0; k < samples.size(); ++k) {
            const std::size_t at = k * rows.count() / samples.size();
            samples[k] = {keys[at].key, rows.ids[at]};
        }
        counts = group_by_owner(pool, keys, cuts_of(ranks, samples, rows.count(), cost), rows);
    }
    const std::vector<std::size_t> all = rows_of_all<std::size_t>(ranks, counts);
    if (any_moves(all, counts.size())) {
        const std::vector<std::uint8_t> accelerated = from_all<std::uint8_t>(ranks, rows.acceleration.empty() ? 0 : 1);
        move_column(ranks, all, rows.position_mass), move_column(ranks, all, rows.velocity);
        move_column(ranks, all, rows.ids);
        if (std::ranges::count(accelerated, 1) > 0) move_column(ranks, all, rows.acceleration);
    }
    sort_by(pool, keys_of(rows), rows);
}

}  // namespace

template <class Real>
void redistribute(Ranks& ranks, Pool& pool, PartRows<Real>& rows, double cost) {
    const Box box = box_of(pool, rows);
    const KeyGrid<double> grid = grid_of_all(ranks, box.low, box.high);
    divide_by(ranks, pool, rows, cost, [&](const PartRows<Real>& some) { return keys_of(pool, grid, some); });
}

template <class Real>
void sort_by_id(Ranks& ranks, Pool& pool, PartRows<Real>& rows, std::uint64_t mask) {
    rows.acceleration = {};
    divide_by(ranks, pool, rows, 1, [&](const PartRows<Real>& some) {
        std::vector<CurveEntry> keys(some.count());
        for_each_in_blocks(pool, some.count(), [&](std::size_t i) {
            keys[i] = {some.ids[i] & mask, static_cast<std::uint32_t>(i)};
        });
        return keys;
    });
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
    // In round k, ranks whose numbers add up to k modulo the number of ranks exchange rows.
    for (std::size_t round = 0; round < all; ++round) {
        const std::size_t other = (round + all - own) % all;
        if (other == own) continue;
        if (own < other)
            send(other), receive(other);
        else
            receive(other), send(other);
    }
}

template void redistribute(Ranks&, Pool&, PartRows<float>&, double);
template void redistribute(Ranks&, Pool&, PartRows<double>&, double);
template void sort_by_id(Ranks&, Pool&, PartRows<float>&, std::uint64_t);
template void sort_by_id(Ranks&, Pool&, PartRows<double>&, std::uint64_t);

}  // namespace orrery
