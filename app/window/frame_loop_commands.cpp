// SPDX-License-Identifier: MIT
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/exported_plots.hpp"
#include "app/window/frame_loop.hpp"
#include "app/window/screenshot.hpp"
#include "core/base/error.hpp"
#include "core/diagnostics/columns.hpp"
#include "core/engines/map_choices.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

constexpr double kFastest = 10'000;  // steps per second; what is faster is unlimited
constexpr double kSlowest = 0.5;

}  // namespace

void FrameLoop::execute(CommandCall call) {
    switch (call.command) {
        case Command::kTogglePause:
            return simulation_.send(SetPaused{!simulation_.paused()});
        case Command::kStep:
            return act(SingleStep{});
        case Command::kStepBack:
            return act(SingleStep{.back = true});
        case Command::kReverse:
            return reverse();
        case Command::kRewind:
            return act(RewindBy{call.argument});
        case Command::kRestart:
            return act(LoadScene{simulation_.request()});
        case Command::kPreset:
            return change_preset(call.argument);
        case Command::kEngine:
            return change_engine(call.argument);
        case Command::kBackend:
            return take(to_other_backend(simulation_.engine()));
        case Command::kMap:
            return change_map();
        case Command::kPrecision:
            return change_precision();
        case Command::kSpeed:
            return change_speed(call.argument);
        case Command::kRecord:
            return toggle_recording();
        case Command::kCancelRecording:
            return cancel_recording();
        case Command::kScreenshot:
            return take_screenshot();
        case Command::kTypeFile:
            state_.panels = true, state_.panel = "scene", state_.type_file = true;
            return;
        case Command::kSaveScene:
            return save_scene();
        case Command::kFit:
            return camera_.fit(view_.extent(), aspect(), Transition::kSmooth);
        case Command::kFollow:
            return toggle_follow();
        case Command::kFly:
            return toggle_fly();
        case Command::kAddCameraKey:
            return add_camera_key();
        case Command::kPlayPath:
            return play_path();
        case Command::kRecallCamera:
            if (!camera_.recall(call.argument))
                notice(fmt::format("No camera is stored in place {0}; Shift+F{0} stores this one", call.argument));
            return;
        case Command::kStoreCamera:
            camera_.store(call.argument);
            return notice(fmt::format("Camera stored; F{} recalls it", call.argument));
        case Command::kOctree:
            return toggle_octree();
        case Command::kLab:
            return toggle_lab();
        case Command::kCompare:
            return toggle_compare();
        case Command::kFlip:
            return flip();
        case Command::kOverlay:
            state_.overlay = !state_.overlay;
            return;
        case Command::kPanels:
            state_.panels = !state_.panels;
            return;
        case Command::kHelp:
            state_.help = !state_.help;
            return;
        case Command::kKeyboard:
            return set_keyboard(!state_.keyboard);
        case Command::kTextScale:
            return change_text(call.argument);
        case Command::kExportHistory:
            return export_text("History", "-history.csv", history_csv(state_.history));
        case Command::kExportCompare:
            return export_text("Comparison", "-compare.csv", compare_csv(state_.status.compare));
        case Command::kExportDiagnostics:
            if (const auto& structure = state_.status.structure.now)
                export_text("Density profile", "-profile.csv", profile_csv(*structure));
            return export_text("Diagnostics", "-diagnostics.csv", diagnostics_csv(state_.diagnostics));
        case Command::kPlotHistory:
            return export_text("History", "-history.svg", history_svg(state_.history, plot_title()));
        case Command::kPlotCompare:
            return export_text("Comparison", "-compare.svg", compare_svg(state_.status.compare, plot_title()));
        case Command::kPlotDiagnostics:
            return export_text("Diagnostics", "-diagnostics.svg", diagnostics_svg(state_.diagnostics, plot_title()));
        case Command::kAttract:
            return toggle_attract();
        case Command::kFullscreen:
            return toggle_fullscreen();
        case Command::kQuit:
            return close_or_quit();
    }
}

void FrameLoop::change_preset(int by) {
    const auto menu = presets();
    const auto count = static_cast<std::ptrdiff_t>(menu.size());
    const auto now = std::ranges::find(menu, simulation_.request().source, &PresetEntry::id);
    std::ptrdiff_t place = by > 0 ? 0 : count - 1;  // from a snapshot: to an end of the menu
    if (now != menu.end()) place = (now - menu.begin() + by + count) % count;
    SceneRequest request;
    request.source = menu[static_cast<std::size_t>(place)].id;
    request.seed = simulation_.request().seed;
    state_.scene = {};
    load(LoadScene{request});
}

void FrameLoop::change_engine(int key) {
    const auto keys = engine_keys();
    take(to_engine(simulation_.engine(), keys[static_cast<std::size_t>(key - 1)]));
}

void FrameLoop::take(const EngineChange& change) {
    if (change.possible) use_engine(change.config);
    notice(change.words, "Engine");
}

