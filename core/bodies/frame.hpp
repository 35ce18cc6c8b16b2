// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/color_by.hpp"

namespace orrery {

/// A vertex buffer in device memory; defined in core/bodies/cuda/frame_buffer.hpp, the only header of it that depends
/// on CUDA.
class DeviceFrameBuffer;
struct TreeCell;    // core/engines/report.hpp
struct SceneWords;  // core/bodies/scene_words.hpp

/// Properties of the bodies needed for drawing, from a sample, so that they cost almost nothing.
struct FrameExtent {
    Vec3d centre{};                      ///< median position
    double radius = 1;                   ///< around the centre, enclosing 90 % of the sample
    double scalar_low = 0;               ///< 2nd percentile of the colour scalar
    double scalar_high = 1;              ///< 98th percentile
    ColorBy color_by = ColorBy::kSpeed;  ///< what the colour scalar is
};

/// Bodies side by side in a frame that an earlier frame may have had too, in another place.
struct FrameBlock {
    std::uint64_t stamp;  ///< the same one, the same vertices and lights
    std::size_t count;
};

/// In place of a colour scalar of Frame::passed: as the body has it now.
inline constexpr float kPresentColor = -1e38f;

/// One complete state, ready to draw: x, y, z in the scene's unit of length, w = the colour scalar, see
/// extent.color_by. The vertices lie either on the host or on the device.
struct Frame {
    std::vector<Vec4f> host;                    ///< used when `device` is empty
    std::shared_ptr<DeviceFrameBuffer> device;  ///< used when set
    std::size_t count = 0;
    /// Of a cloud: what `host` and `masses` are made of, in their order. Null: nothing is known of it.
    std::shared_ptr<const std::vector<FrameBlock>> blocks;
    std::int64_t step = 0;
    double time = 0, scale_factor = 0;  ///< as Scene has them
    bool paced = false;  ///< published under SetPacing: the simulation waits until the frame is acknowledged
    FrameExtent extent;
    std::string no_color;  ///< why the scalar is 0 everywhere, one line; empty if it is the requested one
    bool lights = false;   ///< `masses` are light, in units of the light of one body, and view settings do not matter
    std::uint64_t all_bodies = 0;  ///< that the vertices stand for, if these are a sample of more; 0: all are here
    /// One per body, relative to the mean; null if all masses are equal. Unchanged as long as the scene is.
    std::shared_ptr<const std::vector<float>> masses;
    /// One per body, in the scene's unit of length; null where bodies are points. Likewise.
    std::shared_ptr<const std::vector<float>> radii;
    std::shared_ptr<const SceneWords> words;  ///< unchanged as long as the scene is; null without a scene
    /// Under SetCells, of the engine's tree, empty if it has none; null before an evaluation for them. Sometimes
    /// slightly older than the bodies.
    std::shared_ptr<const std::vector<TreeCell>> cells;
    /// Under SetTrails, of few bodies: states since the frame before that were not shown, oldest first, as `host` has
    /// them; of each all bodies. The colour scalar may be kPresentColor.
    std::vector<Vec4f> passed;
    std::vector<std::int64_t> passed_steps;
    std::vector<Vec4d> watched;  ///< under Inspect: positions and masses of the bodies, or of an evenly spaced sample
    std::shared_ptr<const std::vector<std::uint32_t>> picked;  ///< under Inspect: these bodies, by index; null: none
    std::optional<Vec3d> mass_centre;                          ///< of all bodies, under WatchMassCentre

    /// Σ m x / Σ m of `watched`.
    std::optional<Vec3d> watched_centre() const {
        Vec4d sum{};
        for (const Vec4d& b : watched) sum = {sum.x + b.w * b.x, sum.y + b.w * b.y, sum.z + b.w * b.z, sum.w + b.w};
        return sum.w > 0 ? std::optional{(1 / sum.w) * xyz(sum)} : std::nullopt;
    }
    /// Of a comparison's second simulation, at the same time; null where there is none.
    std::shared_ptr<Frame> other;
    std::string computed;    ///< in a comparison: by what, one line: "tree, cpu single"
    bool distances = false;  ///< of B: the colour scalar is log10 of the distance to A's body
};

}  // namespace orrery
