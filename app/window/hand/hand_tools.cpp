// SPDX-License-Identifier: MIT
#include "app/window/hand/hand_tools.hpp"
#include "app/ui/words.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

namespace orrery {
namespace {

void ask_edit(const UiState& state, Edit edit, UiRequests& requests) {
    edit.bodies = *state.hand.picked;
    requests.ask(EditBodies{std::move(edit)});
}

}  // namespace

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

}  // namespace orrery
