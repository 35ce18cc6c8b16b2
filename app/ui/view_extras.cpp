// SPDX-License-Identifier: MIT
#include "app/ui/view_extras.hpp"

#include <imgui.h>

#include <algorithm>

namespace orrery {

bool white_controls(Widgets& ui, const UiState& state, ViewSettings& view) {
    bool automatic = !view.white, edited = false;
    if (ui.toggle("Automatic exposure", automatic,
                  "White goes by the light in the picture, or by the number of bodies and the area they cover; off: it "
                  "stays where it is, through a video too")) {
        view.white = automatic ? std::nullopt : std::optional{std::max(state.white, 1e-6)};
        // What is faint stays as bright as it is; the setting is relative where the picture decides.
        if (view.exposure_by == ExposureBy::kPicture) view.stretch = automatic ? ViewSettings{}.stretch : state.stretch;
        edited = true;
    }
    if (!view.white) return edited;
    const ViewSetting& white = setting(view_settings(), "white");
    const auto given = edit_setting(ui, white.info, white.member.get(view), std::max(state.white, 1e-6));
    if (given) white.member.set(view, *given);
    return edited || given;
}

void trail_and_star_controls(ViewControls& controls) {
    controls("trails");
    ImGui::SameLine();
    controls("stars");
    for (const char* id : {"trail_points", "trail_every", "trail_opacity", "star_light", "star_seed"}) controls(id);
}

void guide_controls(ViewControls& controls) {
    controls("grid");
    for (const char* id : {"axes", "scale_bar", "time_stamp"}) ImGui::SameLine(), controls(id);
    controls("labels");
    ImGui::SameLine();
    controls("color_bar");
}

}  // namespace orrery
