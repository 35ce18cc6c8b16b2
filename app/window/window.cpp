// SPDX-License-Identifier: MIT
#include "app/window/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/picture/format.hpp"
#include "app/platform/glfw_window.hpp"
#include "app/render/gl/gl_info.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/render/view_region.hpp"
#include "app/ui/drawn_text.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/commands.hpp"
#include "app/window/features.hpp"
#include "app/window/frame_pace.hpp"
#include "app/window/halos/halos_page.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/learn/learn_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "app/window/plots/roofline.hpp"
#include "app/window/ui_map.hpp"
#include "app/window/ui_state.hpp"
#include "app/window/window_parts.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cloud/cloud_cut.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/sharing.hpp"

namespace orrery {
namespace {

/// Draws the newest state available and passes requests to the simulation. Waits only for the next frame.
class FrameLoop {
public:
    FrameLoop(const WindowConfig& config, const MakeSurface& make) : parts_{config, make}, limiter_{config.max_fps} {}
    void run();  ///< until the window is closed; completes a recording in progress

private:
    bool may_idle();
    bool has_news();
    void type_commands(const WindowEvents& events);
    void wait_while_idle();
    void frame();
    void begin_frame(const WindowEvents& events);
    void handle(const WindowEvents& events);
    bool covered() const;
    bool moves_focus(const KeyEvent& event);
    bool acts_now(Command command) const;
    void take_message();
    void warn_of_drift();
    void take_newest_frame();
    void update_cloud_view();
    void record_between_frames();
    void update_state();
    void draw_picture();
    void show(bool needs_redraw);
    void draw_ui(UiRequests& requests);
    void report();
    std::string now_text() const;
    void report_new_files();
    void write_map();

