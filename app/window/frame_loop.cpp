// SPDX-License-Identifier: MIT
#include "app/window/frame_loop.hpp"

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/cli/interrupt.hpp"
#include "app/ui/panels.hpp"
#include "app/window/start_report.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/engines/menus.hpp"

namespace orrery {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The window's cores come first: the engine's threads give way to it.
EngineConfig in_background(EngineConfig config) {
    config.background = true;
    return config;
}

}  // namespace

FrameLoop::FrameLoop(const WindowConfig& config)
    : config_{config},
      clock_{config.clock},
      remembered_{config.fresh ? UserSettingsRead{} : read_user_settings(user_settings_path())},
      window_{GlfwWindowConfig{.width = config.width.value_or(remembered_.settings.width),
                               .height = config.height.value_or(remembered_.settings.height)}},
      simulation_{config.scene, in_background(config.engine)},
      imgui_{window_},
      view_{window_.gl_info()},
      compare_picture_{window_.gl_info()},
      limiter_{config.max_fps} {
    state_.lab.settings = usual_lab_settings("dummy", best_backend());
    adopt_settings();
    if (config_.fullscreen) toggle_fullscreen();
    if (config_.attract) toggle_attract();
    if (config_.look) adopt_look(*config_.look);
    if (config_.engine_of_scene)
        before_scene_ =
            in_background({.backend = default_backend(EngineConfig{}.engine), .threads = config_.engine.threads});
    if (config_.look && config_.look->speed) simulation_.send(SetSpeed{*config_.look->speed});
}

void FrameLoop::run() {
    const InterruptGuard guard;
    while (!window_.should_close() && !guard.interrupted()) {
        frame();
        record_between_frames();
        limiter_.wait();
    }
    if (recording_.active()) end_recording();
    recording_.wait();
    watch_recording();
    save_settings();
}

void FrameLoop::frame() {
    const WindowEvents events = window_.poll();
    clock_.tick();
    simulation_.poll();
    ui_clock_.start();
    imgui_.set_scale(ui_scale());
    imgui_.begin_frame(events, clock_.frame_seconds(),
                       lab_photo_ ? ImGuiHost::Mouse::kAway : ImGuiHost::Mouse::kAsItIs);
    ui_clock_.stop();
    attract(events);
    handle(events);
    take_messages();
    take_newest_frame();
    camera_.hold_path(recording_.active());
    camera_.advance(std::min(clock_.frame_seconds(), 0.1), imgui_.flight(events));
    ui_clock_.start();
    update_state();
    ui_clock_.stop();
    draw_picture();
    Wishes wishes;
    ui_clock_.start();
    draw_ui(wishes);
    imgui_.end_frame();
    ui_clock_.stop();
    photograph_lab();
    record_window();
    window_.swap();
    after_swap();
    apply(wishes);
    measure_frame();
}

void FrameLoop::handle(const WindowEvents& events) {
    use_mouse(imgui_.mouse(events.scroll));
    for (const auto& path : events.dropped) open(path.string());
    if (imgui_.takes_keys()) return;
    for (const KeyEvent& event : events.keys)
        if (event.action != 0 && !imgui_.takes_key(event.key) &&  // 0: GLFW_RELEASE
            !(camera_.state().mode == CameraMode::kFly && flies(event.key, event.mods)))
            if (const auto call = command_of(event.key, event.mods)) execute(*call);
}

void FrameLoop::measure_frame() {
    ui_times_.add(ui_clock_.take());
    state_.ui_cpu_ms = 1e3 * ui_times_.timing().median;
    const auto now = Clock::now();
    const double milliseconds = std::chrono::duration<double, std::milli>(now - last_frame_).count();
    last_frame_ = now;
    state_.history.add(clock_.seconds(), milliseconds, state_.ui_cpu_ms, simulation_.status());
    state_.diagnostics.add(simulation_.status());
}

void FrameLoop::take_messages() {
    const Status& status = simulation_.status();
    if (status.message_serial == message_seen_) return;
    message_seen_ = status.message_serial;
    if (!status.message.empty()) failure(status.message);
}

void FrameLoop::take_newest_frame() {
    const bool newer = simulation_.update_frame();
    if (newer) {
        view_.upload(simulation_.frame());
        compare_picture_.upload(simulation_.frame().other.get());
        camera_.bodies_moved(simulation_.frame());
    }
    notice_new_scene();
    if (newer && simulation_.frame().paced) {
        paced_frame_ = true;
        recording_.took_step(seconds_since(acknowledged_));
    }
    record_frame();
}

