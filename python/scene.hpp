// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "core/bodies/bodies.hpp"
#include "core/engines/engine_settings.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// View and camera of a frame.
struct Look {
    ViewSettings view;
    CameraSettings camera{.yaw = 34, .pitch = 29};  // as in `orrery record`
};

/// `orrery.Scene`: bodies, and the recommendations of the preset or scene file. The number of bodies is fixed, so views
/// of them remain valid.
struct SceneValue {
    /// pybind11 calls this for an object of Scene.__new__() without __init__(); all others are made by make_shared().
    static void* operator new(std::size_t) { throw py::type_error{"Scene.__init__() has not been called"}; }

    Scene scene;
    EngineConfig engine = default_engine_config();
    bool engine_given = false;  ///< by a scene file, whose backend is then used
    Look look;
};
using SharedScene = std::shared_ptr<SceneValue>;

/// Throws UsageError if numbers of the scene are invalid; they may have been written in place.
void require_sound(const Scene& scene);

// pickles.cpp
py::dict state_of(const SceneValue& value);
SceneValue scene_of_state(const py::dict& state);

}  // namespace orrery::python
