// SPDX-License-Identifier: MIT
#include "app/render/scene_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "app/render/color_maps.hpp"

namespace orrery {
namespace {

constexpr double kLineWidth = 1.1;    // pixels on a screen of scale 1
constexpr GLsizei kLineVertices = 6;  // two triangles per line

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

constexpr int kReach = 14;  // cells of the grid between the target and its edge
constexpr std::uint32_t kGrid = 0xffb8a490, kAxes[3] = {0xff5a5af0, 0xff5ac864, 0xfff09650};  // ImGui's order: ABGR

Vec3f point(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

void add_grid(std::vector<SceneLine>& lines, const OrbitCamera& camera, double spacing, double z) {
    const glm::dvec3 target = camera.pose().target;
    const double x0 = std::round(target.x / spacing), y0 = std::round(target.y / spacing);
    for (int i = -kReach; i <= kReach; ++i)
        for (int j = -kReach; j < kReach; ++j) {
            const double away = std::hypot(i, j + 0.5) / kReach;
            if (away >= 1) continue;
            const double weight = 0.5 * (1 - away) * (1 - away);
            const auto line = [&](double ax, double ay, double bx, double by, double fixed) {
                // Every tenth line is slightly stronger; these form the next coarser grid.
                const double strong = std::fmod(std::abs(fixed), 10) < 0.5 ? 2 : 1;
                lines.push_back({point(spacing * ax, spacing * ay, z), static_cast<float>(spacing),
                                 point(spacing * bx, spacing * by, z), packed_look(kGrid, strong * weight)});
            };
            line(x0 + i, y0 + j, x0 + i, y0 + j + 1, x0 + i);
            line(x0 + j, y0 + i, x0 + j + 1, y0 + i, y0 + i);
        }
}

}  // namespace

float packed_look(std::uint32_t color, double weight) {
    const auto byte = static_cast<std::uint32_t>(std::lround(255 * std::clamp(weight, 0.0, 1.0)));
    return std::bit_cast<float>((color & 0xffffffu) | byte << 24);
}

LinesPass::LinesPass() : add_{"cells.vert", "cells.frag"}, finish_{"screen.vert", "cells_finish.frag"} {}

void LinesPass::load(std::span<const SceneLine> lines) {
    lines_ = lines.size();
    if (lines.size_bytes() > buffer_.bytes()) buffer_ = GlBuffer{2 * lines.size_bytes(), GL_DYNAMIC_STORAGE_BIT};
    if (lines_ > 0) buffer_.write(lines.data(), lines.size_bytes());
}

void LinesPass::draw(float opacity, const OrbitCamera& camera, int width, int height, double scale, GLuint target) {
    if (lines_ == 0) return;
    if (sum_.width() != width || sum_.height() != height) sum_ = Canvas{GL_RGBA16F, width, height, Filter::kNearest};
    sum_.clear();
    const AdditiveDrawing adding{sum_};
    glBindVertexArray(nothing_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, buffer_.name());
    glProgramUniform4f(add_.name(), 0, static_cast<float>(0.5 * kLineWidth * scale), opacity,
                       static_cast<float>(camera.pose().distance),
                       static_cast<float>(camera.pixels_per_length(1, height)));
    add_.use();
    glDrawArraysInstanced(GL_TRIANGLES, 0, kLineVertices, static_cast<GLsizei>(lines_));
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_COLOR);
    sum_.texture().bind(0);
    finish_.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

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

double round_length(double length) {
    if (!(length > 0) || !std::isfinite(length)) return 0;
    const double power = std::pow(10.0, std::floor(std::log10(length))), part = length / power;
    return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

double grid_spacing(const OrbitCamera& camera) {
    const double height = 1 / camera.pixels_per_length(camera.pose().distance, 1);  // of the frame, as a length
    return round_length(height / 4);
}

std::vector<SceneLine> guide_lines(const GuideView& view, const OrbitCamera& camera, const FrameExtent& extent) {
    std::vector<SceneLine> lines;
    const double spacing = grid_spacing(camera);
    if (!(spacing > 0)) return lines;
    const double z = std::abs(extent.centre.z) < extent.radius ? 0 : extent.centre.z;
    if (view.grid) add_grid(lines, camera, spacing, z);
    if (view.axes)
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3f to =
                point(axis == 0 ? 5 * spacing : 0, axis == 1 ? 5 * spacing : 0, axis == 2 ? 5 * spacing : 0);
            lines.push_back({{0, 0, 0}, static_cast<float>(5 * spacing), to, packed_look(kAxes[axis], 1)});
        }
    return lines;
}

ScaleBar scale_bar(const OrbitCamera& camera, double height, double most, double unit) {
    const double per_length = camera.pixels_per_length(camera.pose().distance, height) / unit;
    const double length = round_length(most / per_length);
    return {length, length * per_length};
}

}  // namespace orrery
