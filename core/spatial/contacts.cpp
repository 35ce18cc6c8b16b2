// SPDX-License-Identifier: MIT
#include "core/spatial/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <optional>

#include "core/base/error.hpp"
#include "core/spatial/box_tree.hpp"
#include "core/spatial/curve_order.hpp"

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

}  // namespace

std::vector<Contact> contacts(Pool& pool, const SweptBodies& bodies) {
    if (bodies.now.size() < 2) return {};
    return ContactSearch{pool, bodies}();
}

}  // namespace orrery
