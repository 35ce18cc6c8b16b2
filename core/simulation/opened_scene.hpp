// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/series/series.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// A scene, and the series whose first snapshot it is, if it was one that was asked for.
struct OpenedScene {
    Scene scene;
    std::unique_ptr<Series> series = {};
};
/// Throws as open_scene() does, but not for a series, and as Series does.
OpenedScene open_scene_or_series(const SceneRequest& request);

}  // namespace orrery
