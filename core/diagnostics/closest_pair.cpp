// SPDX-License-Identifier: MIT
#include "core/diagnostics/closest_pair.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/base/blocks.hpp"

namespace orrery {
namespace {

constexpr int kLevels = 42;  // bits per axis, half of them in each word of a key

/// A position along the Morton curve: three bits per level, the coarsest first.
struct Key {
    std::uint64_t high = 0, low = 0;  // 63 bits each
    friend auto operator<=>(const Key&, const Key&) = default;
};
struct Cell {
    std::uint64_t x, y, z;
};

/// Spreads the lower 21 bits of `v`, two zeros between each.
constexpr std::uint64_t spread(std::uint64_t v) {
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffff;
    v = (v | v << 16) & 0x1f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
}
constexpr Key key_of(Cell c) {
    const auto word = [&](int shift) {
        return spread(c.x >> shift) << 2 | spread(c.y >> shift) << 1 | spread(c.z >> shift);
    };
    return {word(21), word(0)};
}
/// First key of the cell of this level.
constexpr Key cell_start(Key key, int level) {
    const auto kept = [](int levels) { return levels <= 0 ? 0 : ~0ull << 3 * (21 - std::min(levels, 21)); };
    return {key.high & kept(level), key.low & kept(level - 21)};
}
/// The coarsest level at which two keys differ; kLevels + 1 if they are equal.
constexpr int divergence(Key a, Key b) {
    const auto digit = [](std::uint64_t x) { return (std::countl_zero(x) - 1) / 3 + 1; };
    if (a.high != b.high) return digit(a.high ^ b.high);
    return a.low != b.low ? 21 + digit(a.low ^ b.low) : kLevels + 1;
}

struct Entry {
    Key key;
    std::uint32_t body;
    friend auto operator<=>(const Entry&, const Entry&) = default;
};

struct Near {
    double distance2 = std::numeric_limits<double>::infinity();
    std::uint32_t first = ~0u, second = ~0u;
    friend bool operator<(const Near& a, const Near& b) {
        return std::tie(a.distance2, a.first, a.second) < std::tie(b.distance2, b.first, b.second);
    }
};

class Search {
public:
    Search(Pool& pool, std::span<const Vec4d> bodies) : pool_{pool} {
        measure(bodies);
        sort(bodies);
        bound();
    }

    Near operator()() {
        if (best_.distance2 == 0) return best_;
        choose_level();
        for (const Near& near : by_blocks(pool_, entries_.size(),
                                          [&](std::size_t first, std::size_t last) { return search(first, last); }))
            best_ = std::min(best_, near);
        return best_;
    }

private:
    /// Computes the bounding cube of all bodies.
    void measure(std::span<const Vec4d> bodies) {
        Vec3d high = low_ = xyz(bodies[0]);
        for (const Vec4d& b : bodies) {
            low_ = {std::min(low_.x, b.x), std::min(low_.y, b.y), std::min(low_.z, b.z)};
            high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
        }
        const double side = std::max({high.x - low_.x, high.y - low_.y, high.z - low_.z});
        per_length_ = side > 0 ? std::min(std::ldexp(1.0, kLevels) / side, 1e300) : 0;
    }

    Vec3d offset(const Vec4d& b) const { return per_length_ * (xyz(b) - low_); }  // in finest cells
    static Cell cell_at(Vec3d offset) {
        constexpr std::uint64_t end = 1ull << kLevels;
        const auto whole = [](double v) -> std::uint64_t {
            return !(v > 0) ? 0 : v < static_cast<double>(end) ? static_cast<std::uint64_t>(v) : end - 1;
        };
        return {whole(offset.x), whole(offset.y), whole(offset.z)};
    }

