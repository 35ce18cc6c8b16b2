// SPDX-License-Identifier: MIT
// Of the frame loop: what is remembered, and what the window does for itself.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/scene/shipped.hpp"
#include "app/ui/format.hpp"
#include "app/ui/panels.hpp"
#include "app/window/frame_loop.hpp"
#include "core/base/error.hpp"
#include "core/base/output_file.hpp"

namespace orrery {

void FrameLoop::adopt_settings() {
    const UserSettings& settings = remembered_.settings;
    for (const std::string& problem : remembered_.problems) failure(problem);
    state_.text_scale = settings.text_scale;
    state_.panels = settings.panels;
    state_.overlay = settings.figures;
    for (const PanelEntry& panel : panels())
        if (panel.id == settings.panel) state_.panel = panel.id;
    state_.view = settings.view;
}

void FrameLoop::save_settings() const {
    const std::filesystem::path path = config_.fresh ? std::filesystem::path{} : user_settings_path();
    if (path.empty()) return;
    UserSettings settings = remembered_.settings;
    if (!glfwGetWindowMonitor(window_.handle())) glfwGetWindowSize(window_.handle(), &settings.width, &settings.height);
    settings.text_scale = state_.text_scale;
    settings.panel = state_.panel;
    settings.panels = attract_.on() || state_.panels;
    settings.figures = state_.overlay;
    if (state_.scene.source.empty()) settings.view = state_.view;  // else it is the scene's own
    try {
        write_user_settings(path, settings);
    } catch (const Error& error) {
        fmt::print(stderr, "orrery: {}\n", error.what());
    }
}

void FrameLoop::set_keyboard(bool on) {
    if (on == state_.keyboard) return;
    state_.keyboard = on;
    if (on && !state_.panels) state_.panels = true;
    imgui_.set_keyboard(on, kSidebar);
    if (on) notice("Panels by keys: arrows, Space, Enter; Esc ends it");
}

void FrameLoop::change_text(int by) {
    constexpr double kStep = 1.1;
    const double scale = by == 0 ? 1 : state_.text_scale * std::pow(kStep, by);
    state_.text_scale = std::clamp(scale, kLeastTextScale, kMostTextScale);
}

std::string FrameLoop::plot_title() const {
    const Status& s = state_.status;
    const EngineConfig& e = state_.engine;
    return fmt::format("{}, {} bodies: {}, {}, {}", s.scene_label, grouped(s.bodies), e.engine, name(e.backend),
                       name(e.precision));
}

void FrameLoop::export_text(const char* what, const char* suffix, const std::string& text) {
    try {
        const std::string path = name_by_time(suffix);
        OutputFile file{path};
        file.write(text);
        file.commit();
        extras_.last_export = std::filesystem::absolute(path).string();
        notice(fmt::format("{}: {}", what, extras_.last_export));
    } catch (const Error& error) {
        failure(error.what());
    }
}

/// Each with an engine: what somebody chose last, triplets or another backend, may be far too slow for it.
void FrameLoop::next_shipped_scene() {
    const auto scenes = shipped_scenes();
    const ShippedScene& scene = scenes[attract_scene_++ % scenes.size()];
    SceneFile file = scene.read();
    file.engine_given = true;
    show_scene(std::string{scene.id}, file);
}

void FrameLoop::attract(const WindowEvents& events) {
    const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    if (pressed) set_keyboard(false);
    if (!attract_.on()) return;
    if (Attract::ended_by(events, pressed)) return toggle_attract();
    if (attract_.due(clock_.now())) next_shipped_scene();
    camera_.turn(Attract::kTurn * std::min(clock_.frame_seconds(), 0.1));
}

void FrameLoop::toggle_attract() {
    if (attract_.on()) {
        attract_.stop();
        state_.panels = panels_before_;
        camera_.stop_turning();
        notice("Attract mode has ended");
    } else {
        attract_.start(clock_.now());
        panels_before_ = state_.panels;
        state_.panels = false;
        next_shipped_scene();
    }
    state_.attract = attract_.on();
}

}  // namespace orrery
