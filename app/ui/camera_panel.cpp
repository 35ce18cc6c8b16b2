// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <numbers>

#include "app/ui/panels.hpp"
#include "app/ui/path_editor.hpp"

namespace orrery {
namespace {

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
    const auto& now = *std::ranges::find(kFollow, camera.follow, &FollowEntry::follow);
    if (!ui.begin_combo("Follow", now.label, "What the camera moves with. Key F")) return false;
    bool edited = false;
    for (const FollowEntry& entry : kFollow) {
        const bool none_picked = entry.follow == Follow::kPicked && state.hand.count() == 0;
        if (ui.choice(entry.label, entry.follow == camera.follow, entry.doc, none_picked ? "pick a body first" : ""))
            camera.follow = entry.follow, edited = true;
    }
    ui.end_combo();
    return edited;
}

}  // namespace

void camera_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    CameraState camera = state.camera;
    const CameraState standard;
    bool edited = false;
    const float width = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
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
    edited |= path_editor(ui, camera, requests);
    if (edited) requests.camera = camera;
}

}  // namespace orrery