    /// Sorts a fixed number of blocks separately, then merges them in pairs.
    void sort(std::span<const Vec4d> bodies) {
        const std::size_t count = bodies.size();
        std::size_t width = std::max<std::size_t>((count + 63) / 64, 1024);
        entries_.resize(count);
        pool_.parallel_for(0, (count + width - 1) / width, [&](std::size_t block) {
            const std::size_t first = block * width, last = std::min(count, first + width);
            for (std::size_t i = first; i < last; ++i)
                entries_[i] = {key_of(cell_at(offset(bodies[i]))), static_cast<std::uint32_t>(i)};
            std::sort(entries_.begin() + as_signed(first), entries_.begin() + as_signed(last));
        });
        std::vector<Entry> merged(width < count ? count : 0);
        for (; width < count; width *= 2) {
            pool_.parallel_for(0, (count + 2 * width - 1) / (2 * width), [&](std::size_t pair) {
                const auto at = [&](std::size_t i) { return entries_.begin() + as_signed(std::min(count, i)); };
                const std::size_t first = 2 * pair * width;
                std::merge(at(first), at(first + width), at(first + width), at(first + 2 * width),
                           merged.begin() + as_signed(first));
            });
            entries_.swap(merged);
        }
        places_.resize(count);
        pool_.parallel_for(0, (count + kBlockBodies - 1) / kBlockBodies, [&](std::size_t block) {
            for (std::size_t i = block * kBlockBodies; i < std::min(count, (block + 1) * kBlockBodies); ++i)
                places_[i] = xyz(bodies[entries_[i].body]);
        });
    }
    static std::ptrdiff_t as_signed(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

    void compare(Near& near, std::size_t i, std::size_t j) const {
        const Vec3d d = places_[i] - places_[j];
        const double distance2 = dot(d, d);
        if (distance2 > near.distance2) return;
        const auto [first, second] = std::minmax(entries_[i].body, entries_[j].body);
        near = std::min(near, {distance2, first, second});
    }

    /// Finds the closest pair among neighbours along the curve, and where the curve crosses borders between cells.
    void bound() {
        const std::size_t count = entries_.size();
        parted_.resize(count - 1);
        for (const Near& near : by_blocks(pool_, count - 1, [&](std::size_t first, std::size_t last) {
                 Near nearest;
                 for (std::size_t i = first; i < last; ++i) {
                     parted_[i] = static_cast<std::uint8_t>(divergence(entries_[i].key, entries_[i + 1].key));
                     for (std::size_t j = i + 1; j < std::min(i + 4, count); ++j) compare(nearest, i, j);
                 }
                 return nearest;
             }))
            best_ = std::min(best_, near);
    }

    /// Chooses the finest level whose cells are wide enough, or a coarser one as long as cells stay nearly empty: then
    /// fewer bodies lie near a border.
    void choose_level() {
        constexpr std::size_t kPairs = 16;  // per body, within cells
        const double bound = std::sqrt(best_.distance2) * per_length_;
        reach_ = std::min(bound * 1.001 + 1e-3, std::ldexp(1.0, kLevels));  // exceeds the rounding error of an offset
        level_ = kLevels - std::clamp(std::ilogb(reach_) + 1, 0, kLevels);
        while (level_ > 0 && pairs_within(level_ - 1) <= kPairs * entries_.size()) --level_;
    }
    std::size_t pairs_within(int level) const {
        std::size_t pairs = 0, run = 0;
        for (const std::uint8_t parted : parted_) {
            run = parted > level ? run + 1 : 0;
            pairs += run;
        }
        return pairs;
    }

    /// Compares bodies [first, last) of the curve with later bodies in their cells, and in later cells within reach.
    Near search(std::size_t first, std::size_t last) const {
        Near nearest = best_;
        for (std::size_t i = first; i < last; ++i) {
            for (std::size_t j = i; j < parted_.size() && parted_[j] > level_; ++j) compare(nearest, i, j + 1);
            for_each_cell_behind(i, [&](Key start) {
                const auto begin = std::lower_bound(entries_.begin() + as_signed(i) + 1, entries_.end(), start,
                                                    [](const Entry& e, const Key& key) { return e.key < key; });
                for (auto e = begin; e != entries_.end() && cell_start(e->key, level_) == start; ++e)
                    compare(nearest, i, static_cast<std::size_t>(e - entries_.begin()));
            });
        }
        return nearest;
    }

    /// Visits the cells within reach of body i that come later along the curve, so that each pair is visited once.
    template <class Visit>
    void for_each_cell_behind(std::size_t i, const Visit& visit) const {
        const int shift = kLevels - level_;
        const double width = std::ldexp(1.0, shift);
        const Vec3d at = per_length_ * (places_[i] - low_);
        const Cell cell = cell_at(at);
        struct Steps {
            std::array<std::uint64_t, 3> cells{};
            int count = 0;
        };
        const auto steps = [&](std::uint64_t coordinate, double offset) {
            const std::uint64_t here = coordinate >> shift;
            const double within = offset - static_cast<double>(here) * width;
            Steps all{{here}, 1};
            if (within <= reach_ && here > 0) all.cells[static_cast<std::size_t>(all.count++)] = here - 1;
            if (within >= width - reach_ && here + 1 < 1ull << level_)
                all.cells[static_cast<std::size_t>(all.count++)] = here + 1;
            return all;
        };
        const Steps xs = steps(cell.x, at.x), ys = steps(cell.y, at.y), zs = steps(cell.z, at.z);
        const Key own = cell_start(entries_[i].key, level_);
        for (int x = 0; x < xs.count; ++x)
            for (int y = 0; y < ys.count; ++y)
                for (int z = x + y == 0 ? 1 : 0; z < zs.count; ++z) {
                    const auto part = [&](const Steps& s, int k) {
                        return s.cells[static_cast<std::size_t>(k)] << shift;
                    };
                    const Key start = key_of({part(xs, x), part(ys, y), part(zs, z)});
                    if (own < start) visit(start);
                }
    }

    Pool& pool_;
    Vec3d low_{};
    double per_length_ = 0, reach_ = 0;  // reach_ in finest cells
    int level_ = 0;
    std::vector<Entry> entries_;  // along the curve, as are the next two
    std::vector<Vec3d> places_;
    std::vector<std::uint8_t> parted_;  // [i]: divergence() of bodies i and i + 1
    Near best_;
};

}  // namespace

std::optional<ClosestPair> closest_pair(Pool& pool, std::span<const Vec4d> bodies) {
    if (bodies.size() < 2) return std::nullopt;
    const Near near = Search{pool, bodies}();
    const Vec3d d = xyz(bodies[near.first]) - xyz(bodies[near.second]);
    return ClosestPair{near.first, near.second, std::hypot(d.x, d.y, d.z)};
}

}  // namespace orrery
