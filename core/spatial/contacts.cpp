// SPDX-License-Identifier: MIT
#include "core/spatial/contacts.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/spatial/box.hpp"
#include "core/spatial/box_tree.hpp"
#include "core/spatial/curve_order.hpp"
#include "core/spatial/keys.hpp"

namespace orrery {
namespace {

constexpr std::size_t kLeafSpheres = 8;     // compared pair by pair
constexpr std::size_t kBlockSpheres = 512;  // per thread at a time

/// Enlarged a little, so that rounding cannot separate touching spheres.
Box<Vec3d> swept_box(const Vec4d& before, const Vec4d& now, double radius) {
    constexpr double kRounding = 1 + 1e-14;
    const auto span = [&](double a, double b) {
        const double wider = radius * kRounding + (std::abs(a) + std::abs(b)) * 1e-15;
        return std::pair{std::min(a, b) - wider, std::max(a, b) + wider};
    };
    const auto [x0, x1] = span(before.x, now.x);
    const auto [y0, y1] = span(before.y, now.y);
    const auto [z0, z1] = span(before.z, now.z);
    return {{x0, y0, z0}, {x1, y1, z1}};
}

/// Fraction of the step after which two spheres touch: the smaller root of |r + s d|² = R².
std::optional<double> touch(Vec3d apart_before, Vec3d apart_now, double reach) {
    if (!(reach > 0)) return std::nullopt;
    const double outside = dot(apart_before, apart_before) - reach * reach;
    if (outside <= 0) return 0.0;
    const Vec3d way = apart_now - apart_before;
    const double closing = dot(apart_before, way), way2 = dot(way, way);
    if (closing >= 0) return std::nullopt;
    const double discriminant = closing * closing - way2 * outside;
    if (discriminant < 0) return std::nullopt;
    const double when = outside / (-closing + std::sqrt(discriminant));
    return when <= 1 ? std::optional{when} : std::nullopt;
}

class ContactSearch {
public:
    ContactSearch(Pool& pool, const SweptBodies& bodies) : pool_{pool}, bodies_{bodies}, count_{bodies.now.size()} {
        order_.update(pool_, bodies.now.data(), nullptr, count_, 0);
        tree_.build(pool_, count_, [this](std::size_t place) { return box(body_at(place)); });
    }

    std::vector<Contact> operator()() {
        std::vector<std::vector<Contact>> parts((count_ + kBlockSpheres - 1) / kBlockSpheres);
        std::atomic<std::size_t> found = 0;
        pool_.parallel_for(0, parts.size(), [&](std::uint64_t block) {
            const std::size_t end = std::min(count_, (block + 1) * kBlockSpheres);
            for (std::size_t place = block * kBlockSpheres; place < end && found <= kMostContacts; ++place) {
                const std::size_t before = parts[block].size();
                look_from(place, parts[block]);
                found += parts[block].size() - before;
            }
        });
        if (found > kMostContacts)
            usage_error(fmt::format("more than {} contacts in one step; increase body_density or decrease body_radius",
                                    kMostContacts));
        std::vector<Contact> all;
        all.reserve(found);
        for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
        std::ranges::sort(all, [](const Contact& a, const Contact& b) {
            return a.when != b.when ? a.when < b.when : std::pair{a.first, a.second} < std::pair{b.first, b.second};
        });
        return all;
    }

private:
    std::uint32_t body_at(std::size_t place) const { return order_.order()[place]; }
    bool looks(std::uint32_t body) const { return bodies_.looks.empty() || bodies_.looks[body] != 0; }
    Box<Vec3d> box(std::uint32_t body) const {
        return swept_box(bodies_.before[body], bodies_.now[body], bodies_.radius[body]);
    }

    void look_from(std::size_t place, std::vector<Contact>& found) const {
        const std::uint32_t self = body_at(place);
        if (!looks(self)) return;
        // If both search, the body that comes first on the curve finds the other.
        tree_.for_leaves(
            [&, own = box(self), all_look = bodies_.looks.empty()](const Box<Vec3d>& cell, std::size_t end) {
                return !(all_look && end <= place) && cell.overlaps(own);
            },
            [&](std::size_t leaf) { compare(place, leaf, found); });
    }

    void compare(std::size_t place, std::size_t leaf, std::vector<Contact>& found) const {
        const std::uint32_t self = body_at(place);
        for (std::size_t at = leaf * kLeafSpheres; at < tree_.end_of(leaf); ++at) {
            const std::uint32_t other = body_at(at);
            if (at == place || (at < place && looks(other))) continue;
            const Vec4d &a0 = bodies_.before[self], &b0 = bodies_.before[other];
            const Vec4d &a1 = bodies_.now[self], &b1 = bodies_.now[other];
            if (!(a1.w + b1.w > 0)) continue;
            const auto when = touch(xyz(b0) - xyz(a0), xyz(b1) - xyz(a1), bodies_.radius[self] + bodies_.radius[other]);
            if (when) found.push_back({std::min(self, other), std::max(self, other), *when});
        }
    }

    Pool& pool_;
    const SweptBodies& bodies_;
    std::size_t count_;
    CurveOrder<double> order_;
    BoxTree<Vec3d, kLeafSpheres, 2> tree_;
};

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

std::vector<Contact> contacts(Pool& pool, const SweptBodies& bodies) {
    if (bodies.now.size() < 2) return {};
    return ContactSearch{pool, bodies}();
}

std::optional<ClosestPair> closest_pair(Pool& pool, std::span<const Vec4d> bodies) {
    if (bodies.size() < 2) return std::nullopt;
    const Near near = PairSearch{pool, bodies}();
    const Vec3d d = xyz(bodies[near.first]) - xyz(bodies[near.second]);
    return ClosestPair{near.first, near.second, std::hypot(d.x, d.y, d.z)};
}

}  // namespace orrery