/// One that a person chose: it stays when the scene changes.
void FrameLoop::use_engine(const EngineConfig& config) {
    before_scene_.reset();
    act(SetEngine{config});
}

void FrameLoop::change_map() {
    EngineConfig config = simulation_.engine();
    if (map_in_force(config).empty()) return notice("This engine walks no thread map; Half matrix does: key 2");
    const auto to_next = [](const auto& menu, std::string& id) {
        const auto now = std::ranges::find_if(menu, [&](const auto& entry) { return entry.id == id; });
        id = now == menu.end() || now + 1 == menu.end() ? menu.front().id : (now + 1)->id;
    };
    const bool pairs = walks_pairs(config);
    pairs ? to_next(maps(), config.map) : to_next(simplex3_maps(), config.map3);
    use_engine(config);
    if (!pairs || !state_.panels || state_.panel != "maps")  // else its title says so
        notice(fmt::format("Map: {}", map_in_force(config)));
}

void FrameLoop::change_precision() {
    EngineConfig config = simulation_.engine();
    const EngineEntry& entry = engine(config.engine, config.backend);
    const auto menu = precisions();
    auto next = std::ranges::find(menu, config.precision);
    do next = next + 1 == menu.end() ? menu.begin() : next + 1;
    while (!offers(entry, *next));
    config.precision = *next;
    use_engine(config);
    notice(fmt::format("Precision: {}", name(config.precision)));
}

void FrameLoop::toggle_octree() {
    bool& on = state_.view.octree.on;
    on = !on;
    const EngineConfig& config = simulation_.engine();
    const bool tree = config.engine == "auto" || std::ranges::any_of(engines(), [&](const EngineEntry& entry) {
                          return entry.id == config.engine && entry.backend == config.backend && entry.has_tree();
                      });
    if (on && !tree) notice("This engine has no tree; Tree (Barnes–Hut) does: key 3");
}

void FrameLoop::toggle_compare() {
    if (simulation_.compare()) return act(StopCompare{});
    if (!simulation_.ready()) return notice("Nothing to compare yet");
    act(SetCompare{{.engine = simulation_.engine(), .softening = simulation_.status().gravity.softening}});
    state_.panel = "compare";
    notice("B begins as A is; change it in the Compare tab");
}

void FrameLoop::flip() {
    if (!simulation_.compare()) return notice("There is no comparison; key X begins one");
    CompareView& view = state_.compare_view;
    view.show_b = view.mode == CompareMode::kFlip ? !view.show_b : true;
    view.mode = CompareMode::kFlip;
}

void FrameLoop::change_speed(int by) {
    double speed = simulation_.speed_limit();
    if (speed == 0) {
        if (by > 0) return notice("Speed: unlimited already");
        // From as fast as it goes: to half of what that comes to.
        speed = std::exp2(std::floor(std::log2(std::max(1.0, simulation_.status().steps_per_second))));
    } else {
        speed = by > 0 ? speed * 2 : std::max(kSlowest, speed / 2);
    }
    if (speed > kFastest) speed = 0;
    simulation_.send(SetSpeed{speed});
    notice(speed == 0 ? "Speed: unlimited" : "Speed: at most " + short_number(speed) + " steps/s");
}

void FrameLoop::reverse() {
    const bool reversed = !simulation_.reversed();
    act(SetReversed{reversed});
    notice(reversed ? "Time runs backward" : "Time runs forward", "time");
}

void FrameLoop::read_picture(int width, int height) {
    if (!comparing()) {
        view_.draw(width, height, camera_.camera(), state_.view, Pace::kNow);
        return view_.read(picture_);
    }
    compare_picture_.draw(view_, width, height, 0, camera_.camera(), state_.view, state_.compare_view, Pace::kNow);
    compare_picture_.read(picture_);
}

void FrameLoop::read_window() {
    const RenderTarget copy{state_.width, state_.height};
    copy_window(copy);
    copy.read(picture_);
}

void FrameLoop::take_screenshot() {
    if (state_.width < 1 || state_.height < 1) return;
    read_picture(state_.width, state_.height);
    try {
        extras_.last_screenshot = save_screenshot(picture_).string();
        notice("Screenshot: " + extras_.last_screenshot);
    } catch (const Error& error) {
        failure(error.what());
    }
}

void FrameLoop::toggle_fullscreen() {
    GLFWwindow* window = window_.handle();
    if (glfwGetWindowMonitor(window)) {
        const auto& w = windowed_;
        glfwSetWindowMonitor(window, nullptr, static_cast<int>(w.x0), static_cast<int>(w.y0),
                             static_cast<int>(w.x1 - w.x0), static_cast<int>(w.y1 - w.y0), GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return notice("This display has no monitor to fill");
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    windowed_ = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(x + width),
                 static_cast<float>(y + height)};
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void FrameLoop::close_or_quit() {
    if (state_.keyboard)
        set_keyboard(false);
    else if (state_.help)
        state_.help = false;
    else if (state_.hand.picked)
        pick(nullptr);
    else
        window_.close();
}

}  // namespace orrery
