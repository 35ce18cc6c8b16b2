// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cloud/cloud_stream.hpp"
#include "core/formats/snapshot_facts.hpp"
#include "core/series/series.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// A scene, with its series if it is the first snapshot of one, or its cloud if it is the coarsest sample of one.
struct OpenedScene {
    Scene scene;
    std::unique_ptr<Series> series = {};
    std::unique_ptr<CloudStream> cloud = {};
    SnapshotFacts facts = {};  ///< if the scene was read from a single file
};
/// Accepts series and clouds too. Throws as open_scene(), Series and CloudStream do.
OpenedScene open_scene_or_series(const SceneRequest& request);

}  // namespace orrery