/// A status tells of a scene after its first frame: so the frame that was taken after the status is of that scene.
void FrameLoop::notice_new_scene() {
    const Status& status = simulation_.status();
    if (!simulation_.ready() || status.scene_serial == scene_serial_) return;
    scene_serial_ = status.scene_serial;
    forget_picked();
    for (const std::string& note : status.scene_notes) {
        notice(note, note);  // all of them stay
        fmt::print(stderr, "orrery: note: {}\n", note);
    }
    if (status.scene_id != scene_seen_ || camera_wanted_) first_picture_of_scene();
}

void FrameLoop::first_picture_of_scene() {
    const Status& status = simulation_.status();
    scene_seen_ = status.scene_id;
    const Look look = adopt_preset_look(scene_seen_);
    const auto transition = bodies_seen_ ? Transition::kSmooth : Transition::kAtOnce;
    if (camera_wanted_)
        adopt_camera(*std::exchange(camera_wanted_, std::nullopt));
    else if (look != Look{})
        adopt_camera({.yaw = look.yaw, .pitch = look.pitch, .zoom = look.zoom});
    else
        camera_.fit(view_.extent(), aspect(), transition);
    if (const auto compare = std::exchange(compare_wanted_, std::nullopt)) {
        state_.compare_view = compare->view;
        act(SetCompare{compare->settings(status.gravity.softening)});
    }
    window_.set_title("Orrery: " + status.scene_label);
    bodies_seen_ = true;
    if (wants_double(status)) notice("So few bodies keep their places longer in double precision: key Enter");
}

/// A preset brings its look, where nobody has changed that of the last one.
Look FrameLoop::adopt_preset_look(const std::string& scene_id) {
    const Look look = look_of(scene_id);
    if (state_.view == look_) state_.view = look.view;
    look_ = look.view;
    ask_for_colors();
    return look;
}

void FrameLoop::update_state() {
    state_.status = simulation_.status();
    state_.ready = simulation_.ready();
    state_.read = Progress::shown();
    state_.paused = simulation_.paused();
    state_.request = simulation_.request();
    state_.engine = simulation_.engine();
    state_.compare = simulation_.compare();
    state_.distances = compare_picture_.distances();
    state_.mode_used = view_.mode_used();
    state_.extent = view_.extent();
    state_.no_color = view_.no_color();
    watch_recording();
    state_.recording = recording_.state();
    state_.camera = camera_.state();
    place_markers();
    state_.map = map_watch_.update(state_.status, state_.engine);
    tried_.update(state_.status);
    state_.tried = tried_.list();
    update_lab();
    rate_.add();
    state_.ui_fps = rate_.rate();
    state_.gpu_ms = view_.gpu_ms();
    state_.white = view_.white();
    view_.set_content_scale(window_.content_scale());
    state_.cells_drawn = view_.cells_drawn();
    state_.width = window_.framebuffer_width();
    state_.height = window_.framebuffer_height();
    state_.legend = view_.legend(camera_.camera(), state_.view, std::max(1, state_.width), std::max(1, state_.height),
                                 180 * window_.content_scale());
}

/// The simulation spends no time on cells that nobody looks at.
void FrameLoop::ask_for_cells() {
    if (state_.view.octree.on == cells_asked_) return;
    cells_asked_ = state_.view.octree.on;
    simulation_.send(SetCells{cells_asked_ ? kMostCells : 0});
}

void FrameLoop::ask_for_differences() {
    const bool wanted = state_.compare_view.mode == CompareMode::kDifference;
    if (wanted == differences_asked_) return;
    differences_asked_ = wanted;
    simulation_.send(SetDifferences{wanted});
}

bool FrameLoop::comparing() const { return compare_picture_.ready() && simulation_.status().compare.on; }

void FrameLoop::ask_for_colors() {
    const ColorBy by = color_mode(state_.view.color_mode).by;
    if (by == colors_asked_) return;
    colors_asked_ = by;
    act(SetColorBy{by});
}

void FrameLoop::draw_picture() {
    if (state_.width < 1 || state_.height < 1) return;  // minimised
    const Pace pace = paced_frame_ && recording_.with_ui() ? Pace::kNow : Pace::kAffordable;
    if (comparing()) {
        const float covered = state_.panels ? sidebar_width(ui_scale()) : 0;
        compare_picture_.draw(view_, state_.width, state_.height, static_cast<int>(covered), camera_.camera(),
                              state_.view, state_.compare_view, pace);
        return compare_picture_.show();
    }
    view_.draw(state_.width, state_.height, camera_.camera(), state_.view, pace);
    view_.show();
}

