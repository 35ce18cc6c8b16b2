// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "app/picture/format.hpp"
#include "app/render/color_modes.hpp"
#include "app/window/frame_loop.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

bool has_deterministic_mode(const EngineConfig& config) {
    return std::ranges::any_of(engines(), [&](const EngineEntry& entry) {
        return entry.id == config.engine && entry.backend == config.backend && entry.has_deterministic_mode();
    });
}

template <class... One>
bool is_one_of(const Action& action) {
    return (std::holds_alternative<One>(action) || ...);
}

}  // namespace

/// What changes bodies waits for the next picture of a session, so that it can be repeated there.
void FrameLoop::act(Action action) {
    if (!recording_.active() || !recording_.has_session()) return simulation_.send(std::move(action));
    const auto* step = std::get_if<SingleStep>(&action);
    if ((step && step->back) || is_one_of<SetReversed, Rewind, RewindBy>(action))
        return notice("Time runs forward while a session is recorded");
    if (is_one_of<LoadScene, SetEngine, SetDt, SetIntegrator, SetSoftening, SetColorBy, SetCompare, RestartCompare,
                  StopCompare>(action))
        held_.push_back(std::move(action));
    else
        simulation_.send(std::move(action));
}

void FrameLoop::release_held() {
    for (Action& action : std::exchange(held_, {})) {
        SessionEvent event;
        if (auto* engine = std::get_if<SetEngine>(&action)) {
            engine->config.deterministic |= has_deterministic_mode(engine->config);
            event.engine = engine->config;
        } else if (const auto* dt = std::get_if<SetDt>(&action)) {
            event.dt = dt->dt;
        } else if (const auto* steps = std::get_if<SetIntegrator>(&action)) {
            event.integrator = steps->id;
            event.adaptive = steps->adaptive;
        } else if (const auto* softening = std::get_if<SetSoftening>(&action)) {
            event.softening = softening->softening;
        } else if (const auto* colors = std::get_if<SetColorBy>(&action)) {
            event.color_mode = color_mode(colors->by).id;
        } else if (auto* compare = std::get_if<SetCompare>(&action)) {
            compare->settings.engine.deterministic |= has_deterministic_mode(compare->settings.engine);
            event.compare = compare->settings;
        } else if (std::holds_alternative<RestartCompare>(action)) {
            event.compare_restart = true;
        } else if (std::holds_alternative<StopCompare>(action)) {
            event.compare_end = true;
        } else if (const auto* load = std::get_if<LoadScene>(&action)) {
            event.scene = load->request;
            event.engine = load->engine;
        }
        recording_.note(event);
        simulation_.send(std::move(action));
    }
}

void FrameLoop::toggle_recording() {
    if (recording_.active()) return end_recording();
    if (recording_.ending()) return notice("The last recording is still being written");
    if (!simulation_.ready()) return notice("Nothing to record yet");
    const RecordSettings& chosen = state_.record;
    try {
        if (chosen.session && chosen.ui)
            usage_error("a session repeats pictures without panels: turn one of the two off");
        recording_.start(chosen, window_.gl_info(), state_.width, state_.height);
        const int steps = chosen.steps_per_frame > 0 ? chosen.steps_per_frame : simulation_.status().steps_per_frame;
        if (chosen.session) return start_session(steps);
        pace(steps);
    } catch (const Error& error) {
        if (recording_.active()) recording_.cancel();
        failure(error.what());
    }
}

/// From the scene's beginning: what led to the present state may not be repeatable.
void FrameLoop::start_session(int steps_per_frame) {
    SceneFile start = scene_now();
    const bool was = start.engine.deterministic;
    start.engine.deterministic = was || has_deterministic_mode(start.engine);
    start.backend = start.engine.backend;
    start.record.width = recording_.state().width;
    start.record.height = recording_.state().height;
    start.record.steps_per_frame = steps_per_frame;
    recording_.note_session(start);
    // At rest, so that no step is taken between the beginning and the first picture.
    simulation_.send(SetPaused{true});
    const auto compare = simulation_.compare();
    if (compare) simulation_.send(StopCompare{});
    LoadScene load{start.scene, start.engine, start.speed};
    load.engine->background = true;
    simulation_.send(load);
    if (compare) {  // as the file says, so that B begins from the scene's beginning too
        CompareSettings b = *compare;
        b.engine.deterministic |= has_deterministic_mode(b.engine);
        simulation_.send(SetCompare{b});
        made_b_deterministic_ = !compare->engine.deterministic && b.engine.deterministic;
    }
    pace(steps_per_frame);
    made_deterministic_ = start.engine.deterministic && !was;
    simulation_.send(SetPaused{false});
}

