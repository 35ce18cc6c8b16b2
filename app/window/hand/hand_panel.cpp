// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "app/window/ui_state.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

void ask_edit(const UiState& state, Edit edit, UiRequests& requests) {
    edit.bodies = *state.hand.picked;
    requests.ask(EditBodies{std::move(edit)});
}

/// The icon of a tool that adds or pushes bodies.
ButtonFace tool_face(EditKind kind) {
    constexpr auto kFaces = std::to_array<std::pair<EditKind, Icon>>({{EditKind::kAddBody, Icon::kBody},
                                                                      {EditKind::kAddCluster, Icon::kCluster},
                                                                      {EditKind::kAddRing, Icon::kRing},
                                                                      {EditKind::kAddDisc, Icon::kDisc},
                                                                      {EditKind::kAttract, Icon::kAttract},
                                                                      {EditKind::kRepel, Icon::kRepel},
                                                                      {EditKind::kStir, Icon::kStir}});
    const auto found = std::ranges::find(kFaces, kind, &std::pair<EditKind, Icon>::first);
    if (found == kFaces.end()) return {};
    return {.icon = found->second, .icon_only = true};
}

void brushes(Widgets& ui, HandTool& tool) {
    ui.name("Brush");
    for (const EditEntry& entry : edit_kinds()) {
        if (!entry.brushes) continue;
        const bool chosen = tool.brushes == entry.kind;
        if (ui.tab(entry.label, tool_face(entry.kind), chosen,
                   phrase("While you press in the picture, it {}", tr(entry.doc))))
            tool.brushes = chosen ? std::nullopt : std::optional{entry.kind}, tool.adds.reset();
        ImGui::SameLine();
    }
    ImGui::NewLine();
    if (!tool.brushes) return;
    if (const auto strength = ui.typed_real("Strength", tool.strength,
                                            "Largest speed that the brush adds per second, in the scene's units"))
        if (*strength >= 0) tool.strength = *strength;
    if (const auto reach = ui.typed_real("Reach", tool.reach, "Its radius, in the scene's unit of length"))
        if (*reach > 0) tool.reach = *reach;
    ui.note("Drag in the view. Undo reverts the whole stroke. Esc cancels.");
}

/// Picks one species.
void pick_species(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!state.scene.species || state.scene.species->empty()) return;
    if (!ui.begin_combo("Pick species", "choose", "Picks all bodies of one of Gadget's species")) return;
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        const auto wanted = static_cast<Species>(k);
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < state.scene.species->size(); ++i)
            if ((*state.scene.species)[i] == wanted) found.push_back(i);
        if (found.empty()) continue;
        if (ui.choice(name(wanted), false, phrase("{} bodies", found.size())))
            requests.pick = std::make_shared<const std::vector<std::uint32_t>>(std::move(found));
    }
    ui.end_combo();
}

void pins_and_names(Widgets& ui, const UiState& state, float width, UiRequests& requests) {
    if (ui.button("Pin", {.icon = Icon::kPin}, "Fixes the picked bodies in place; they still attract others", width))
        ask_edit(state, {.kind = EditKind::kPin}, requests);
    ImGui::SameLine();
    if (ui.button("Unpin", {.icon = Icon::kUnpin}, "Pinned bodies move again, from rest", width))
        ask_edit(state, {.kind = EditKind::kUnpin}, requests);
    if (ui.begin_combo(
            "Species", "set",
            "Assigns one of Gadget's species, for colours and encounters: bodies of the species boundary accrete")) {
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            if (ui.choice(name(static_cast<Species>(k)), false, ""))
                ask_edit(state, {.kind = EditKind::kSpecies, .species = static_cast<Species>(k)}, requests);
        ui.end_combo();
    }
    const auto& seen = state.status.inspection;
    if (!seen || !seen->body || state.hand.count() != 1) return;
    std::string called = state.hand.new_name.value_or(seen->body->name);
    if (ui.text("Name", called, "a name", "Its name in the picture and in files; Enter sets it"))
        requests.change([called](UiState& now) { now.hand.new_name = called; });
    if (ui.entered()) ask_edit(state, {.kind = EditKind::kName, .name = called}, requests);
}

