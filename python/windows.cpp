// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "app/scene/scene_file.hpp"
#include "core/formats/formats.hpp"
#include "python/shared_simulation.hpp"

namespace orrery::python {
namespace {

/// Writes the bodies and a scene file with engine and view into this folder, for a window. Returns the file's path.
std::filesystem::path written(const Scene& scene, const EngineConfig& engine, bool engine_given, const Look& look,
                              const std::filesystem::path& folder) {
    const bool exact = format_for("bodies.orrery").why_not.empty();
    const std::filesystem::path bodies = folder / (exact ? "bodies.orrery" : "bodies.csv");
    write_snapshot(scene, bodies);
    SceneFile file{.title = scene.label};
    file.scene = {.source = bodies.string(),
                  .softening = scene.gravity.softening,
                  .dt = scene.dt,
                  .integrator = scene.integrator,
                  .adaptive = scene.adaptive};
    file.engine = engine, file.engine_given = engine_given;
    if (engine_given) file.backend = engine.backend;
    file.view = look.view;
    file.camera = look.camera;
    const std::filesystem::path path = folder / "window.toml";
    write_scene_file(file, path);
    return path;
}

}  // namespace

void bind_windows(py::module_& module) {
    constexpr const char* kDoc =
        "For orrery.Window: writes the scene that its program opens into this folder; returns the path.";
    module.def(
        "_write_window_scene",
        [](SharedSimulation& self, const std::filesystem::path& folder) {
            return self.between_steps([&](Simulation& own) {
                return written(present_scene(own), own.engine_config(), true, self.look(), folder);
            });
        },
        py::arg("bodies"), py::arg("folder"), kDoc);
    module.def(
        "_write_window_scene",
        [](const SceneValue& self, const std::filesystem::path& folder) {
            const Unlocked unlocked;
            require_sound(self.scene);
            return written(self.scene, self.engine, self.engine_given, self.look, folder);
        },
        py::arg("bodies"), py::arg("folder"), kDoc);
}

}  // namespace orrery::python
