// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/panels.hpp"

namespace orrery {
namespace {

using namespace command_table;

constexpr float kPathHeight = 40, kGrab = 7;  // pixels at scale 1
ImU32 line_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.24f); }
ImU32 key_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.88f); }
ImU32 chosen_color() { return ImGui::GetColorU32(ImGuiCol_CheckMark); }
ImU32 path_head_color() { return ImGui::GetColorU32(ImGuiCol_Text); }

/// Length of the strip in seconds: has room for the next key, and does not change while one is dragged.
double strip_length(const CameraState& camera) {
    const CameraPath& path = camera.path;
    const double end = path.empty() ? 0 : path.keys.front().time + path.duration();
    return 5 * std::ceil((std::max({end, camera.path_time, 4.0}) + 0.5) / 5);
}

/// The strip of this frame: time to pixels and back.
struct Strip {
    float left, width;
    double seconds;
    float x(double time) const { return left + width * static_cast<float>(time / seconds); }
    double time(float at) const { return std::clamp((at - left) / static_cast<double>(width), 0.0, 1.0) * seconds; }
};

void draw(const CameraState& camera, const Strip& strip, ImVec2 low, ImVec2 high, float scale) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = (low.y + high.y) / 2, base = high.y - ImGui::GetFontSize() * 0.9f;
    list.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_Text, 0.07f), 4 * scale);
    const double every = strip.seconds > 40 ? 10 : strip.seconds > 15 ? 5 : 1;
    for (double t = 0; t <= strip.seconds; t += every) {
        list.AddLine({strip.x(t), low.y}, {strip.x(t), low.y + 5 * scale}, line_color());
        const std::string text = fmt::format("{:.0f}", t);
        const float wide = text_width(text);
        if (t > 0 && t < strip.seconds) list.AddText({strip.x(t) - wide / 2, base}, line_color(), text.c_str());
    }
    const CameraPath& path = camera.path;
    if (!path.empty()) {
        const double end = path.keys.front().time + path.duration();
        list.AddLine({strip.x(path.keys.front().time), middle}, {strip.x(end), middle}, key_color(), 1.5f * scale);
    }
    for (std::size_t i = 0; i < path.keys.size(); ++i)
        draw_marker(list, {strip.x(path.keys[i].time), middle}, Marker::kDiamond, 6 * scale,
                    camera.key == i ? chosen_color() : key_color());
    const float head = strip.x(camera.path_time);
    list.AddLine({head, low.y}, {head, high.y}, path_head_color(), 1.5f * scale);
}

/// A press on a key selects it, and dragging moves it; elsewhere a press sets the time.
bool drag(CameraState& camera, const Strip& strip, float scale) {
    const float at = ImGui::GetIO().MousePos.x;
    if (ImGui::IsItemActivated()) {
        camera.key.reset();
        for (std::size_t i = 0; i < camera.path.keys.size(); ++i)
            if (std::abs(strip.x(camera.path.keys[i].time) - at) <= kGrab * scale) camera.key = i;
        if (camera.key) camera.path_time = camera.path.keys[*camera.key].time;
        camera.playing = false;
        if (camera.key) return true;
    }
    if (!ImGui::IsItemActive()) return false;
    const double time = std::round(20 * strip.time(at)) / 20;
    if (camera.key && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        const bool taken = std::ranges::any_of(camera.path.keys, [time](const CameraKey& k) { return k.time == time; });
        if (!taken) camera.key = camera.path.move(*camera.key, time);
        return !taken;
    }
    if (camera.key || camera.path_time == time) return false;
    camera.path_time = time;
    return true;
}

bool strip_of_keys(Widgets& ui, CameraState& camera) {
    const float width = ImGui::GetContentRegionAvail().x, pad = kGrab * ui.scale();
    ui.canvas("Camera keys", width, kPathHeight * ui.scale(),
              "Keyframes over time in seconds: press one to select it, drag it to move it; press elsewhere to go to "
              "that time");
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const Strip strip{low.x + pad, width - 2 * pad, strip_length(camera)};
    bool edited = drag(camera, strip, ui.scale());
    if (const int steps = ui.canvas_steps(); steps != 0) {
        camera.path_time = std::clamp(camera.path_time + 0.05 * steps, 0.0, strip_length(camera));
        camera.playing = false, edited = true;
    }
    draw(camera, strip, low, high, ui.scale());
    return edited;
}