    FrameMeter meter_;  // first: it counts from the start
    WindowParts parts_;
    WindowCore& core_ = parts_.core;
    FrameLimiter limiter_;
    WidgetMap widgets_;
    UiMapExtras extras_;
    std::shared_ptr<const BodyMetadata> words_seen_;
    ViewRegion region_;                // sent last
    std::uint64_t region_serial_ = 0;  // of the scene for which it was sent
    std::uint64_t message_seen_ = 0, saved_seen_ = 0, drift_scene_ = 0;
    bool drift_reported_ = false;
    bool scene_reported_ = false, frame_waits_ = false, asked_ = false;
    double unseen_ = 0;  // seconds from the start without a viewer for whom to draw the first frame
    IdleDetector idle_;
    std::vector<std::string> reported_files_;  // the last files reported to the surface
};

std::string cuda_text() {
    const CudaInfo& cuda = cuda_info();
    if (!cuda.available) return phrase("not used: {}", if_known(cuda.reason));
    std::string text;
    for (const CudaDevice& device : cuda.devices)
        text += fmt::format("{}{} ({}.{}, {:.0f} GiB)", text.empty() ? "" : "; ", device.name, device.major,
                            device.minor, static_cast<double>(device.memory) / (1u << 30));
    return verbatim(text);
}

std::string way_text(const SharedBuffer& bodies, Backend backend) {
    const bool copied = backend == Backend::kGl && bodies.way() != SharedBuffer::Way::kShared;
    const std::string why = copied ? gl::why_frames_are_copied() : bodies.why_not_interop();
    return translated(std::string{if_known(name_of(bodies.way()))} +
                      (why.empty() ? "" : ": " + std::string{if_known(why)}));
}

std::string engine_text(const WindowConfig& config, const EngineConfig& engine) {
    const std::string why = config.engine_chosen               ? "as requested"
                            : engine.backend == Backend::kCuda ? "CUDA is available"
                            : engine.backend == Backend::kGl   ? "OpenGL computes, CUDA is not available"
                                                               : "CUDA is not available";
    return phrase("{} on {}, {} precision ({})", engine.engine, name(engine.backend), if_known(name(engine.precision)),
                  tr(why));
}

// The start-up report: the hardware, the choices made and their reasons. Each function returns the lines known at its
// time. The texts say when the first frame and the first bodies appeared: "0.52 s after the start".
std::vector<ReportLine> report_on_machine(const GlInfo& gl, const std::string& first_frame) {
    const std::string opengl = verbatim(fmt::format("{}, {}", gl.version, gl.renderer));
    return {{"OpenGL", gl.software ? phrase("{}; drawn by the CPU", opengl) : opengl},
            {"CUDA", cuda_text()},
            {"First frame", first_frame}};
}

std::vector<ReportLine> report_on_scene(const WindowConfig& config, const Status& status, const SharedBuffer& bodies,
                                        const std::string& first_bodies) {
    std::vector<ReportLine> lines{{"Scene", fmt::format("{}, {}, {}", if_known(status.scene.label),
                                                        bodies_in_words(status.bodies), first_bodies)},
                                  {"Engine", engine_text(config, status.engine.config)},
                                  {std::string{kToOpenGl}, way_text(bodies, status.engine.config.backend)}};
    if (status.engine.ranks > 1) lines.push_back({"Ranks", ranks_text(status.engine.ranks, status.engine.shared)});
    return lines;
}

/// to stderr
void print_report(const std::vector<ReportLine>& lines) {
    for (const ReportLine& line : lines) to_stderr("{:<12}{}\n", line.what, line.found);
}

constexpr double kLongestFrame = 0.1;  // s: after a longer frame, the camera must not jump

/// Names and units of a file; a preset's name has a translation.
void note_data_of(const SceneStatus& scene) {
    if (!checks_words()) return;
    for (const std::string* text : {&scene.length_unit, &scene.mass_unit, &scene.facts.format}) verbatim(*text);
    if (if_known(scene.label) == scene.label) verbatim(scene.label);
    for (const std::string& note : scene.notes) verbatim(note);
}

glm::dvec2 pixels_per_coordinate() {
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    return {scale.x, scale.y};
}

}  // namespace

void FrameLoop::run() {
    const InterruptGuard guard;
    while (!parts_.window.should_close() && !guard.interrupted()) {
        if (may_idle()) {
            wait_while_idle();
        } else {
            frame();
            record_between_frames();
            limiter_.wait();
        }
    }
    parts_.recording.finish();
    if (!guard.interrupted()) parts_.autosave.forget();
    parts_.save_settings();
}

/// True if paused or minimised, and nothing moves by itself. A clock driven by frames needs every frame.
bool FrameLoop::may_idle() {
    const bool still = core_.simulation.ready() && core_.simulation.paused() && core_.simulation.settled();
    return core_.clock.kind() == ClockKind::kWall && !parts_.recording.active() && !parts_.recording.ending() &&
           (parts_.window.minimised() || (still && idle_.due()));
}

/// Waits for an event or for something new to draw.
void FrameLoop::wait_while_idle() {
    const bool needs_redraw = parts_.window.wait(IdleDetector::kPollInterval);
    if (!extras_.first_frame_ms) unseen_ = meter_.seconds();
    if (needs_redraw && !parts_.window.minimised()) return idle_.moved();
    core_.simulation.poll();
    frame_waits_ |= core_.simulation.update_frame();
    if (idle_.differs(core_.simulation.status()) || frame_waits_ || has_news()) idle_.moved();
}

/// True if a feature needs a frame although nothing moves.
bool FrameLoop::has_news() {
    return std::ranges::any_of(parts_.features(), [](const Feature* feature) { return feature->has_news(); });
}

void FrameLoop::frame() {
    const WindowEvents events = parts_.window.poll();
    const bool needs_redraw = parts_.window.needs_redraw();
    if (events.narrowed) core_.state.layout.panel = {};
    begin_frame(events);
    handle(events);
    take_message();
    warn_of_drift();
    take_newest_frame();
    core_.camera.hold_path(parts_.recording.active());
    core_.camera.advance(std::min(core_.clock.frame_seconds(), kLongestFrame), parts_.imgui.flight(events));
    update_cloud_view();
    parts_.recording.film_still();
    meter_.ui([&] { update_state(); });
    draw_picture();
    UiRequests requests;
    meter_.ui([&] {
        draw_ui(requests);
        parts_.imgui.end_frame();
    });
    show(needs_redraw);
    report();
    write_map();
    parts_.apply(requests);
    report_new_files();
    meter_.add(core_.state, core_.clock.seconds(), core_.simulation.status());
    idle_.after_frame(needs_redraw || core_.camera.moving() || core_.messages.shown() || core_.state.layout.attract ||
                          core_.state.lab.run.running || core_.state.own.of<RooflineState>().measuring ||
                          (core_.state.own.of<MapLesson>().walk.playing && core_.state.layout.panel == "maps") ||
                          parts_.lab.capture_pending() || core_.state.scene.read >= 0 ||
                          parts_.picture.view().waits() || has_news() || core_.simulation.status().source.cloud.reading,
                      core_.simulation.status());
}

void FrameLoop::begin_frame(const WindowEvents& events) {
    core_.clock.tick();
    core_.simulation.poll();
    core_.state.picture.width = parts_.window.framebuffer_width();
    core_.state.picture.height = parts_.window.framebuffer_height();
    const float scale = parts_.ui_scale();
    core_.covered = {
        sidebar_width(core_.state, scale) + kernel_editor_width(core_.state, scale),
        transport_height(core_.state, scale) + std::max(comparison_height(scale), halo_tree_height(scale))};
    meter_.ui([&] {
        parts_.imgui.set_style(parts_.ui_scale(), core_.state.layout.theme, core_.state.scene.glyphs);
        parts_.imgui.begin_frame(events, core_.clock.frame_seconds(),
                                 parts_.lab.capture_pending() ? ImGuiHost::Mouse::kAway : ImGuiHost::Mouse::kAsItIs);
    });
    core_.size = {ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
}

void FrameLoop::handle(const WindowEvents& events) {
    const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    if (pressed) parts_.layout.set_keyboard(false);
    const bool attracted = core_.state.layout.attract;
    parts_.attract.handle(events, pressed);
    const MouseInput mouse = parts_.imgui.mouse(
        events, [this](glm::dvec2 at) { return parts_.hand.grabs(at, parts_.window.content_scale()); });
    const glm::dvec2 size = core_.size;
    const OrbitCamera camera = core_.shown_camera();
    core_.camera.mouse(mouse, std::max(1.0, size.y), camera.project(camera.pose().target, size.x, size.y));
    parts_.hand.use(mouse, parts_.window.content_scale());
    parts_.scenes.open(events.dropped);
    if (events.close) parts_.leave.ask();
    if (parts_.leave.asks()) {
        if (!std::exchange(asked_, true)) parts_.imgui.let_go();
        for (const KeyEvent& event : events.keys)
            if (event.action == GLFW_PRESS && !moves_focus(event)) parts_.leave.key(event.key);
        return;
    }
    asked_ = false;
    const bool ended = attracted && !core_.state.layout.attract;  // by a key, which must do nothing else
    if (parts_.imgui.takes_keys()) type_commands(events);
    if (ended || parts_.imgui.takes_keys()) return;
    for (const KeyEvent& event : events.keys)
        if (event.action != 0 && !moves_focus(event) && !parts_.imgui.takes_key(event.key) &&  // 0: GLFW_RELEASE
            !(core_.camera.state().mode == CameraMode::kFly && flies(event.key, event.mods)))
            if (const auto call = command_of(event); call && acts_now(call->command)) execute(parts_, *call);
}

/// While the kernel's text is edited, F9 runs it and Ctrl + S saves its file.
void FrameLoop::type_commands(const WindowEvents& events) {
    auto& page = core_.state.own.of<KernelPage>();
    if (page.caret == 0) return;
    for (const KeyEvent& event : events.keys) {
        const auto call = event.action == GLFW_PRESS ? command_of(event) : std::nullopt;
        if (call && call->command == Command::kRunKernel) page.wish.run = true;
        if (!call || call->command != Command::kSaveScene) continue;
        page.wish.save = !page.path.empty();
        if (page.path.empty()) core_.messages.notice("An example has no file: type a path, then Save as");
    }
}

/// True if something with controls of its own covers the panels.
bool FrameLoop::covered() const {
    return std::ranges::any_of(overlays(),
                               [&](const Overlay& overlay) { return overlay.covers && overlay.covers(core_.state); });
}

/// Handles Tab, and Enter on a focused control, under keyboard control, which Tab begins in a dialog.
bool FrameLoop::moves_focus(const KeyEvent& event) {
    if (parts_.imgui.takes_keys() || (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER))) return false;
    const bool enter = event.key == GLFW_KEY_ENTER || event.key == GLFW_KEY_KP_ENTER;
    if (enter && !parts_.imgui.focused(widgets_.controls()).empty()) {
        parts_.imgui.press_focused(widgets_.controls());
        return true;
    }
    if (event.key != GLFW_KEY_TAB || !(core_.state.layout.keyboard || covered())) return false;
    parts_.layout.set_keyboard(true);
    parts_.imgui.focus_next(widgets_.controls(), event.mods & GLFW_MOD_SHIFT ? -1 : +1);
    return true;
}

/// A key must not change what an open list or overlay covers.
bool FrameLoop::acts_now(Command command) const {
    const UiState& state = core_.state;
    if (parts_.imgui.list_open()) return command == Command::kQuit;
    const bool reads = state.own.of<LearnPage>().reading;
    return !(state.gallery.on || state.palette.on || state.layout.help || reads) || acts_under_cover(command);
}

void FrameLoop::take_message() {
    const Status& status = core_.simulation.status();
    if (std::exchange(saved_seen_, status.saving.serial) != status.saving.serial)
        core_.messages.file("State saved", status.saving.path);
    if (status.message.serial == message_seen_) return;
    message_seen_ = status.message.serial;
    if (!status.message.text.empty()) core_.messages.failure(status.message.text);
}

/// Warns once per reference state of the energies. A series is not computed here, so it gets no warning.
void FrameLoop::warn_of_drift() {
    const Status& status = core_.simulation.status();
    const auto found = status.energy.conservation();
    if (!found || status.scene.serial != drift_scene_) drift_reported_ = false;
    drift_scene_ = status.scene.serial;
    if (!found || found->kept || status.source.series.on || std::exchange(drift_reported_, true)) return;
    core_.messages.notice(drift_text(*found), "drift");
}

void FrameLoop::take_newest_frame() {
    const bool newer = core_.simulation.update_frame() || frame_waits_;
    frame_waits_ = false;
    if (newer) {
        parts_.picture.upload(core_.simulation.frame());
        core_.camera.bodies_moved(core_.simulation.frame(), core_.state.picture.space);
        const auto& words = core_.simulation.frame().words;
        core_.state.scene.species =
            words ? std::shared_ptr<const std::vector<Species>>{words, &words->species_of} : nullptr;
        if (parts_.scenes.bodies_seen()) parts_.hand.bodies_changed(core_.simulation.frame());
    }
    if (newer && core_.simulation.frame().words != words_seen_) {
        words_seen_ = core_.simulation.frame().words;
        core_.state.scene.glyphs = words_seen_ ? extra_glyphs(words_seen_->names) : Glyphs{};
        if (words_seen_ && checks_words())
            for (const std::string& name : words_seen_->names) verbatim(name);
    }
    if (parts_.scenes.notice_new(parts_.picture.view().extent_in(core_.state.view))) {
        parts_.hand.forget();
        parts_.gallery.opened(core_.simulation.request());
        note_data_of(core_.simulation.status().scene);
        parts_.window.set_title("Orrery: " + core_.simulation.status().scene.label);
    }
    parts_.recording.take_frame(newer);
}

/// Requests the part of a cloud that the camera sees.
void FrameLoop::update_cloud_view() {
    const Status& status = core_.simulation.status();
    if (!status.source.cloud.on || core_.state.picture.width < 1 || core_.state.picture.height < 1) return;
    const ViewRegion now = view_region(core_.shown_camera(), core_.state.view, core_.state.picture.width,
                                       core_.state.picture.height, Lens::kFlat, parts_.window.gl_info().software);
    if (now == region_ && status.scene.serial == region_serial_) return;
    region_ = now, region_serial_ = status.scene.serial;
    core_.simulation.send(SetViewRegion{now});
}

/// Records a video as fast as it plays, if the machine can; also with more frames per second than the window has.
void FrameLoop::record_between_frames() {
    constexpr std::chrono::microseconds kNap{300};
    while (parts_.recording.hurries() && limiter_.left() > 2 * kNap) {
        core_.simulation.poll();
        take_newest_frame();
        if (!parts_.recording.has_frame()) std::this_thread::sleep_for(kNap);
    }
}

/// Updates the state that the panels show.
void FrameLoop::update_state() {
    UiState& state = core_.state;
    const SimulationLink& simulation = core_.simulation;
    state.status = simulation.status();
    state.scene.ready = simulation.ready();
    state.scene.read = Progress::shown();
    state.requested.paused = simulation.paused();
    state.requested.scene = simulation.request();
    state.requested.engine = simulation.engine();
    state.requested.compare = simulation.compare();
    for (Feature* feature : parts_.features()) feature->update();
    state.performance.ui_fps = meter_.rate();
    parts_.picture.set_content_scale(parts_.window.content_scale());
    const SceneView& view = parts_.picture.view();
    state.comparison.distances = parts_.picture.both().distances();
    state.picture.mode_used = view.mode_used();
    state.picture.extent = view.extent();
    state.picture.space = view.space(), state.picture.box = view.bodies().words() ? view.bodies().words()->box : 0;
    state.picture.no_color = view.no_color();
    state.performance.gpu_ms = view.gpu_ms();
    state.performance.way = name_of(view.bodies().way());
    state.picture.white = view.exposed().white, state.picture.stretch = view.exposed().stretch;
    state.picture.cells_drawn = view.cells_drawn();
    state.picture.bodies_drawn = view.drawn().count();
    const auto& words = simulation.frame().words;
    state.scene.species_present =
        words && !state.status.source.cloud.on ? words->species : std::bitset<kSpeciesCount>{};
    state.picture.legend = view.legend(core_.shown_camera(), state.view, std::max(1, state.picture.width),
                                       std::max(1, state.picture.height), 180 * parts_.window.content_scale());
}

void FrameLoop::draw_picture() {
    parts_.picture.draw(parts_.recording.wants_window() ? Pace::kNow : Pace::kAffordable);
}

void FrameLoop::draw_ui(UiRequests& requests) {
    widgets_.clear();
    Widgets ui{widgets_, parts_.ui_scale()};
    ui.seek(core_.state.layout.sought.label);
    DrawnFrame drawn{ui, widgets_, core_.state, requests};
    drawn.large.title = core_.state.plots.large;
    ui.set_large_plot(&drawn.large);
    for (const Overlay& overlay : overlays()) {
        if (core_.state.layout.clean && overlay.layer <= Layer::kIndicators) continue;
        // A tip would be drawn over whatever covers its widget.
        const bool covered = std::ranges::any_of(overlays(), [&](const Overlay& other) {
            return other.layer > overlay.layer && other.covers && other.covers(core_.state);
        });
        ui.set_quiet(covered);
        widgets_.set_covered(covered);
        overlay.draw(parts_, drawn);
    }
    ui.set_quiet(false);
    widgets_.set_covered(false);
    if (drawn.title) widgets_.note_place("title", *drawn.title);
    if (const std::string refusal = ui.take_refusal(); !refusal.empty()) core_.messages.notice(refusal, "typed");
    if (!parts_.lab.capture_pending())
        core_.messages.draw(ui, core_.state, drawn.title ? drawn.title->y1 : 0, requests);
    widgets_.drop_covered();
}

/// Draws the panels over the picture, and shows the frame.
void FrameLoop::show(bool needs_redraw) {
    // A window that was covered reports a redraw when it becomes visible again.
    const bool needed = needs_redraw || parts_.lab.capture_pending() || parts_.recording.wants_window();
    bool drawn = true;
    meter_.ui([&] {
        if (parts_.picture.composed())
            drawn = parts_.picture.compose(parts_.imgui.restyled(), needed, parts_.imgui.panels());
        else
            parts_.imgui.draw();
    });
    if (!drawn) return;
    parts_.lab.capture(parts_.picture, pixels_per_coordinate());
    parts_.recording.take_window();
    parts_.window.swap(core_.simulation.status().step);
    if (parts_.picture.composed()) parts_.picture.shown();
}

/// Reports what was found at the start, once it is known: in the panel and on stderr.
void FrameLoop::report() {
    const auto add = [&](const std::vector<ReportLine>& lines) {
        print_report(lines);
        core_.state.performance.report.insert(core_.state.performance.report.end(), lines.begin(), lines.end());
    };
    if (!extras_.first_frame_ms) {
        glFinish();  // measure until the frame is drawn, not until it is submitted
        extras_.first_frame_ms = (meter_.seconds() - unseen_) * 1e3;
        add(report_on_machine(parts_.window.gl_info(), now_text()));
    }
    if (!parts_.scenes.bodies_seen() || scene_reported_) return;
    scene_reported_ = true;
    add(report_on_scene(core_.config, core_.simulation.status(), parts_.picture.view().bodies(), now_text()));
}

/// A window in a browser draws its first frame when a viewer connects, which may be long after the start.
std::string FrameLoop::now_text() const {
    return phrase(unseen_ > 0 ? "{:.2f} s after the first viewer came" : "{:.2f} s after the start",
                  meter_.seconds() - unseen_);
}

void FrameLoop::report_new_files() {
    const auto files = std::to_array<const std::string*>(
        {&parts_.recording.last_made(), &parts_.exports.last_screenshot(), &parts_.exports.last_text(),
         &parts_.scenes.last_saved(), &core_.simulation.status().saving.path, &core_.state.lab.last_export});
    reported_files_.resize(files.size());
    for (std::size_t i = 0; i < files.size(); ++i)
        if (reported_files_[i] != *files[i]) parts_.window.made_file(reported_files_[i] = *files[i]);
}

void FrameLoop::write_map() {
    ++extras_.frames;
    if (core_.config.ui_map.empty()) return;
    if (language() != "en")
        for (const DrawnWord& each : drawn_words(parts_.imgui.panels(), *ImGui::GetIO().Fonts))
            note_drawn(each.word, each.line);
    extras_.message = core_.messages.last();
    extras_.last_screenshot = parts_.exports.last_screenshot();
    extras_.last_export = parts_.exports.last_text();
    extras_.last_scene = parts_.scenes.last_saved();
    extras_.camera = core_.camera.camera().pose();
    extras_.camera_moving = core_.camera.moving();
    extras_.typing = parts_.imgui.takes_keys();
    extras_.typed = parts_.imgui.typed();
    extras_.focus = parts_.imgui.focused(widgets_.controls());
    const ImGuiIO& io = ImGui::GetIO();
    extras_.mouse_x = io.MousePos.x, extras_.mouse_y = io.MousePos.y;
    for (int button = 0; button < 3; ++button) extras_.clicks += io.MouseReleased[button];
    write_ui_map(core_.config.ui_map, ui_map_text(widgets_, core_.state, extras_));
}

int run_window(const WindowConfig& config, const MakeSurface& make) {
    FrameLoop{config, make}.run();
    return 0;
}

int run_window(const WindowConfig& config) {
    return run_window(config, [](int width, int height) {
        return std::make_unique<GlfwWindow>(GlfwWindowConfig{.width = width, .height = height});
    });
}

}  // namespace orrery
