// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "core/formats/formats.hpp"

namespace orrery {

/// Calls write(scene) with these bodies in the scene, all of them in memory.
template <class Write>
void with_scene(const Scene& scene, const BodyStretches& bodies, const Write& write) {
    if (&bodies.others() == &scene.bodies) return write(scene);
    Scene whole = scene;
    whole.bodies = bodies.all();
    write(whole);
}

/// OpenVDB: the grids `density` and `velocity`, and one for each field, see for_each_brick().
const FormatEntry& vdb();
/// As the entry's write(), with voxels of this side; 0: suggested_voxel().
void write_vdb(const Scene& scene, const std::filesystem::path& path, double voxel);

/// Text of Universal Scene Description: points with velocities, widths, ids, colours and fields.
const FormatEntry& usda();

/// Snapshots of the same bodies, one after the other.
struct UsdaFrames {
    std::size_t count;
    std::function<Scene(std::size_t index)> read;
    double first_time, last_time;
};
/// Writes a frame per snapshot, as time samples. Their times are spread over the frames in proportion.
void write_usda(const UsdaFrames& frames, const std::filesystem::path& path);

}  // namespace orrery
