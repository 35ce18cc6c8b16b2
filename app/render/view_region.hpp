// SPDX-License-Identifier: MIT
#pragma once
#include "app/camera/orbit_camera.hpp"
#include "app/render/lens.hpp"
#include "app/render/view_settings.hpp"
#include "core/cloud/cloud_cut.hpp"

namespace orrery {

/// What a picture of this size in pixels asks of a cloud. `software`: bodies are drawn by the CPU, so that fewer of
/// them are wanted unless settings say how many.
CloudSight cloud_sight(const OrbitCamera& camera, const ViewSettings& settings, int width, int height, Lens lens,
                       bool software);

}  // namespace orrery
