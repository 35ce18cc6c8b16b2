// SPDX-License-Identifier: MIT
// Sorts bodies into cells so small that all bodies in a cell are friends. It remains to find pairs of cells, at most
// two apart in each direction, that contain friends.
#include "core/spatial/friends.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/spatial/box.hpp"

namespace orrery {
namespace {

/// Most cells per direction, so that rounding of cell positions stays well within the margin.
constexpr double kMostCells = 1e12;
constexpr std::size_t kCellsOfATask = 512;

struct FriendCell {
    std::int64_t x, y, z;
    friend auto operator<=>(const FriendCell&, const FriendCell&) = default;
};
struct Placed {
    FriendCell cell;
    std::uint32_t body;
    Vec3d place;  ///< position of the body or its image near the other bodies of the cell
};
/// The bodies of a cell, consecutive in the sorted order.
struct FilledCell {
    FriendCell cell;
    std::size_t first, end;
    Box<Vec3d> box = Box<Vec3d>::none();
};

/// Disjoint sets of indices with concurrent union (Anderson & Woll 1991, STOC '91, 370). A set is identified by its
/// smallest index, so the final sets do not depend on the order of unions.
class Links {
public:
    explicit Links(std::size_t count) : parent_(count) {
        for (std::size_t i = 0; i < count; ++i)
            parent_[i].store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
    }
    /// The smallest index found so far; halves the path on the way.
    std::uint32_t root(std::uint32_t i) {
        for (;;) {
            const std::uint32_t up = parent_[i].load(std::memory_order_relaxed);
            if (up == i) return i;
            const std::uint32_t above = parent_[up].load(std::memory_order_relaxed);
            std::uint32_t expected = up;
            parent_[i].compare_exchange_weak(expected, above, std::memory_order_relaxed);
            i = above;
        }
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        for (;;) {
            a = root(a), b = root(b);
            if (a == b) return;
            if (a < b) std::swap(a, b);
            std::uint32_t expected = a;  // still a root
            if (parent_[a].compare_exchange_weak(expected, b, std::memory_order_relaxed)) return;
        }
    }

private:
    std::vector<std::atomic<std::uint32_t>> parent_;  // a parent's index is less than its child's
};

class FriendSearch {
public:
    FriendSearch(Pool& pool, std::span<const Vec4d> bodies, double link, double period, const std::stop_token& stop)
        : pool_{pool}, bodies_{bodies}, link_{link}, period_{period}, stop_{stop}, links_{bodies.size()} {}

    std::vector<std::uint32_t> groups() {
        place_bodies();
        if (stop_.stop_requested()) return {};
        gather_cells();
        const std::size_t tasks = (cells_.size() + kCellsOfATask - 1) / kCellsOfATask;
        pool_.parallel_for(0, tasks, [&](std::uint64_t task) {
            if (!stop_.stop_requested())
                compare_neighbours(task * kCellsOfATask, std::min(cells_.size(), (task + 1) * kCellsOfATask));
        });
        if (stop_.stop_requested()) return {};
        std::vector<std::uint32_t> group(bodies_.size());
        pool_.parallel_for(0, bodies_.size(),
                           [&](std::uint64_t i) { group[i] = links_.root(static_cast<std::uint32_t>(i)); });
        return group;
    }

private:
    double folded(double x) const {
        if (period_ <= 0) return x;
        const double within = x - period_ * std::floor(x / period_);
        return within < period_ ? within : 0;  // rounded to the far face
    }

    void place_bodies() {
        Box<Vec3d> all = Box<Vec3d>::none();
        for (const Vec4d& b : bodies_) {
            if (!std::isfinite(b.x) || !std::isfinite(b.y) || !std::isfinite(b.z))
                usage_error("groups: a position is not finite");
            const Vec3d at{folded(b.x), folded(b.y), folded(b.z)};
            all.include({at, at});
        }
        const Vec3d size = all.high - all.low;
        low_ = all.low;
        side_ = kFriendMargin * link_ / std::sqrt(3.0);
        if (std::max({size.x, size.y, size.z}) / side_ > kMostCells)
            link_is_too_short(link_, std::max({size.x, size.y, size.z}), "");
        const auto add = [&](std::vector<Placed>& to, std::size_t i, Vec3d p) {
            to.push_back({{cell_at(p.x - low_.x), cell_at(p.y - low_.y), cell_at(p.z - low_.z)},
                          static_cast<std::uint32_t>(i),
                          p});
        };
        const auto parts = by_blocks(pool_, bodies_.size(), [&](std::size_t first, std::size_t last) {
            std::vector<Placed> own;
            own.reserve(last - first);
            for (std::size_t i = first; i < last; ++i) {
                const Vec3d p{folded(bodies_[i].x), folded(bodies_[i].y), folded(bodies_[i].z)};
                add(own, i, p);
                if (period_ > 0) add_images(p, [&](Vec3d image) { add(own, i, image); });
            }
            return own;
        });
        for (const auto& part : parts) placed_.insert(placed_.end(), part.begin(), part.end());
        pool_.parallel_for(0, 1, [&](std::uint64_t) {
            tbb::parallel_sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
                return std::tie(a.cell, a.body) < std::tie(b.cell, b.body);
            });
        });
    }

