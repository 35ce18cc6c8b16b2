// SPDX-License-Identifier: MIT
#include "app/window/recording/recording_control.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/picture/format.hpp"
#include "app/record/recorders.hpp"
#include "app/ui/words.hpp"
#include "app/window/halos/halos_page.hpp"
#include "app/window/recording/window_recording.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/hdf5_formats.hpp"

namespace orrery {
namespace {

bool has_deterministic_mode(const EngineConfig& config) {
    const EngineEntry* entry = find_engine(config);
    return entry && entry->has_deterministic_mode();
}

/// "Saved 0.3 s (16 frames, 0.5 MB)"; without a size for folders and single images.
std::string saved_text(const RecordingState& film) {
    std::error_code none;
    const std::filesystem::path path{film.path};
    std::string size;
    if (std::filesystem::is_regular_file(path, none)) size = ", " + bytes_text(std::filesystem::file_size(path, none));
    return phrase("Saved {} ({}{})", film_time_text(film.seconds()), count_phrase(film.frames, "frame"), size);
}

}  // namespace

std::optional<ComputedAction> recorded(Action& action) {
    if (EngineConfig* engine = engine_config(action)) engine->deterministic |= has_deterministic_mode(*engine);
    return std::visit(
        [](const auto& wish) -> std::optional<ComputedAction> {
            if constexpr (RecordedAction<std::decay_t<decltype(wish)>>) return wish;
            return std::nullopt;
        },
        action);
}

void RecordingControl::act(Action action) {
    if (!recording_.active() || !recording_.has_session()) return core_.simulation.send(std::move(action));
    if (runs_backward(action)) return core_.messages.notice("Time cannot run backward while a session is recorded");
    if (recorded(action))
        held_.push_back(std::move(action));
    else
        core_.simulation.send(std::move(action));
}

void RecordingControl::release_held() {
    for (Action& action : std::exchange(held_, {})) {
        recording_.note(*recorded(action));
        core_.simulation.send(std::move(action));
    }
}

void RecordingControl::toggle(const GlInfo& gl, const SceneFile& scene) {
    if (recording_.active()) return end();
    if (recording_.ending()) return core_.messages.notice("The last recording is still being written");
    begin(core_.state.recording.settings, gl, scene);
}

void RecordingControl::film_path(const GlInfo& gl, const SceneFile& scene) {
    if (recording_.active()) return core_.messages.notice("Stop the recording first: the path needs its own");
    if (recording_.ending()) return core_.messages.notice("The last recording is still being written");
    CameraState camera = core_.camera.state();
    const double seconds = camera.path.duration();
    if (!(seconds > 0)) return core_.messages.notice("A film of the path needs two keyframes; key K adds one");
    RecordSettings chosen = core_.state.recording.settings;
    chosen.duration = camera.path.loop ? seconds : seconds + 1.0 / chosen.fps;  // with a frame at the last key
    begin(chosen, gl, scene);
    films_path_ = recording_.active();
    if (!films_path_) return;
    camera.path_time = camera.path.keys.front().time;
    camera.playing = true;
    core_.camera.set(camera);
}

void RecordingControl::begin(const RecordSettings& chosen, const GlInfo& gl, const SceneFile& scene) {
    if (!core_.simulation.ready()) return core_.messages.notice("Nothing to record yet");
    films_path_ = false;
    try {
        if (chosen.session && chosen.ui)
            usage_error("a session has no panels: turn off either Session or Include panels");
        recording_.start(chosen, gl, core_.state.picture.width, core_.state.picture.height);
        if (const std::string& path = recording_.state().path; !chosen.path.empty() && path != expand_home(chosen.path))
            core_.messages.notice(
                phrase("{} exists and stays; recording to {}", verbatim(chosen.path), verbatim(path)));
        const int steps =
            chosen.steps_per_frame > 0 ? chosen.steps_per_frame : core_.simulation.status().scene.steps_per_frame;
        if (chosen.session) return start_session(scene, steps);
        pace(steps);
    } catch (const Error& error) {
        if (recording_.active()) recording_.cancel();
        core_.messages.failure(error.what());
    }
}

/// Restarts the scene: the history of the current state may not be repeatable.
void RecordingControl::start_session(SceneFile start, int steps_per_frame) {
    // States what measurements chose: a session must repeat.
    const EngineStatus& now = core_.simulation.status().engine;
    EngineConfig asked = now.config;
    asked.background = start.engine.background;
    open_engine_.reset();
    if (start.engine == asked && now.used != now.config) {
        open_engine_ = {now.config, now.used};
        start.engine = now.used;
        start.engine.background = asked.background;
    }
    const bool was = start.engine.deterministic;
    start.engine.deterministic = was || has_deterministic_mode(start.engine);
    start.backend = start.engine.backend;
    start.record.width = recording_.state().width;
    start.record.height = recording_.state().height;
    start.record.steps_per_frame = steps_per_frame;
    recording_.note_session(start);
    // Paused, so that no step is taken between the beginning and the first frame.
    core_.simulation.send(SetPaused{true});
    const auto compare = core_.simulation.compare();
    if (compare) core_.simulation.send(StopCompare{});
    LoadScene load{start.scene, start.engine, start.speed, false};  // the session file has no earlier state
    load.engine->background = true;
    core_.simulation.send(load);
    if (compare) {  // as in the file, so that B starts from the scene's beginning too
        CompareSettings b = *compare;
        b.engine.deterministic |= has_deterministic_mode(b.engine);
        core_.simulation.send(SetCompare{b});
        made_b_deterministic_ = !compare->engine.deterministic && b.engine.deterministic;
    }
    pace(steps_per_frame);
    made_deterministic_ = start.engine.deterministic && !was;
    core_.simulation.send(SetPaused{false});
}

/// Makes the engines reproducible to the bit while recording, if they have such a mode, and restores them afterwards.
void RecordingControl::pace(int steps_per_frame) {
    EngineConfig config = core_.simulation.engine();
    const bool recording = steps_per_frame > 0;
    const bool change = recording ? !config.deterministic && has_deterministic_mode(config)
                                  : made_deterministic_ && config.deterministic;
    made_deterministic_ = recording && change;
    config.deterministic = recording;
    const auto open = recording ? std::nullopt : std::exchange(open_engine_, {});
    if (open && config.engine == open->used.engine && config.tree == open->used.tree)
        core_.simulation.send(SetEngine{open->asked});
    else if (change)
        core_.simulation.send(SetEngine{config});
    if (!recording && std::exchange(made_b_deterministic_, false) && core_.simulation.compare()) {
        CompareSettings b = *core_.simulation.compare();
        b.engine.deterministic = false;
        core_.simulation.send(SetCompare{b});
    }
    core_.simulation.send(SetPacing{steps_per_frame});
    acknowledged_ = Clock::now();
}

/// Records a frame that the simulation waits for, as soon as the encoder has room for it.
void RecordingControl::take_frame(bool newer) {
    if (newer && core_.simulation.frame().paced) {
        paced_frame_ = true;
        recording_.took_step(std::chrono::duration<double>(Clock::now() - acknowledged_).count());
    }
    if (!paced_frame_) return;
    if (recording_.active() && (!recording_.room() || recording_.with_ui())) return;
    take([&] {
        const std::optional<OtherBodies> other = other_bodies();
        show_halos(other.has_value());
        recording_.add(picture_.view().bodies(), core_.simulation.frame(), core_.camera.camera().pose(),
                       core_.state.view, other ? &*other : nullptr);
    });
}

void RecordingControl::show_halos(bool compared) {
    const auto& page = core_.state.own.of<HalosPage>();
    recording_.show_halos(page.circles ? page.shown : ShownHalos{}, compared);
}

/// The bodies of a comparison, as shown. A session shows no times, because they differ in another run.
std::optional<OtherBodies> RecordingControl::other_bodies() const {
    if (!picture_.both().ready()) return std::nullopt;
    OtherBodies other{picture_.both().bodies(), core_.state.comparison.view, {}, {}};
    if (recording_.has_session()) return other;
    const auto text = [](const Timing& force) { return force.count > 0 ? milliseconds_text(force.median) : ""; };
    other.time_a = text(core_.simulation.status().force.timing);
    other.time_b = text(core_.simulation.status().compare.force);
    return other;
}

bool RecordingControl::seen_change() const {
    return core_.camera.camera().pose() != filmed_pose_ || core_.state.view != filmed_view_ ||
           core_.camera.state().playing;
}

void RecordingControl::film_still() {
    still_window_ = false;
    if (!recording_.active() || paced_frame_ || !core_.simulation.paused() || recording_.has_session()) return;
    if ((recording_.state().frames == 0 && !films_path_) || !seen_change() || !recording_.room() ||
        !recording_.still_due())
        return;
    if (recording_.with_ui()) {
        still_window_ = true;
        return;
    }
    add_one([&] {
        const std::optional<OtherBodies> other = other_bodies();
        show_halos(other.has_value());
        recording_.add(picture_.view().bodies(), core_.simulation.frame(), core_.camera.camera().pose(),
                       core_.state.view, other ? &*other : nullptr);
    });
}

/// The same with the panels, when they are drawn.
void RecordingControl::take_window() {
    if (!recording_.active() || !recording_.with_ui() || !recording_.room()) return;
    const auto add = [&] { recording_.add_window(core_.simulation.frame(), picture_.screen()); };
    if (paced_frame_)
        take(add);
    else if (std::exchange(still_window_, false))
        add_one(add);
}

/// Adds a frame to the video; a failure ends the recording.
template <class Add>
void RecordingControl::add_one(const Add& add) {
    try {
        add();
        filmed_pose_ = core_.camera.camera().pose(), filmed_view_ = core_.state.view;
        if (core_.camera.state().playing) core_.camera.advance_path(1.0 / recording_.state().fps);
        release_held();
    } catch (const std::exception& error) {
        recording_.abandon();
        release_held();
        pace(0);
        core_.messages.failure(error.what());
    }
    if (recording_.active() && (recording_.complete() || path_interrupted())) end();
}

bool RecordingControl::path_interrupted() const {
    const CameraState& camera = core_.camera.state();
    constexpr double kRounding = 1e-9;  // s
    return films_path_ && !camera.playing &&
           (camera.path.empty() ||
            camera.path_time < camera.path.keys.front().time + camera.path.duration() - kRounding);
}

template <class Add>
void RecordingControl::take(const Add& add) {
    paced_frame_ = false;
    if (recording_.active()) add_one(add);
    core_.simulation.acknowledge_frame();
    acknowledged_ = Clock::now();
}

void RecordingControl::end() {
    release_held();
    pace(0);
    try {
        recording_.stop();
    } catch (const Error& error) {
        core_.messages.failure(error.what());
    }
}

void RecordingControl::cancel() {
    if (!recording_.active()) return;
    held_.clear();
    pace(0);
    recording_.cancel();
    core_.messages.notice("Recording cancelled");
}

void RecordingControl::finish() {
    if (recording_.active()) end();
    recording_.wait();
    update();
}

void RecordingControl::update() {
    const bool active = recording_.active();
    try {
        if (recording_.poll()) {
            const RecordingState& done = recording_.state();
            last_made_ = done.path;
            const std::filesystem::path path = std::filesystem::absolute(done.path);
            std::error_code none;
            core_.messages.file(
                saved_text(done), path.string(),
                std::filesystem::is_regular_file(path, none) ? Toasts::FileUse::kPlay : Toasts::FileUse::kShow);
        }
    } catch (const std::exception& error) {
        release_held();
        if (active) pace(0);
        core_.messages.failure(error.what());
    }
    core_.state.recording.now = recording_.state();
    report_pause();
    snapshots_.watch();
}

/// A paused simulation yields no frames, which may surprise a user who has just started a recording.
void RecordingControl::report_pause() {
    const bool waits = recording_.active() && core_.simulation.paused();
    if (!std::exchange(pause_reported_, waits) && waits)
        core_.messages.notice(recording_.has_session()
                                  ? "The recording waits: the simulation is paused"
                                  : "The recording waits: the simulation is paused; camera moves are recorded",
                              "recording");
}

void SnapshotsControl::toggle() {
    if (!core_.simulation.ready()) return core_.messages.notice("Nothing to record yet");
    if (core_.simulation.status().saving.snapshots.on) return core_.simulation.send(RecordSnapshots{});
    const SnapshotsToWrite& wish = core_.state.recording.snapshots;
    const std::string by_time = name_by_time(hdf5::kWhyNot.empty() ? "-%04d.h5" : "-%04d.tipsy");
    const std::filesystem::path wanted = expand_home(wish.pattern.empty() ? by_time : wish.pattern);
    std::filesystem::path path = wanted;
    for (int i = 2; holds_something(path); ++i) path = with_counter(wanted, i);
    if (path != wanted)
        core_.messages.notice(phrase("{} exists and stays; recording to {}", wanted.string(), path.string()));
    core_.simulation.send(RecordSnapshots{std::filesystem::absolute(path).string(), wish.every});
}

void SnapshotsControl::watch() {
    const SnapshotsStatus& now = core_.simulation.status().saving.snapshots;
    const bool was = under_way_;
    under_way_ = now.on || now.ending;
    if (was && !under_way_ && !now.failed && now.written > 0)
        core_.messages.file(phrase("Recorded {}", count_phrase(now.written, "snapshot")), now.last);
}

}  // namespace orrery
