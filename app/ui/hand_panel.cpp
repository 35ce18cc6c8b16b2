// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/panels.hpp"

namespace orrery {
namespace {

std::string vector_text(Vec3d v) { return fmt::format("{:.5g}  {:.5g}  {:.5g}", v.x, v.y, v.z); }
std::string length_text(Vec3d v) { return fmt::format("{:.6g}", std::sqrt(dot(v, v))); }

void body_lines(Widgets& ui, const BodyFigures& body) {
    ui.value("Body", body.name.empty() ? fmt::format("{}", body.id) : fmt::format("{}, {}", body.id, body.name),
             "Its index among the bodies, from 0, and its name where the file has one");
    ui.value("Mass", fmt::format("{:.6g}", body.mass), "In masses of the scene");
    ui.value("Place", vector_text(body.position), "x, y, z in lengths of the scene");
    ui.value("Distance", fmt::format("{:.6g}", body.distance),
             "From the centre of mass of all bodies, in lengths of the scene");
    ui.value("Velocity", vector_text(body.velocity), "Lengths per unit of time of the scene");
    ui.value("Speed", length_text(body.velocity), "Lengths per unit of time");
    ui.value("Acceleration", vector_text(body.acceleration),
             "Of the engine's last evaluation, in lengths per unit of time squared");
    ui.value("|Acceleration|", length_text(body.acceleration), "Lengths per unit of time squared");
    ui.value(
        "Force error", body.error ? fmt::format("{:.2e}", *body.error) : "–",
        "|a − r| / |r| of this body, r by a loop over all others in double precision. None until the engine in force "
        "has evaluated these places");
}

void group_lines(Widgets& ui, const GroupFigures& group) {
    ui.value("Bodies", grouped(static_cast<std::int64_t>(group.count)), "That were in the box");
    ui.value("Mass", fmt::format("{:.6g}", group.mass), "Of all of them, in masses of the scene");
    ui.value("Centre", vector_text(group.centre), "Σ m x / Σ m, in lengths of the scene");
    ui.value("Radius", fmt::format("{:.6g}", group.radius),
             "Root mean square distance from that centre, weighted by mass");
    ui.value("Velocity", vector_text(group.velocity), "Σ m v / Σ m, lengths per unit of time");
    ui.value("Dispersion", fmt::format("{:.6g}", group.dispersion),
             "Of velocities along one axis: √(Σ m |v − v̄|² / 3 Σ m), lengths per unit of time");
}

}  // namespace

void hand_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    const std::size_t count = state.hand.count();
    const std::uint64_t first = count > 0 ? state.hand.picked->front() : 0;
    if (const auto id =
            ui.typed_number("Pick number", first, "Index of a body, from 0: type one and press Enter. Or click on it"))
        if (*id < state.status.bodies)
            wishes.pick = std::make_shared<const std::vector<std::uint32_t>>(1, static_cast<std::uint32_t>(*id));
    const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    const std::string_view nobody = count == 0 ? "pick a body first" : "";
    const bool following = state.camera.follow == Follow::kPicked;
    if (ui.button(following ? "Stop following" : "Follow it", "The camera moves with what is picked. Key F", width,
                  nobody))
        wishes.ask(Command::kFollow);
    ImGui::SameLine();
    if (ui.button("Let go", "Picks nobody. Key Esc", width, nobody)) wishes.pick = Picked{};
    if (count == 0) return ui.note("Click on a body to pick it. Drag with Ctrl to select all in a box.");
    ImGui::Spacing();
    const auto& seen = state.status.inspection;
    if (seen && seen->body) body_lines(ui, *seen->body);
    if (seen && seen->group) group_lines(ui, *seen->group);
}

}  // namespace orrery