bool chosen_key(Widgets& ui, CameraState& camera) {
    const double now = camera.path.keys[*camera.key].time;
    const auto time =
        ui.typed_real("Key time", now, "Time of the selected keyframe, in seconds from the start of the path");
    if (!time || !(*time >= 0) || !std::isfinite(*time)) return false;
    camera.key = camera.path.move(*camera.key, *time);
    return true;
}

/// Editor of the camera path: a time strip with its keys. Returns whether `camera` was edited.
bool path_editor(Widgets& ui, CameraState& camera, bool filming, UiRequests& requests) {
    ui.heading("Path");
    bool edited = strip_of_keys(ui, camera);
    const float width = column_width(3);
    const bool empty = camera.path.empty();
    if (ui.button("Add key", "Adds the current camera as a keyframe. Then move the camera and add the next one. Key K",
                  width))
        requests.ask(Command::kAddCameraKey);
    ImGui::SameLine();
    if (ui.button("Delete key", "Deletes the selected keyframe", width, camera.key ? "" : "select a keyframe first"))
        camera.path.erase(*camera.key), camera.key.reset(), edited = true;
    ImGui::SameLine();
    if (ui.button(camera.playing ? "Stop path" : "Play path", "Moves the camera along its path. Key P", width,
                  empty ? "add a keyframe first" : ""))
        requests.ask(Command::kPlayPath);
    if (ui.button("Film this path",
                  "Records a video from the first keyframe to the last, one round of a loop, with the settings of the "
                  "page Recording",
                  -1,
                  filming                       ? "a recording is running"
                  : camera.path.duration() <= 0 ? "add a second keyframe first"
                                                : ""))
        requests.ask(Command::kFilmPath);
    edited |= ui.toggle("Loop", camera.path.loop, "Continues from the last keyframe to the first, repeatedly");
    if (camera.key) edited |= chosen_key(ui, camera);
    if (camera.path.loop)
        edited |= ui.slider("Closing", camera.path.closing, {0.25, 20, CameraPath{}.closing, "%.2f s"},
                            "Time from the last keyframe back to the first, in seconds");
    if (empty)
        ui.note(
            "Place the camera, press K, move it, press K again: the keyframes are two seconds apart. P plays the "
            "path.");
    return edited;
}

constexpr double kDegree = std::numbers::pi / 180;

struct FollowEntry {
    Follow follow;
    std::string_view label, doc;
};
constexpr auto kFollow = std::to_array<FollowEntry>({
    {Follow::kNothing, "nothing", "the camera does not follow anything"},
    {Follow::kCentreOfMass, "centre of mass", "Σ m x / Σ m of all bodies"},
    {Follow::kMiddle, "middle of the bodies",
     "the median position, which stays with the densest part even if some bodies escape"},
    {Follow::kPicked, "selection", "the picked body, or the centre of mass of the selected bodies"},
});

bool follow_combo(Widgets& ui, const UiState& state, CameraState& camera) {
    return menu_combo(ui, "Follow", kFollow, camera.follow, &FollowEntry::follow,
                      "Target that the camera follows. Key F", [&](const FollowEntry& entry) {
                          const bool none_picked = entry.follow == Follow::kPicked && state.hand.count() == 0;
                          return none_picked ? "pick a body first" : "";
                      });
}

void camera_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    CameraState camera = state.camera;
    const CameraState standard;
    bool edited = false;
    const float width = column_width(3);
    if (ui.button("Fit", "Fits all bodies into the picture. Key C", width)) requests.ask(Command::kFit);
    ImGui::SameLine();
    bool fly = camera.mode == CameraMode::kFly;
    if (ui.toggle("Fly", fly,
                  "Fly through the bodies: W A S D Q E move, a drag looks around, the wheel changes the speed. Key V"))
        requests.ask(Command::kFly);
    edited |= follow_combo(ui, state, camera);
    double degrees = camera.fov / kDegree;
    if (ui.slider("Field of view", degrees, {5, 120, standard.fov / kDegree, "%.0f°"},
                  "Vertical field of view in degrees"))
        camera.fov = degrees * kDegree, edited = true;
    if (fly)
        edited |=
            ui.slider("Fly speed", camera.fly_speed, {1e-3, 1e3, standard.fly_speed, "%.3g /s", Scale::kLogarithmic},
                      "In distances from the camera to its target, per second. The wheel changes it by 25 %");
    const RecordingState& film = state.recording.now;
    edited |= path_editor(ui, camera, film.active || film.ending, requests);
    if (edited) requests.camera = camera;
}

