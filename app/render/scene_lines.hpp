// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/view_settings.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/frame.hpp"
#include "core/engines/report.hpp"

namespace orrery {

/// A line in the scene, as shaders/cells.vert reads it: two vec4.
struct SceneLine {
    Vec3f from;
    float size;  ///< length that must cover some pixels for the line to be visible
    Vec3f to;
    float look;  ///< packed_look()
};
static_assert(sizeof(SceneLine) == 32);

/// sRGB packed as in ImGui, with a weight of 0 to 1 instead of alpha.
float packed_look(std::uint32_t color, double weight);

/// Lines over a finished frame: their mean colour, blended so that many coincident lines are bright, not white.
class LinesPass {
public:
    LinesPass();
    void load(std::span<const SceneLine> lines);
    /// Needs the uniform block View bound. `scale` is that of the screen. Leaves the target bound and blending
    /// disabled.
    void draw(float opacity, const OrbitCamera& camera, int width, int height, double scale, GLuint target);

private:
    GlProgram add_, finish_;
    GlVertexArray nothing_;
    GlBuffer buffer_;
    std::size_t lines_ = 0;
    Canvas sum_;
};

/// Maximum number of cells requested of an engine, in whole levels: software OpenGL draws this many quickly.
inline constexpr std::size_t kMostCells = 20'000;

using SharedCells = std::shared_ptr<const std::vector<TreeCell>>;

/// Position of a level on the colour ramp of octrees, ramp_color(), 0 to 1.
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

/// The largest length of 1, 2 or 5 times a power of ten that is at most `length`; 0 for an invalid length.
double round_length(double length);

/// The side of a grid cell for this camera: a tenth to a quarter of the frame height at its target.
double grid_spacing(const OrbitCamera& camera);

/// Grid and axes of the orbital plane, z = 0, or of a parallel plane through the bodies if they are elsewhere. Grid
/// lines are at multiples of the spacing; those around the camera's target are drawn.
std::vector<SceneLine> guide_lines(const GuideView& view, const OrbitCamera& camera, const FrameExtent& extent);

/// A round length and its length on the screen.
struct ScaleBar {
    double length = 0;  ///< in the scene's unit times `unit`
    double pixels = 0;
};
/// Valid at the depth of the camera's target; at most `most` pixels long. `unit`: displayed lengths over those of the
/// scene.
ScaleBar scale_bar(const OrbitCamera& camera, double height, double most, double unit = 1);

}  // namespace orrery
