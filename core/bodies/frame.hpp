// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// The colour quantity of a frame, one float per body, in the scene's units. Menu: app/render/color_modes.hpp.
enum class ColorBy : std::uint8_t {
    kSpeed,         ///< |v|
    kAcceleration,  ///< |a| of the last evaluation
    kMass,
    kPotential,  ///< φ of the last evaluation: with gravity -G Σ m/√(r² + ε²)
    kDensity,    ///< mass density from nearest neighbours: core/spatial/density.hpp
    kLeaf,       ///< number of the leaf of the engine's tree; see TreeLabel
    kLevel,      ///< level of that leaf
    kTile,       ///< index of the body's tile, for engines with a thread map: body / ρ
    kSpecies,    ///< number of the Species
    kCharge,
    kSightLine,  ///< velocity along Coloring::along
    kAge,        ///< rank of the body's id among all ids: see ranks_by_id()
    kError,      ///< relative force error: see BodyErrors
    kField,      ///< a field of the snapshot, see BodyField; NaN: no value
    kStarlight,  ///< light in the red band; pictures show the light in three bands, see BodyOptics
};

/// True for quantities obtained from a force evaluation.
constexpr bool needs_forces(ColorBy by) {
    return by != ColorBy::kSpeed && by != ColorBy::kMass && by != ColorBy::kDensity && by != ColorBy::kSpecies &&
           by != ColorBy::kCharge && by != ColorBy::kSightLine && by != ColorBy::kAge && by != ColorBy::kField &&
           by != ColorBy::kStarlight;
}

/// A vertex buffer in device memory. Defined in core/bodies/cuda/frame_buffer.hpp, so that this header does not depend
/// on CUDA.
class DeviceFrameBuffer;
namespace gl {
class FrameBuffer;  // core/gl/sharing.hpp
}
struct TreeCell;      // core/engines/report.hpp
struct BodyMetadata;  // core/bodies/body_metadata.hpp

/// Properties of the bodies needed for drawing, computed cheaply from a sample.
struct FrameExtent {
    Vec3d centre{};                      ///< median position
    double radius = 1;                   ///< around the centre, enclosing 90 % of the sample
    double scalar_low = 0;               ///< 2nd percentile of the colour scalar
    double scalar_high = 1;              ///< 98th percentile
    ColorBy color_by = ColorBy::kSpeed;  ///< quantity of the colour scalar
    std::size_t samples = 0;             ///< bodies for which it was measured; 0: all, see BodyErrors
    std::string field{}, field_unit{};   ///< with kField: its name, and its unit for display
    double missing = 0;                  ///< with kField: share of the bodies without a value
};

/// Consecutive bodies of a frame; an earlier frame may contain the same block at another position.
struct FrameBlock {
    std::uint64_t stamp;  ///< equal stamps: equal vertices and lights
    std::size_t count;
};

/// Replaces the colour scalar in Frame::passed: use the body's present colour.
inline constexpr float kPresentColor = -1e38f;

/// One complete state, ready to draw: x, y, z in the scene's unit of length, w = the colour scalar (extent.color_by).
/// The vertices are on the host, on the CUDA device, or in a buffer that the context that draws shares.
struct Frame {
    std::vector<Vec4f> host;                    ///< used when `device` and `gl` are empty
    std::shared_ptr<DeviceFrameBuffer> device;  ///< used when set
    std::shared_ptr<gl::FrameBuffer> gl;        ///< used when set
    std::size_t count = 0;
    /// For clouds: the blocks that make up `host` and `masses`, in order. Null: unknown.
    std::shared_ptr<const std::vector<FrameBlock>> blocks;
    std::int64_t step = 0;
    double time = 0, scale_factor = 0;  ///< as in Scene
    double expansion = 0;               ///< expansion_of() the scene
    bool paced = false;  ///< published under SetPacing: the simulation waits until the frame is acknowledged
    FrameExtent extent;
    std::string no_color;          ///< why the scalar is 0 everywhere, one line; empty if it is the requested quantity
    bool lights = false;           ///< `masses` are light in units of one body's light, independent of view settings
    std::uint64_t all_bodies = 0;  ///< number of bodies that the vertices represent if they are a sample; 0: all bodies
    /// One per body, relative to the mean; null if all masses are equal. Constant for a scene.
    std::shared_ptr<const std::vector<float>> masses;
    /// One per body, in the scene's unit of length; null if bodies are points. Constant for a scene.
    std::shared_ptr<const std::vector<float>> radii;
    std::shared_ptr<const BodyMetadata> words;  ///< constant for a scene; null without a scene
    /// Under SetCells, cells of the engine's tree, empty if it has none; null before the first evaluation for them.
    /// Sometimes slightly older than the bodies.
    std::shared_ptr<const std::vector<TreeCell>> cells;
    /// Under SetTrails, if there are few bodies: states since the previous frame that were not displayed, oldest first,
    /// in the format of `host`, each with all bodies. The colour scalar may be kPresentColor.
    std::vector<Vec4f> passed;
    std::vector<std::int64_t> passed_steps;
    std::vector<Vec4d> watched;  ///< under Inspect: positions and masses of the bodies, or of an evenly spaced sample
    std::shared_ptr<const std::vector<std::uint32_t>>
        picked;                           ///< under Inspect: indices of the picked bodies; null: none
    std::optional<Vec3d> centre_of_mass;  ///< of all bodies, under WatchCentreOfMass

    /// The vertices are on the host from now on.
    void use_host() { device.reset(), gl.reset(); }
    /// Centre of mass of `watched`.
    std::optional<Vec3d> watched_centre() const {
        Vec4d sum{};
        for (const Vec4d& b : watched) sum = {sum.x + b.w * b.x, sum.y + b.w * b.y, sum.z + b.w * b.z, sum.w + b.w};
        return sum.w > 0 ? std::optional{(1 / sum.w) * xyz(sum)} : std::nullopt;
    }
    /// In a comparison: frame of the second simulation at the same time; otherwise null.
    std::shared_ptr<Frame> other;
    std::string computed;    ///< in a comparison: engine description, one line: "tree, cpu single"
    bool distances = false;  ///< for B: the colour scalar is log10 of the distance to A's body
};

}  // namespace orrery