void fit(Window& w, int) {
    w.core.camera.fit(w.picture.view().extent_in(w.core.state.view), w.core.free_aspect(), Transition::kSmooth);
}

void fly(Window& w, int) {
    const bool flies = w.core.camera.state().mode == CameraMode::kOrbit;
    w.core.camera.set_mode(flies ? CameraMode::kFly : CameraMode::kOrbit);
    w.core.messages.notice(
        flies ? phrase("Flying: {} move, a drag looks around, the wheel changes the speed", flight_keys(w.window))
              : "Orbiting the bodies",
        "camera");
}

void add_camera_key(Window& w, int) {
    w.core.camera.add_key();
    const CameraState& camera = w.core.camera.state();
    w.core.messages.notice(phrase("Keyframe {} of {} at {:.2f} s", *camera.key + 1, camera.path.keys.size(),
                                  camera.path.keys[*camera.key].time));
}

void play_path(Window& w, int) {
    if (!w.core.camera.toggle_playing()) w.core.messages.notice("The camera has no path yet; key K adds a keyframe");
}

void recall_camera(Window& w, int place) {
    if (!w.core.camera.recall(place))
        w.core.messages.notice(phrase("No camera is stored in slot {0}; Shift+F{0} stores the current one", place));
}

void store_camera(Window& w, int place) {
    w.core.camera.store(place);
    w.core.messages.notice(phrase("Camera stored; F{} recalls it", place));
}

constexpr auto kCameraCommands = std::to_array<WindowCommand>({
    line(Command::kFit, fit, GLFW_KEY_C, "C", "fit the view to the bodies"),
    line(Command::kFly, fly, GLFW_KEY_V, "V", "fly, or orbit the bodies"),
    line(Command::kAddCameraKey, add_camera_key, GLFW_KEY_K, "K", "add a keyframe to the camera path"),
    line(Command::kPlayPath, play_path, GLFW_KEY_P, "P", "play, stop the camera path"),
    unlisted(line(Command::kRecallCamera, recall_camera, GLFW_KEY_F1, "F1 to F8", "recall a stored camera", 1)),
    also(Command::kRecallCamera, GLFW_KEY_F2, 2),
    also(Command::kRecallCamera, GLFW_KEY_F3, 3),
    also(Command::kRecallCamera, GLFW_KEY_F4, 4),
    also(Command::kRecallCamera, GLFW_KEY_F5, 5),
    also(Command::kRecallCamera, GLFW_KEY_F6, 6),
    also(Command::kRecallCamera, GLFW_KEY_F7, 7),
    also(Command::kRecallCamera, GLFW_KEY_F8, 8),
    unlisted(with(kShift,
                  line(Command::kStoreCamera, store_camera, GLFW_KEY_F1, "Shift + F1 to F8", "store the camera", 1))),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F2, 2)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F3, 3)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F4, 4)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F5, 5)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F6, 6)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F7, 7)),
    with(kShift, also(Command::kStoreCamera, GLFW_KEY_F8, 8)),
});

constexpr auto kCameraPanels = std::to_array<PanelEntry>({
    {"camera", PanelGroup::kLook, "Camera", camera_panel, "Fit, fly, follow, and the camera path"},
});

nlohmann::json camera_json(const CameraState& camera) {
    static constexpr std::array modes{"orbit", "fly"};
    static constexpr std::array followed{"nothing", "middle", "mass_centre", "picked"};
    nlohmann::json times = nlohmann::json::array();
    for (const CameraKey& key : camera.path.keys) times.push_back(key.time);
    return {{"mode", modes[static_cast<std::size_t>(camera.mode)]},
            {"follow", followed[static_cast<std::size_t>(camera.follow)]},
            {"fly_speed", camera.fly_speed},
            {"fov", camera.fov},
            {"keys", times},
            {"key", camera.key ? nlohmann::json(*camera.key) : nlohmann::json()},
            {"loop", camera.path.loop},
            {"closing", camera.path.closing},
            {"path_time", camera.path_time},
            {"playing", camera.playing}};
}

void describe_camera(nlohmann::json& map, const UiState& state) {
    map["camera"] = camera_json(state.camera);
    map["follow"] = state.camera.follow != Follow::kNothing;
}

}  // namespace

FeatureEntry camera_feature() {
    return {.panels = kCameraPanels, .commands = kCameraCommands, .describe = describe_camera};
}

}  // namespace orrery
