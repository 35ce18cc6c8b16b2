// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <future>
#include <glm/vec2.hpp>
#include <memory>
#include <vector>

#include "app/window/camera/camera_control.hpp"
#include "app/window/messages.hpp"
#include "app/window/ui_state.hpp"
#include "app/window/window.hpp"
#include "core/engines/config.hpp"
#include "core/live/simulation_thread.hpp"

namespace orrery {

/// The window's link to the simulation. Loads the first scene on a helper thread, so that the window appears at once;
/// requests made meanwhile wait. Requests that are not yet applied count as state, so that keys pressed in quick
/// succession accumulate.
class SimulationLink {
public:
    /// `look_first`: see LoadScene.
    SimulationLink(const SceneRequest& request, const EngineConfig& engine, bool look_first = false);

    /// Call it once per frame, before update_frame(). Throws the error if the simulation could not be started.
    void poll();
    bool ready() const { return thread_ != nullptr; }
    void send(Action action);

    bool update_frame() { return ready() && thread_->update_frame(); }
    /// The newest frame taken by update_frame(); empty until ready.
    const Frame& frame() const { return ready() ? thread_->frame() : nothing_yet_; }
    void acknowledge_frame() { thread_->acknowledge_frame(); }

    const Status& status() const { return status_; }
    bool settled() const { return status_.actions_done >= sent_; }  ///< no request is pending
    bool paused() const { return expected_.paused; }
    bool reversed() const { return expected_.reversed; }
    double speed_limit() const { return expected_.speed_limit; }
    double play_rate() const { return expected_.play_rate; }  ///< of a series: time per step
    const EngineConfig& engine() const { return expected_.engine; }
    const std::optional<CompareSettings>& compare() const {
        return expected_.compare;
    }  ///< settings of B, while one is requested
    const SceneRequest& request() const {
        return expected_.request;
    }  ///< of the current scene, or the one being opened

private:
    std::future<std::unique_ptr<SimulationThread>> start_;
    std::unique_ptr<SimulationThread> thread_;
    Frame nothing_yet_;
    std::vector<Action> waiting_;
    std::uint64_t sent_ = 0;
    Status status_;
    ExpectedState expected_;
};

/// Pixels of the picture that panels cover, at its left and lower edges.
struct Covered {
    double left = 0, bottom = 0;
};

/// State shared by all parts of the window. None of it needs OpenGL, so parts that need no more are tested without a
/// window.
struct WindowCore {
    WindowConfig config;
    WindowClock clock;
    SimulationLink simulation;
    CameraControl camera;
    UiState state;
    Messages messages;
    Covered covered;     ///< in this frame
    glm::dvec2 size{0};  ///< of the window in its own coordinates, in this frame

    double width() const { return std::max(1, state.picture.width); }
    double height() const { return std::max(1, state.picture.height); }
    /// The camera as shown in the window: its target is in the middle of the uncovered area.
    OrbitCamera shown_camera() const {
        return camera.camera().shifted(covered.left / width(), covered.bottom / height());
    }
    /// The aspect for fit().
    double free_aspect() const {
        return std::max(1.0, std::min(width() - covered.left, height() - covered.bottom)) / height();
    }
};

}  // namespace orrery
