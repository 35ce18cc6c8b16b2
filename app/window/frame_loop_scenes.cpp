// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/scene/scene_file.hpp"
#include "app/ui/panels.hpp"
#include "app/window/frame_loop.hpp"
#include "core/base/error.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

void FrameLoop::open(const std::string& source) {
    try {
        if (const auto file = find_scene(source)) return show_scene(source, *file);
    } catch (const Error& error) {
        return failure(error.what());
    }
    state_.scene = {};
    load(LoadScene{{.source = source}});
}

/// An engine that a scene brought goes with it: three bodies by the CPU in double say nothing of a galaxy that follows.
void FrameLoop::load(LoadScene scene) {
    if (!scene.engine)
        scene.engine = std::exchange(before_scene_, std::nullopt);
    else if (!before_scene_)
        before_scene_ = simulation_.engine();
    act(std::move(scene));
}

/// Nothing of the file is taken before all of it has been read.
void FrameLoop::show_scene(const std::string& source, const SceneFile& file) {
    LoadScene scene{file.scene};
    if (file.engine_given) {
        scene.engine = file.engine_here();
        scene.engine->background = simulation_.engine().background;
    }
    scene.speed = file.speed;
    load(std::move(scene));
    adopt_look(file);
    state_.scene.source = source;
}

void FrameLoop::adopt_look(const SceneFile& file) {
    state_.view = file.view;
    state_.record = file.record;
    state_.scene = {config_.scene_source, file.title, file.watch};
    if (file.figures) state_.overlay = *file.figures;
    for (const PanelEntry& panel : panels())
        if (panel.id == file.panel) state_.panel = panel.id;
    CameraState camera = camera_.state();
    camera.follow = file.camera.follow ? Follow::kMiddle : Follow::kNothing;
    camera.places = file.camera.bookmarks;
    camera.path = file.camera.path;
    camera.path_time = 0;
    camera.playing = false;
    camera.key.reset();
    camera_.set(camera);
    camera_wanted_ = file.camera;
    compare_wanted_ = file.compare;
    if (!file.watch.empty()) notice(file.watch, "scene");
}

void FrameLoop::adopt_camera(const CameraSettings& camera) {
    const CameraPose pose = first_pose(camera, CameraPose{}, view_.extent(), aspect());
    camera_.go_to(pose, bodies_seen_ ? Transition::kSmooth : Transition::kAtOnce);
}

/// What is shown, as a scene file would say it.
SceneFile FrameLoop::scene_now() const {
    const Status& status = simulation_.status();
    SceneFile file;
    file.title = state_.scene.title;
    file.watch = state_.scene.watch;
    file.scene = simulation_.request();
    file.scene.softening = status.gravity.softening;
    file.scene.dt = status.dt;
    file.scene.integrator = status.integrator;
    file.scene.adaptive = status.adaptive;
    file.speed = status.speed_limit;
    file.engine = simulation_.engine();
    file.engine.background = false;  // that is the window's
    file.engine_given = true;
    if (file.engine.backend != default_backend(file.engine.engine)) file.backend = file.engine.backend;
    if (simulation_.compare()) file.compare = compare_scene(*simulation_.compare(), state_.compare_view);
    file.view = state_.view;
    file.camera = camera_settings(camera_.camera().pose(), camera_.state().follow != Follow::kNothing);
    file.camera.bookmarks = camera_.state().places;
    file.camera.path = camera_.state().path;
    file.record = state_.record;
    file.panel = state_.panel;
    file.figures = state_.overlay;
    return file;
}

void FrameLoop::save_scene() {
    if (!simulation_.ready()) return notice("Nothing to save yet");
    const std::filesystem::path path = state_.scene_path.empty() ? name_by_time(".toml") : state_.scene_path;
    try {
        if (!is_scene_path(path))
            usage_error(fmt::format("'{}': the name of a scene file ends in .toml", path.string()));
        write_scene_file(scene_now(), path);
        extras_.last_scene = std::filesystem::absolute(path).string();
        notice("Scene saved: " + extras_.last_scene);
    } catch (const Error& error) {
        failure(error.what());
    }
}

}  // namespace orrery