void orbit_lines(Widgets& ui, const OrbitFigures& found, const Status& status) {
    const KeplerOrbit& orbit = found.orbit;
    ui.heading("Orbit");
    ui.value("About",
             found.name.empty() ? fmt::format("{}", found.about) : fmt::format("{}, {}", found.about, found.name),
             "The heavier body in whose sphere of influence this one is; the figures below treat the two in isolation");
    ui.value("Eccentricity", fmt::format("{:.6f}", orbit.eccentricity), "0: a circle; 1 or more: not bound");
    ui.value("Semi-major axis", orbit.closed() ? fmt::format("{:.6g}", orbit.major) : "–",
             "In the scene's unit of length");
    ui.value("Nearest", fmt::format("{:.6g}", orbit.nearest()), "Distance at periapsis, in the scene's unit of length");
    ui.value("Period", orbit.closed() ? in_local_unit(duration_text(orbit.period, status.scene.days_per_time)) : "–",
             "Time of one revolution, in the scene's units");
    ui.value("Inclination", fmt::format("{:.3f}°", orbit.inclination * 180 / std::numbers::pi),
             "Angle between its plane and the x-y plane");
}

void pair_lines(Widgets& ui, const BodyMotion& a, const BodyMotion& b, const Status& status) {
    ui.value("Apart", fmt::format("{:.6g}", length(b.position - a.position)),
             "Distance between the two, in the scene's unit of length");
    ui.value("Relative speed", with_unit(length(b.velocity - a.velocity), {1, -1, 0}, units_of(status)));
}

/// Figures of the picked bodies: arrows, the orbit of one, the distance of two, their track as a file.
void sight_lines(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto& seen = state.status.inspection;
    if (!seen || seen->motions.empty()) return;
    SightSettings settings = state.sight.settings;
    bool edited =
        ui.toggle("Arrows", settings.arrows,
                  "Velocity in blue: the path of one second; acceleration in orange: what it adds to that path");
    if (seen->orbit) {
        ImGui::SameLine();
        edited |= ui.toggle("Orbit line", settings.orbit, "The conic on which the two would move in isolation");
    }
    if (edited) requests.change([settings](UiState& now) { now.sight.settings = settings; });
    if (seen->motions.size() == 2) pair_lines(ui, seen->motions[0], seen->motions[1], state.status);
    if (seen->orbit) orbit_lines(ui, *seen->orbit, state.status);
    if (ui.button("Track as CSV",
                  phrase("Writes the positions of the picked bodies since they were picked: {}",
                         count_phrase(state.sight.track_rows, "row")),
                  -1, state.sight.track_rows == 0 ? "nothing has moved yet" : ""))
        requests.ask(Command::kExportTrack);
}

using namespace command_table;

std::string vector_text(Vec3d v) { return fmt::format("{:.5g}  {:.5g}  {:.5g}", v.x, v.y, v.z); }

constexpr ColorUnit kSpeedUnit{1, -1, 0}, kAccelerationUnit{1, -2, 0};

std::string vector_text(Vec3d v, const ColorUnit& unit, const SceneUnits& units) {
    const ShownUnit shown = shown_unit(unit, units);
    return vector_text(shown.factor * v) + (shown.text.empty() ? "" : "  " + shown.text);
}
std::string length_text(Vec3d v, const ColorUnit& unit, const SceneUnits& units) {
    return with_unit(std::sqrt(dot(v, v)), unit, units);
}

void body_lines(Widgets& ui, const BodyFigures& body, const SceneUnits& units) {
    ui.value("Body", body.name.empty() ? fmt::format("{}", body.id) : fmt::format("{}, {}", body.id, body.name),
             "Index of the body, from 0, and its name if the file has one");
    ui.value("Mass", fmt::format("{:.6g}", body.mass), "In the scene's unit of mass");
    ui.value("Position", vector_text(body.position), "x, y, z in the scene's unit of length");
    ui.value("Distance", fmt::format("{:.6g}", body.distance),
             "Distance from the centre of mass of all bodies, in the scene's unit of length");
    ui.value("Velocity", vector_text(body.velocity, kSpeedUnit, units),
             "In the unit shown; without one, in the scene's units");
    ui.value("Speed", length_text(body.velocity, kSpeedUnit, units),
             "In the unit shown; without one, in the scene's units");
    ui.value("Acceleration", vector_text(body.acceleration, kAccelerationUnit, units),
             "From the engine's last evaluation, in the unit shown; without one, in the scene's units");
    ui.value("|Acceleration|", length_text(body.acceleration, kAccelerationUnit, units),
             "In the unit shown; without one, in the scene's units");
    ui.value("Force error", body.error ? fmt::format("{:.2e}", *body.error) : "–",
             "|a − r| / |r| of this body, with r from a loop over all others in double precision. Unknown until the "
             "current engine has evaluated these positions");
}

