// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/lines_pass.hpp"
#include "app/render/view_settings.hpp"
#include "core/engines/report.hpp"

namespace orrery {

/// Maximum number of cells requested of an engine, in whole levels: software OpenGL draws this many quickly.
inline constexpr std::size_t kMostCells = 20'000;

using SharedCells = std::shared_ptr<const std::vector<TreeCell>>;

/// Position of a level on the colour ramp of octrees (color_ramp.hpp), 0 to 1.
float octree_share(int level, const OctreeView& view);

/// Draws the edges of a tree's cells as lines over the finished frame.
class CellsPass {
public:
    void show(SharedCells cells) { cells_ = std::move(cells); }  ///< may be null
    /// Needs the uniform block View bound. Leaves the target bound and blending disabled.
    void draw(const OctreeView& view, const OrbitCamera& camera, int width, int height, double scale, GLuint target);
    std::size_t drawn() const noexcept { return drawn_; }  ///< number of cells in the last draw()

private:
    void load(const OctreeView& view);
    void fill(const OctreeView& view);

    LinesPass lines_;
    SharedCells cells_, loaded_;
    OctreeView loaded_view_;
    std::vector<SceneLine> edges_;
    std::size_t drawn_ = 0;
};

}  // namespace orrery
