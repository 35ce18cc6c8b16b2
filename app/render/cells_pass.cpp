// SPDX-License-Identifier: MIT
#include "app/render/cells_pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/color_ramp.hpp"

namespace orrery {
namespace {

constexpr int kDefaultLast = 9;  // end of the ramp if no last level is chosen: that of about ten thousand bodies
constexpr std::uint64_t kPlaces = (std::uint64_t{1} << OctreeView::kDeepest) + 1;  // corners along a side of the root

/// Keeps a few large cells from outshining the many small ones.
float look_of(int level, const OctreeView& view) {
    const float share = octree_share(level, view);
    return packed_look(ramp_color(share), 0.25f + 0.75f * share * share);
}

/// Edges of one level and one direction, each stored once although up to four cells share it: positions of their lower
/// ends on the lattice of that level.
class Edges {
public:
    void add(std::uint64_t x, std::uint64_t y, std::uint64_t z) { keys_.push_back(x + kPlaces * (y + kPlaces * z)); }
    /// Calls visit(x, y, z) for each edge, then clears them.
    template <class Visit>
    void drain(const Visit& visit) {
        std::ranges::sort(keys_);
        const auto repeated = std::ranges::unique(keys_);
        keys_.erase(repeated.begin(), repeated.end());
        for (const std::uint64_t key : keys_)
            visit(static_cast<float>(key % kPlaces), static_cast<float>(key / kPlaces % kPlaces),
                  static_cast<float>(key / kPlaces / kPlaces));
        keys_.clear();
    }

private:
    std::vector<std::uint64_t> keys_;
};

/// The four edges of a cell in each direction.
void add_edges(std::array<Edges, 3>& edges, const TreeCell& cell, Vec3f root) {
    const float side = cell.high.x - cell.low.x;
    const auto place = [&](float low, float from) {
        const float at = side > 0 ? std::round((low - from) / side) : 0;
        return static_cast<std::uint64_t>(std::clamp(at, 0.0f, static_cast<float>(kPlaces - 2)));
    };
    const std::uint64_t x = place(cell.low.x, root.x), y = place(cell.low.y, root.y), z = place(cell.low.z, root.z);
    for (const std::uint64_t i : {0, 1})
        for (const std::uint64_t j : {0, 1}) {
            edges[0].add(x, y + i, z + j);
            edges[1].add(x + i, y, z + j);
            edges[2].add(x + i, y + j, z);
        }
}

}  // namespace

float octree_share(int level, const OctreeView& view) {
    const int last = view.last < OctreeView::kDeepest ? view.last : kDefaultLast;
    if (last <= view.first) return 1;
    return std::clamp(static_cast<float>(level - view.first) / static_cast<float>(last - view.first), 0.0f, 1.0f);
}

void CellsPass::load(const OctreeView& view) {
    if (cells_ == loaded_ && view == loaded_view_) return;
    edges_.clear();
    drawn_ = 0;
    if (cells_ && !cells_->empty()) fill(view);
    loaded_ = cells_;
    loaded_view_ = view;
    lines_.load(edges_);
}

/// Requires cells sorted by level, the root first.
void CellsPass::fill(const OctreeView& view) {
    std::array<Edges, 3> edges;
    const Vec3f root = cells_->front().low;
    const auto end_level = [&](const TreeCell& cell) {
        const float side = cell.high.x - cell.low.x, look = look_of(cell.level, view);
        for (std::size_t axis = 0; axis < 3; ++axis)
            edges[axis].drain([&](float x, float y, float z) {
                const Vec3f from = root + side * Vec3f{x, y, z};
                const Vec3f run = side * Vec3f{axis == 0 ? 1.0f : 0, axis == 1 ? 1.0f : 0, axis == 2 ? 1.0f : 0};
                const Vec3f to = from + run;
                edges_.push_back({from, side, to, look});
            });
    };
    const TreeCell* last = nullptr;
    for (const TreeCell& cell : *cells_) {
        if (cell.level < view.first || cell.level > view.last || (view.leaves_only && !cell.leaf)) continue;
        if (last && last->level != cell.level) end_level(*last);
        add_edges(edges, cell, root);
        last = &cell;
        ++drawn_;
    }
    if (last) end_level(*last);
}

void CellsPass::draw(const OctreeView& view, const OrbitCamera& camera, int width, int height, double scale,
                     GLuint target) {
    load(view);
    lines_.draw(view.opacity, camera, width, height, scale, target);
}

}  // namespace orrery
