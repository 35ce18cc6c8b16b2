// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/cloud/cloud_stream.hpp"
#include "core/formats/snapshot_facts.hpp"
#include "core/series/series.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// A scene, and the series whose first snapshot it is, or the cloud whose coarsest sample it is, if that was asked for.
struct OpenedScene {
    Scene scene;
    std::unique_ptr<Series> series = {};
    std::unique_ptr<CloudStream> cloud = {};
    SnapshotFacts facts = {};  ///< of the one file that the scene was read from
};
/// Throws as open_scene() does, but not for a series or a cloud, and as Series and CloudStream do.
OpenedScene open_scene_or_series(const SceneRequest& request);

}  // namespace orrery