void group_lines(Widgets& ui, const GroupFigures& group, const SceneUnits& units) {
    ui.value("Bodies", grouped(static_cast<std::int64_t>(group.count)), "Number of bodies in the box");
    ui.value("Mass", fmt::format("{:.6g}", group.mass), "Total mass, in the scene's unit of mass");
    ui.value("Centre", vector_text(group.centre), "Centre of mass, Σ m x / Σ m, in the scene's unit of length");
    ui.value("Radius", fmt::format("{:.6g}", group.radius), "Mass-weighted RMS distance from that centre");
    ui.value("Velocity", vector_text(group.velocity, kSpeedUnit, units),
             "Mean velocity, Σ m v / Σ m, in the unit shown; without one, in the scene's units");
    ui.value("Dispersion", with_unit(group.dispersion, kSpeedUnit, units),
             "Velocity dispersion along one axis, √(Σ m |v − v̄|² / 3 Σ m), in the unit shown; without one, in the "
             "scene's units");
}

/// Settings of the bodies that a press in the picture adds.
void adding(Widgets& ui, const UiState& state, UiRequests& requests) {
    HandTool tool = state.hand.tool;
    ui.name("Add");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3 * ui.scale(), ImGui::GetStyle().ItemSpacing.y});
    for (const EditEntry& entry : edit_kinds()) {
        if (!entry.adds) continue;
        const bool chosen = tool.adds == entry.kind;
        if (ui.tab(entry.label, tool_face(entry.kind), chosen,
                   phrase("Adds {} where you press in the picture; drag its velocity", tr(entry.doc))))
            tool.adds = chosen ? std::nullopt : std::optional{entry.kind}, tool.brushes.reset();
        ImGui::SameLine();
    }
    ImGui::PopStyleVar();
    ImGui::NewLine();
    if (tool.adds) {
        NewBodies& add = tool.palette;
        if (const auto mass = ui.typed_real("New mass", add.mass,
                                            "Mass of the added bodies, in the scene's unit; for a ring, of the body in "
                                            "its centre. The wheel changes it while dragging"))
            add.mass = *mass;
        if (*tool.adds != EditKind::kAddBody) {
            if (const auto count = ui.typed_number("Bodies", add.count, "Number of bodies that are added"))
                add.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(*count, 1u << 20));
            if (const auto radius =
                    ui.typed_real("Radius", add.radius,
                                  "Virial radius of a cluster, radius of a ring, scale of a disc, in the scene's unit "
                                  "of length"))
                add.radius = *radius;
        }
        ui.note("Drag in the view to set the velocity; the arrow shows the path of one second. Esc cancels.");
    }
    if (state.hand.count() == 0 || tool.brushes) brushes(ui, tool);
    if (tool != state.hand.tool) requests.change([tool](UiState& now) { now.hand.tool = tool; });
}

void undoing(Widgets& ui, const Status& status, float width, UiRequests& requests) {
    if (ui.button("Undo", {.icon = Icon::kUndo},
                  phrase("Returns to the state before the last edit, restart or change of scene; {} are kept. Ctrl + Z",
                         status.edits.undos),
                  width,
                  status.edits.undos > 0 ? ""
                  : status.edits.dropped ? "older states were dropped for lack of memory"
                                         : "there is nothing to undo"))
        requests.ask(Command::kUndo);
    ImGui::SameLine();
    if (ui.button("Redo", {.icon = Icon::kRedo}, "Restores what was undone. Ctrl + Shift + Z", width,
                  status.edits.redos == 0 ? "there is nothing to redo" : ""))
        requests.ask(Command::kRedo);
}

void editing(Widgets& ui, const UiState& state, float width, UiRequests& requests) {
    const auto edit = [&](EditKind kind, Vec3d by = {}, double factor = 1) {
        requests.ask(EditBodies{{.kind = kind, .bodies = *state.hand.picked, .by = by, .factor = factor}});
    };
    if (ui.button("Delete", {.icon = Icon::kDelete}, "Removes the picked bodies. Key Delete", width))
        requests.ask(Command::kDelete);
    ImGui::SameLine();
    if (ui.button("Duplicate", {.icon = Icon::kDuplicate}, "Adds a copy of the picked bodies beside them", width))
        edit(EditKind::kDuplicate, {0.05 * state.picture.extent.radius, 0, 0});
    if (ui.button(
            "Circular orbit",
            "Makes the velocity that of a circular orbit about the body that pulls most, in the plane of its motion",
            2 * width + ImGui::GetStyle().ItemSpacing.x))
        edit(EditKind::kCircular);
    if (const auto factor = ui.typed_real("Mass ×", 1, "Multiplies the masses of the picked bodies"))
        edit(EditKind::kScaleMass, {}, *factor);
    if (const auto factor = ui.typed_real("Velocity ×", 1, "Multiplies the velocities of the picked bodies"))
        edit(EditKind::kScaleVelocity, {}, *factor);
    pins_and_names(ui, state, width, requests);
    ui.note("Drag a marker to set a velocity, with Shift to move the body.");
}

