// SPDX-License-Identifier: MIT
#include "app/ui/view_extras.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

namespace orrery {

bool white_controls(Widgets& ui, const UiState& state, ViewSettings& view) {
    bool automatic = !view.white, edited = false;
    if (ui.toggle("Automatic exposure", automatic,
                  "White follows the light in the picture, or the number of bodies and the area they cover; off: it "
                  "stays fixed, also during a video")) {
        view.white = automatic ? std::nullopt : std::optional{std::max(state.picture.white, 1e-6)};
        // Faint bodies keep their brightness; with automatic exposure the setting is relative.
        if (view.exposure_by == ExposureBy::kPicture)
            view.stretch = automatic ? ViewSettings{}.stretch : state.picture.stretch;
        edited = true;
    }
    if (!view.white) return edited;
    const ViewSetting& white = setting(view_settings(), "white");
    const auto given = edit_setting(ui, white.info, white.member.get(view), std::max(state.picture.white, 1e-6));
    if (given) white.member.set(view, *given);
    return edited || given;
}

void trail_and_star_controls(ViewControls& controls) {
    controls("trails");
    ImGui::SameLine();
    controls("stars");
    for (const char* id : {"trail_points", "trail_every", "trail_opacity", "star_light", "star_seed"}) controls(id);
}

void species_controls(Widgets& ui, const UiState& state, const ViewSettings& view, ViewControls& controls) {
    constexpr std::array kIds{"show_gas",   "show_halo",  "show_disk",
                              "show_bulge", "show_stars", "show_boundary"};  // in the order of Species
    static_assert(kIds.size() == kSpeciesCount);
    constexpr int kInRow = 2;
    int placed = 0;
    for (std::size_t i = 0; i < kIds.size(); ++i) {
        if (!state.scene.species_present[i]) continue;
        if (placed++ % kInRow != 0) ImGui::SameLine();
        controls(kIds.at(i));
    }
    if (placed > 0 || view.species == ShownSpecies{}) return;
    ui.note(state.status.cloud.on ? "Species of a cloud are not hidden: all its bodies are drawn."
                                  : "All bodies are drawn: the scene does not state their species.");
}

void guide_controls(ViewControls& controls) {
    controls("grid");
    for (const char* id : {"axes", "scale_bar", "time_stamp"}) ImGui::SameLine(), controls(id);
    controls("labels");
    ImGui::SameLine();
    controls("color_bar");
}

}  // namespace orrery
