// SPDX-License-Identifier: MIT
#include "core/spatial/closest_pair.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/base/pool.hpp"
#include "core/spatial/box.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {
namespace {

constexpr int kLevels = 42;  // bits per axis, half of them in each word of a key

/// A position along the Morton curve: three bits per level, the coarsest first.
struct FineKey {
    std::uint64_t high = 0, low = 0;  // 63 bits each
    friend auto operator<=>(const FineKey&, const FineKey&) = default;
};
struct FineCell {
    std::uint64_t x, y, z;
};

FineKey key_of(FineCell c) {
    const auto word = [&](int shift) {
        const auto part = [&](std::uint64_t v) { return static_cast<std::uint32_t>(v >> shift) % kKeyCells; };
        return morton_key({part(c.x), part(c.y), part(c.z)});
    };
    return {word(kKeyLevels), word(0)};
}
/// First key of the cell of this level.
FineKey cell_start(FineKey key, int level) {
    const auto kept = [](int levels) { return levels <= 0 ? 0 : ~0ull << 3 * (21 - std::min(levels, 21)); };
    return {key.high & kept(level), key.low & kept(level - 21)};
}
/// The coarsest level at which two keys differ; kLevels + 1 if they are equal.
int divergence(FineKey a, FineKey b) {
    const auto digit = [](std::uint64_t x) { return (std::countl_zero(x) - 1) / 3 + 1; };
    if (a.high != b.high) return digit(a.high ^ b.high);
    return a.low != b.low ? 21 + digit(a.low ^ b.low) : kLevels + 1;
}

struct SortedBody {
    FineKey key;
    std::uint32_t body;
    friend auto operator<=>(const SortedBody&, const SortedBody&) = default;
};

struct Near {
    double distance2 = std::numeric_limits<double>::infinity();
    std::uint32_t first = ~0u, second = ~0u;
    friend bool operator<(const Near& a, const Near& b) {
        return std::tie(a.distance2, a.first, a.second) < std::tie(b.distance2, b.first, b.second);
    }
};

class PairSearch {
public:
    PairSearch(Pool& pool, std::span<const Vec4d> bodies) : pool_{pool} {
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
        Box<Vec3d> box = Box<Vec3d>::none();
        for (const Vec4d& b : bodies) box.include({xyz(b), xyz(b)});
        low_ = box.low;
        const Vec3d sides = box.high - box.low;
        const double side = std::max({sides.x, sides.y, sides.z});
        per_length_ = side > 0 ? std::min(std::ldexp(1.0, kLevels) / side, 1e300) : 0;
    }

    Vec3d offset(const Vec4d& b) const { return per_length_ * (xyz(b) - low_); }  // in finest cells
    static FineCell cell_at(Vec3d offset) {
        constexpr std::uint64_t end = 1ull << kLevels;
        const auto whole = [](double v) -> std::uint64_t {
            return !(v > 0) ? 0 : v < static_cast<double>(end) ? static_cast<std::uint64_t>(v) : end - 1;
        };
        return {whole(offset.x), whole(offset.y), whole(offset.z)};
    }

    void sort(std::span<const Vec4d> bodies) {
        entries_.resize(bodies.size());
        for_each_in_blocks(pool_, bodies.size(), [&](std::size_t i) {
            entries_[i] = {key_of(cell_at(offset(bodies[i]))), static_cast<std::uint32_t>(i)};
        });
        pool_.parallel_for(0, 1, [&](std::uint64_t) { tbb::parallel_sort(entries_.begin(), entries_.end()); });
        places_.resize(bodies.size());
        for_each_in_blocks(pool_, bodies.size(), [&](std::size_t i) { places_[i] = xyz(bodies[entries_[i].body]); });
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
            for_each_cell_behind(i, [&](FineKey start) {
                const auto begin =
                    std::lower_bound(entries_.begin() + as_signed(i) + 1, entries_.end(), start,
                                     [](const SortedBody& e, const FineKey& key) { return e.key < key; });
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
        const FineCell cell = cell_at(at);
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
        const FineKey own = cell_start(entries_[i].key, level_);
        for (int x = 0; x < xs.count; ++x)
            for (int y = 0; y < ys.count; ++y)
                for (int z = x + y == 0 ? 1 : 0; z < zs.count; ++z) {
                    const auto part = [&](const Steps& s, int k) {
                        return s.cells[static_cast<std::size_t>(k)] << shift;
                    };
                    const FineKey start = key_of({part(xs, x), part(ys, y), part(zs, z)});
                    if (own < start) visit(start);
                }
    }

    Pool& pool_;
    Vec3d low_{};
    double per_length_ = 0, reach_ = 0;  // reach_ in finest cells
    int level_ = 0;
    std::vector<SortedBody> entries_;  // along the curve, as are the next two
    std::vector<Vec3d> places_;
    std::vector<std::uint8_t> parted_;  // [i]: divergence() of bodies i and i + 1
    Near best_;
};

}  // namespace

std::optional<ClosestPair> closest_pair(Pool& pool, std::span<const Vec4d> bodies) {
    if (bodies.size() < 2) return std::nullopt;
    const Near near = PairSearch{pool, bodies}();
    const Vec3d d = xyz(bodies[near.first]) - xyz(bodies[near.second]);
    return ClosestPair{near.first, near.second, std::hypot(d.x, d.y, d.z)};
}

}  // namespace orrery