void hand_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const std::size_t count = state.hand.count();
    const std::uint64_t first = count > 0 ? state.hand.picked->front() : 0;
    if (const auto id = ui.typed_number("Pick number", first,
                                        "Index of a body, from 0: type it and press Enter. Or click on the body"))
        if (*id < state.status.bodies)
            requests.pick = std::make_shared<const std::vector<std::uint32_t>>(1, static_cast<std::uint32_t>(*id));
    const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    const std::string_view none_picked = count == 0 ? "pick a body first" : "";
    const bool following = state.camera.follow == Follow::kPicked;
    if (ui.button(following ? "Stop following" : "Follow it", {.icon = Icon::kFollow},
                  "Makes the camera follow the picked body or bodies. Key F", width, none_picked))
        requests.ask(Command::kFollow);
    ImGui::SameLine();
    if (ui.button("Deselect", "Clears the selection. Key Esc", width, none_picked)) requests.pick = Picked{};
    undoing(ui, state.status, width, requests);
    adding(ui, state, requests);
    pick_species(ui, state, requests);
    if (count == 0)
        return ui.note("Click on a body to pick it. Ctrl + drag selects all bodies in a box, with Shift in a lasso.");
    editing(ui, state, width, requests);
    sight_lines(ui, state, requests);
    ImGui::Spacing();
    const auto& seen = state.status.inspection;
    if (seen && seen->body) body_lines(ui, *seen->body, units_of(state.status));
    if (seen && seen->group) group_lines(ui, *seen->group, units_of(state.status));
}

void undo(Window& w, int) { w.recording.act(Undo{}); }

void redo(Window& w, int) { w.recording.act(Redo{}); }

void delete_picked(Window& w, int) { w.hand.remove_picked(); }

void follow(Window& w, int) { w.hand.toggle_follow(); }

void export_track(Window& w, int) { w.exports.text("Track", "-track.csv", w.hand.sight().track_csv()); }

constexpr auto kHandCommands = std::to_array<WindowCommand>({
    with(kControl,
         line(Command::kUndo, undo, GLFW_KEY_Z, "Ctrl + Z", "undo the last edit, restart or change of scene")),
    with(kControl | kShift, line(Command::kRedo, redo, GLFW_KEY_Z, "Ctrl + Shift + Z", "redo")),
    line(Command::kDelete, delete_picked, GLFW_KEY_DELETE, "Delete", "remove the picked bodies"),
    line(Command::kFollow, follow, GLFW_KEY_F, "F", "follow the picked body, or the centre of mass"),
    listed("Write the tracks of the picked bodies as CSV", button(Command::kExportTrack, export_track)),
});

constexpr auto kHandPanels = std::to_array<PanelEntry>({
    {"hand", PanelGroup::kScene, "Body", hand_panel, "The picked body, or the bodies in a box"},
});

nlohmann::json hand_json(const UiState& state) {
    nlohmann::json found{{"picked", state.hand.count()},
                         {"boxing", state.hand.box.has_value()},
                         {"markers", nlohmann::json::array()},
                         {"outline", state.hand.outline.size()},
                         {"arrows", state.sight.arrows.size()},
                         {"undos", state.status.edits.undos},
                         {"redos", state.status.edits.redos},
                         {"adds", state.hand.tool.adds ? edit_kind(*state.hand.tool.adds).id : ""},
                         {"brushes", state.hand.tool.brushes ? edit_kind(*state.hand.tool.brushes).id : ""},
                         {"new_mass", state.hand.tool.palette.mass},
                         {"aiming", state.hand.aim.has_value()},
                         {"path", state.hand.aim ? state.hand.aim->path.size() : 0}};
    for (const glm::dvec2& at : state.hand.markers) found["markers"].push_back({at.x, at.y});
    if (const auto& seen = state.status.inspection) {
        found["step"] = seen->step;
        if (seen->body)
            found["body"] = {{"id", seen->body->id},
                             {"mass", seen->body->mass},
                             {"position", {seen->body->position.x, seen->body->position.y, seen->body->position.z}},
                             {"velocity", {seen->body->velocity.x, seen->body->velocity.y, seen->body->velocity.z}},
                             {"distance", seen->body->distance},
                             {"error", seen->body->error ? nlohmann::json(*seen->body->error) : nlohmann::json()}};
        if (seen->group)
            found["group"] = {
                {"count", seen->group->count}, {"mass", seen->group->mass}, {"dispersion", seen->group->dispersion}};
    }
    return found;
}

