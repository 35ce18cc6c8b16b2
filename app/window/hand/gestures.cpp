// SPDX-License-Identifier: MIT
#include "app/window/hand/gestures.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include <glm/geometric.hpp>

#include "app/platform/surface.hpp"

namespace orrery {
namespace {

constexpr double kStill = 4;  // pixels of unintended movement

struct FlightKey {
    int key;
    glm::dvec3 way;  // right, up, forward
};
constexpr auto kFlightKeys = std::to_array<FlightKey>({{GLFW_KEY_W, {0, 0, 1}},
                                                       {GLFW_KEY_S, {0, 0, -1}},
                                                       {GLFW_KEY_D, {1, 0, 0}},
                                                       {GLFW_KEY_A, {-1, 0, 0}},
                                                       {GLFW_KEY_E, {0, 1, 0}},
                                                       {GLFW_KEY_Q, {0, -1, 0}}});

Rectangle box_from(glm::dvec2 a, glm::dvec2 b) {
    return {static_cast<float>(std::min(a.x, b.x)), static_cast<float>(std::min(a.y, b.y)),
            static_cast<float>(std::max(a.x, b.x)), static_cast<float>(std::max(a.y, b.y))};
}

}  // namespace

MouseInput Gestures::mouse(const WindowEvents& events, const std::function<bool(glm::dvec2)>& grabs) {
    const ImGuiIO& io = ImGui::GetIO();
    const glm::dvec2 at{io.MousePos.x, io.MousePos.y};
    const double notches = events.scroll;
    MouseInput input;
    input.at = at;
    if (events.pressed) end_.reset();
    if (events.released) end_ = events.released;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !io.WantCaptureMouse) {
        pressed_ = true, twice_ = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
        start_ = seen_ = events.pressed.value_or(at);
        moving_ = io.KeyShift, boxing_ = io.KeyCtrl, lassoing_ = boxing_ && io.KeyShift;
        aiming_ = !boxing_ && grabs(start_);
        lasso_.assign(1, start_);
    }
    const bool released = !ImGui::IsMouseDown(ImGuiMouseButton_Left), ends = pressed_ && released;
    const glm::dvec2 to = ends ? end_.value_or(at) : at;
    // At a low frame rate, a whole drag may fall between two frames, without ImGui noticing it.
    const bool moved = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > kStill * kStill ||
                       (ends && glm::distance(to, start_) > kStill);
    if (pressed_ && boxing_ && moved && !lassoing_) input.box = box_from(start_, to);
    if (pressed_ && lassoing_ && moved) {
        if (glm::length(to - lasso_.back()) > 1) lasso_.push_back(to);
        input.lasso = lasso_;
    }
    if (pressed_ && aiming_) {
        input.aim = MouseInput::Aim{start_, moved ? to : start_, moving_, released};
        input.notches = notches;
    }
    const bool turns = pressed_ && !boxing_;
    if (ends) {
        pressed_ = false;
        if (!moved && (!aiming_ || twice_)) input.click = start_, input.click_adds = boxing_, input.twice = twice_;
        input.box_done = input.box.has_value();
        input.lasso_done = !input.lasso.empty();
    }
    const glm::dvec2 since = to - std::exchange(seen_, at);
    if (io.WantCaptureMouse || input.aim || (pressed_ && boxing_)) return input;
    const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left) || (ends && turns && moved);
    input.panning = ImGui::IsMouseDown(ImGuiMouseButton_Middle) || (left && io.KeyShift);
    input.turning = left && !input.panning;
    // The mouse may have jumped to the position of the press: only movement after the press counts.
    if (turns)
        input.dx = static_cast<float>(since.x), input.dy = static_cast<float>(since.y);
    else if (!ImGui::IsMouseClicked(ImGuiMouseButton_Middle))
        input.dx = io.MouseDelta.x, input.dy = io.MouseDelta.y;
    input.notches = notches;
    return input;
}

glm::dvec3 Gestures::flight(const Surface& surface, const WindowEvents& events) {
    glm::dvec3 direction{0};
    for (const auto& [key, way] : kFlightKeys) {
        // A key that was pressed and released since the last frame counts as well.
        const bool touched = std::ranges::any_of(events.keys, [key](const KeyEvent& e) {
            return e.key == key && e.action == GLFW_PRESS && flies(key, e.mods);
        });
        if (touched || surface.key_down(key)) direction += way;
    }
    return direction;
}

std::string flight_keys(const Surface& surface) {
    std::string all;
    for (const int key : {GLFW_KEY_W, GLFW_KEY_A, GLFW_KEY_S, GLFW_KEY_D, GLFW_KEY_Q, GLFW_KEY_E}) {
        const char32_t sign = surface.sign_at(key);
        const bool letter = sign >= U'a' && sign <= U'z';
        all += all.empty() ? "" : " ";
        all += letter ? static_cast<char>(sign - (U'a' - U'A')) : static_cast<char>(key);
    }
    return all;
}

bool flies(int key, int mods) {
    constexpr int others = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
    return !(mods & others) && std::ranges::find(kFlightKeys, key, &FlightKey::key) != kFlightKeys.end();
}

}  // namespace orrery