/// What is recorded repeats to the bit, where the engine has a mode for that; afterwards it is as it was.
void FrameLoop::pace(int steps_per_frame) {
    EngineConfig config = simulation_.engine();
    const bool recording = steps_per_frame > 0;
    const bool change = recording ? !config.deterministic && has_deterministic_mode(config)
                                  : made_deterministic_ && config.deterministic;
    made_deterministic_ = recording && change;
    config.deterministic = recording;
    if (change) simulation_.send(SetEngine{config});
    if (!recording && std::exchange(made_b_deterministic_, false) && simulation_.compare()) {
        CompareSettings b = *simulation_.compare();
        b.engine.deterministic = false;
        simulation_.send(SetCompare{b});
    }
    simulation_.send(SetPacing{steps_per_frame});
    acknowledged_ = Clock::now();
}

/// A frame that the simulation waits for, as soon as the encoder has room for it.
void FrameLoop::record_frame() {
    if (!paced_frame_) return;
    if (recording_.active() && (!recording_.room() || recording_.with_ui())) return;
    take_recorded([&] {
        const std::optional<OtherBodies> other = other_bodies();
        recording_.add(view_.bodies(), simulation_.frame(), camera_.camera().pose(), state_.view,
                       other ? &*other : nullptr);
    });
}

/// Of a comparison, as it is shown. Times are not those of another run: a session says none.
std::optional<OtherBodies> FrameLoop::other_bodies() const {
    if (!compare_picture_.ready()) return std::nullopt;
    OtherBodies other{compare_picture_.bodies(), state_.compare_view, {}, {}};
    if (recording_.has_session()) return other;
    const auto text = [](const Timing& force) { return force.count > 0 ? milliseconds_text(force.median) : ""; };
    other.time_a = text(simulation_.status().force);
    other.time_b = text(simulation_.status().compare.force);
    return other;
}

/// The same with the panels, when they are drawn.
void FrameLoop::record_window() {
    if (!paced_frame_ || !recording_.active() || !recording_.with_ui() || !recording_.room()) return;
    take_recorded([&] { recording_.add_window(simulation_.frame()); });
}

/// A film is made in as much time as it shows, where the machine can: also with more pictures per second than the
/// window.
void FrameLoop::record_between_frames() {
    constexpr std::chrono::microseconds kNap{300};
    while (recording_.active() && !recording_.with_ui() && recording_.behind() && limiter_.left() > 2 * kNap) {
        simulation_.poll();
        take_newest_frame();
        if (!paced_frame_) std::this_thread::sleep_for(kNap);
    }
}

template <class Add>
void FrameLoop::take_recorded(const Add& add) {
    paced_frame_ = false;
    if (recording_.active()) {
        try {
            add();
            if (camera_.state().playing) camera_.advance_path(1.0 / state_.record.fps);
            release_held();
        } catch (const std::exception& error) {
            recording_.abandon();
            release_held();
            pace(0);
            failure(error.what());
        }
    }
    simulation_.acknowledge_frame();
    acknowledged_ = Clock::now();
    if (recording_.active() && recording_.complete()) end_recording();
}

void FrameLoop::end_recording() {
    release_held();
    pace(0);
    try {
        recording_.stop();
    } catch (const Error& error) {
        failure(error.what());
    }
}

void FrameLoop::cancel_recording() {
    if (!recording_.active()) return;
    held_.clear();
    pace(0);
    recording_.cancel();
    notice("Recording cancelled");
}

/// The encoder works on its own: it tells when it is done, or has failed.
void FrameLoop::watch_recording() {
    const bool active = recording_.active();
    try {
        if (!recording_.poll()) return;
        const RecordingState& done = recording_.state();
        notice(fmt::format("Recorded {} frames: {}", done.frames, done.path));
    } catch (const std::exception& error) {
        release_held();
        if (active) pace(0);
        failure(error.what());
    }
}

}  // namespace orrery