void FrameLoop::draw_ui(Wishes& wishes) {
    widgets_.clear();
    Widgets ui{widgets_, ui_scale()};
    hand_overlay(ui, state_);
    timeline_overlay(ui, state_, wishes);
    if (state_.panels) map_overlay(ui, state_, imgui_.fonts(), wishes);
    if (state_.panels) theta_overlay(ui, state_, wishes);
    lab_place_ = state_.panels ? lab_overlay(ui, state_, imgui_.fonts()) : std::nullopt;
    if (!lab_place_) compare_overlay(ui, state_, wishes);
    const bool both = state_.status.compare.on;  // whose figures stand beside their pictures
    if (state_.overlay && state_.ready && !lab_place_ && !both) figures_overlay(ui, state_, imgui_.fonts());
    if (state_.ready && !lab_place_ && !both) legend_overlay(ui, state_, imgui_.fonts());
    if (state_.panels) sidebar(ui, state_, wishes);
    recording_indicator(ui, state_);
    loading_indicator(ui, state_);
    if (state_.help) help_overlay(ui, wishes);
    if (!lab_photo_) toasts_.draw(ui);
    widgets_.drop_covered();
}

void FrameLoop::after_swap() {
    ++extras_.frames;
    if (!extras_.first_frame_ms) {
        glFinish();  // the frame counts when it is drawn, not when it was asked for
        const double seconds = seconds_since(start_);
        extras_.first_frame_ms = seconds * 1e3;
        report(report_on_machine(window_.gl_info(), seconds));
    }
    if (bodies_seen_ && !scene_reported_) {
        scene_reported_ = true;
        report(report_on_scene(config_, simulation_.status(), view_.bodies(), seconds_since(start_)));
    }
    extras_.camera = camera_.camera().pose();
    extras_.camera_moving = camera_.moving();
    extras_.typing = imgui_.takes_keys();
    if (!config_.ui_map.empty()) write_ui_map(config_.ui_map, ui_map_text(widgets_, state_, extras_));
}

void FrameLoop::report(const std::vector<ReportLine>& lines) {
    print_report(lines);
    state_.report.insert(state_.report.end(), lines.begin(), lines.end());
}

void FrameLoop::apply(const Wishes& wishes) {
    for (const Action& action : wishes.actions) {
        if (const auto* scene = std::get_if<LoadScene>(&action)) {
            state_.scene = {};
            if (scene->request.source == simulation_.request().source)
                act(*scene);  // the same one, with another number or seed
            else
                load(*scene);
        } else if (const auto* engine = std::get_if<SetEngine>(&action)) {
            use_engine(engine->config);
        } else {
            act(action);
        }
    }
    if (!wishes.open.empty()) open(wishes.open);
    if (wishes.view) state_.view = *wishes.view;
    if (wishes.compare_view) state_.compare_view = *wishes.compare_view;
    if (wishes.camera) camera_.set(*wishes.camera);
    if (wishes.pick) pick(*wishes.pick);
    if (wishes.record) state_.record = *wishes.record;
    if (wishes.snapshot_path) state_.snapshot_path = *wishes.snapshot_path;
    if (wishes.scene_path) state_.scene_path = *wishes.scene_path;
    if (wishes.panel) state_.panel = *wishes.panel;
    state_.map_hover = wishes.map_hover;
    if (wishes.theta_plot) state_.theta_plot = *wishes.theta_plot;
    if (wishes.structure_plot) state_.structure_plot = *wishes.structure_plot;
    if (wishes.text_scale) state_.text_scale = *wishes.text_scale;
    if (wishes.forget_tried) tried_.clear();
    if (wishes.lab) choose(state_.lab, *wishes.lab);
    if (wishes.lab_action) act_in_lab(*wishes.lab_action);
    state_.type_file = false;
    for (const CommandCall call : wishes.commands) execute(call);
    ask_for_cells();
    ask_for_differences();
    ask_for_mass_centre();
    ask_for_colors();
}

void FrameLoop::notice(const std::string& text, std::string_view topic) {
    extras_.message = text;
    toasts_.say(Toasts::Kind::kNotice, text, topic);
}

void FrameLoop::failure(const std::string& text) {
    extras_.message = text;
    toasts_.say(Toasts::Kind::kFailure, text);
    fmt::print(stderr, "orrery: {}\n", text);
}

double FrameLoop::aspect() const {
    return std::max(1, window_.framebuffer_width()) / static_cast<double>(std::max(1, window_.framebuffer_height()));
}

}  // namespace orrery
