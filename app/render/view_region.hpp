// SPDX-License-Identifier: MIT
#pragma once
#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "core/cloud/cloud_cut.hpp"

namespace orrery {

/// The part of a cloud needed for a frame of this size in pixels. `software`: the CPU draws, so fewer bodies are
/// requested unless the settings give a number.
ViewRegion view_region(const OrbitCamera& camera, const ViewSettings& settings, int width, int height, Lens lens,
                       bool software);

}  // namespace orrery