constexpr ImU32 kHandMark = IM_COL32(130, 225, 255, 240), kShade = IM_COL32(0, 0, 0, 150),
                kHandPath = IM_COL32(130, 225, 255, 150);

ImVec2 at(const glm::dvec2& place) { return {static_cast<float>(place.x), static_cast<float>(place.y)}; }

std::string label_of(const UiState& state) {
    const auto& seen = state.status.inspection;
    if (!seen || !seen->body) return {};
    return seen->body->name.empty() ? fmt::format("{}", seen->body->id) : seen->body->name;
}

/// Marks the picked bodies, and the box being drawn.
void hand_overlay(const Widgets& ui, const UiState& state) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();  // over the picture, under the panels
    const float scale = ui.scale();
    if (const auto& box = state.hand.box) {
        list.AddRectFilled({box->x0, box->y0}, {box->x1, box->y1}, IM_COL32(130, 225, 255, 30));
        list.AddRect({box->x0, box->y0}, {box->x1, box->y1}, kHandMark, 0, 0, 1.5f * scale);
    }
    if (const auto& lasso = state.hand.lasso; lasso.size() > 1) {
        std::vector<ImVec2> path;
        for (const glm::dvec2& place : lasso) path.push_back(at(place));
        list.AddPolyline(path.data(), static_cast<int>(path.size()), kHandMark, ImDrawFlags_Closed, 1.5f * scale);
    }
    if (const auto& brush = state.hand.brush) {
        list.AddCircleFilled(at(brush->at), static_cast<float>(brush->radius), IM_COL32(130, 225, 255, 24), 64);
        list.AddCircle(at(brush->at), static_cast<float>(brush->radius), kHandMark, 64, 1.5f * scale);
    }
    if (const auto& aim = state.hand.aim) {
        std::vector<ImVec2> path;
        for (const glm::dvec2& place : aim->path) path.push_back(at(place));
        list.AddPolyline(path.data(), static_cast<int>(path.size()), kHandPath, 0, 1.5f * scale);
        list.AddLine(at(aim->from), at(aim->to), kHandMark, 2 * scale);
        list.AddCircleFilled(at(aim->to), 4 * scale, kHandMark);
        const std::string text = aim->moves ? fmt::format("{:.3g}", aim->size) : fmt::format("v {:.3g}", aim->size);
        list.AddText({at(aim->to).x + 9 * scale, at(aim->to).y + 5 * scale}, kHandMark, text.c_str());
    }
    if (state.hand.count() == 1 && !state.hand.markers.empty()) {
        const ImVec2 place = at(state.hand.markers.front());
        list.AddCircle(place, 11 * scale, kShade, 32, 4 * scale);
        list.AddCircle(place, 11 * scale, kHandMark, 32, 2 * scale);
        const std::string label = label_of(state);
        list.AddText({place.x + 15 * scale + 1, place.y - ImGui::GetFontSize() / 2 + 1}, kShade, label.c_str());
        list.AddText({place.x + 15 * scale, place.y - ImGui::GetFontSize() / 2}, kHandMark, label.c_str());
        return;
    }
    if (const auto& outline = state.hand.outline; !outline.empty()) {
        std::vector<ImVec2> path;
        for (const glm::dvec2& place : outline) path.push_back(at(place));
        list.AddPolyline(path.data(), static_cast<int>(path.size()), kHandMark, ImDrawFlags_Closed, 1.5f * scale);
        return;
    }
    for (const glm::dvec2& place : state.hand.markers)
        list.AddCircle(at(place), 4 * scale, kHandMark, 12, 1.2f * scale);
}

void draw_marks(Window&, DrawnFrame& frame) {
    sight_overlay(frame.ui, frame.state);
    hand_overlay(frame.ui, frame.state);
}

constexpr auto kHandOverlays = std::to_array<Overlay>({
    {Layer::kBodies, draw_marks},
});

void describe_hand(nlohmann::json& map, const UiState& state) { map["hand"] = hand_json(state); }

}  // namespace

FeatureEntry hand_feature() {
    return {.panels = kHandPanels, .commands = kHandCommands, .overlays = kHandOverlays, .describe = describe_hand};
}

}  // namespace orrery