    /// Adds images of bodies near the lower faces beyond the upper ones: if two bodies are friends across a face, one
    /// of them or its image is as near to the other or its image.
    template <class Add>
    void add_images(Vec3d p, const Add& add) const {
        for (const double x : {0.0, period_})
            for (const double y : {0.0, period_})
                for (const double z : {0.0, period_}) {
                    const bool near = (x <= 0 || p.x <= link_) && (y <= 0 || p.y <= link_) && (z <= 0 || p.z <= link_);
                    if (near && x + y + z > 0) add({p.x + x, p.y + y, p.z + z});
                }
    }

    std::int64_t cell_at(double x) const { return static_cast<std::int64_t>(std::floor(x / side_)); }

    void gather_cells() {
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            if (cells_.empty() || cells_.back().cell != placed_[i].cell) cells_.push_back({placed_[i].cell, i, i});
            FilledCell& cell = cells_.back();
            cell.end = i + 1;
            cell.box.include({placed_[i].place, placed_[i].place});
            links_.unite(placed_[cell.first].body, placed_[i].body);
        }
    }

    std::size_t place_of(const FriendCell& cell) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(cells_, cell, {}, &FilledCell::cell) - cells_.begin());
    }

    /// Compares cells with half of their 124 neighbours, those later in the order. These lie in thirteen rows along z.
    /// As the cells advance, so do the beginnings of their rows, so that only the first cell needs a search.
    void compare_neighbours(std::size_t first, std::size_t end) {
        struct Row {
            std::int64_t x, y, low;  ///< steps to it, and to its first cell along z
            std::size_t at;
        };
        std::vector<Row> rows;
        for (std::int64_t x = 0; x <= 2; ++x)
            for (std::int64_t y = x == 0 ? 0 : -2; y <= 2; ++y) rows.push_back({x, y, x == 0 && y == 0 ? 1 : -2, 0});
        const auto from = [](const FilledCell& of, const Row& row) {
            return FriendCell{of.cell.x + row.x, of.cell.y + row.y, of.cell.z + row.low};
        };
        for (Row& row : rows) row.at = place_of(from(cells_[first], row));
        for (std::size_t i = first; i < end; ++i)
            for (Row& row : rows) {
                const FilledCell& one = cells_[i];
                const FriendCell begin = from(one, row), last{begin.x, begin.y, one.cell.z + 2};
                while (row.at < cells_.size() && cells_[row.at].cell < begin) ++row.at;
                for (std::size_t k = row.at; k < cells_.size() && cells_[k].cell <= last; ++k) meet(one, cells_[k]);
            }
    }

    void meet(const FilledCell& a, const FilledCell& b) {
        const double reach2 = link_ * link_;
        if (distance2(a.box, b.box) > reach2 * (1 + 1e-12)) return;
        if (links_.root(placed_[a.first].body) == links_.root(placed_[b.first].body)) return;
        for (std::size_t i = a.first; i < a.end; ++i) {
            if (distance2(b.box, {placed_[i].place, placed_[i].place}) > reach2 * (1 + 1e-12)) continue;
            for (std::size_t k = b.first; k < b.end; ++k) {
                const Vec3d d = placed_[k].place - placed_[i].place;
                if (dot(d, d) > reach2) continue;
                links_.unite(placed_[i].body, placed_[k].body);
                return;  // all bodies of both cells are friends
            }
        }
    }

    Pool& pool_;
    std::span<const Vec4d> bodies_;
    double link_, period_, side_ = 0;
    const std::stop_token& stop_;
    Vec3d low_{};
    Links links_;
    std::vector<Placed> placed_;
    std::vector<FilledCell> cells_;
};

}  // namespace

std::vector<std::uint32_t> friends_of_friends(Pool& pool, std::span<const Vec4d> bodies, double link, double period,
                                              const std::stop_token& stop) {
    require_link(link, period);
    if (bodies.empty()) return {};
    return FriendSearch{pool, bodies, link, period, stop}.groups();
}

void require_link(double link, double period) {
    if (!(link > 0) || !std::isfinite(link))
        usage_error(fmt::format("groups: linking length {:g}: must be positive", link));
    if (period > 0 && !(link < period / 2))
        usage_error(
            fmt::format("groups: expected a linking length below half of the period {:g}, found {:g}", period, link));
}

void link_is_too_short(double link, double apart, const char* where) {
    usage_error(
        fmt::format("groups: the linking length {:g} is too short for bodies {:g} apart{}", link, apart, where));
}

}  // namespace orrery
