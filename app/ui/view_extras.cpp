// SPDX-License-Identifier: MIT
#include "app/ui/view_extras.hpp"

#include <imgui.h>

#include <algorithm>

namespace orrery {

bool exposure_controls(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ViewSettings standard;
    bool edited =
        ui.slider("Exposure", view.exposure, {-6, 6, standard.exposure, "%+.1f EV"}, "1 EV doubles the light");
    bool automatic = !view.white;
    if (ui.toggle("Automatic exposure", automatic,
                  "White goes by the number of bodies and the area they cover, in films slowly; off: it stays "
                  "where it is, through a film too")) {
        view.white = automatic ? std::nullopt : std::optional{std::max(state.white, 1e-6)};
        edited = true;
    }
    if (!view.white) return edited;
    double white = *view.white;
    const double usual = std::max(state.white, 1e-6);
    if (ui.slider("White", white, {1e-2, 1e6, usual, "%.3g", Scale::kLogarithmic},
                  "Light of bodies in a pixel that is drawn white; a body gives 1"))
        view.white = white, edited = true;
    return edited;
}

bool trail_and_star_controls(Widgets& ui, TrailView& trails, StarView& stars) {
    bool edited =
        ui.toggle("Trails", trails.on, "Where bodies have been, as lines that fade; of many bodies every n-th has one");
    ImGui::SameLine();
    edited |= ui.toggle("Stars", stars.on,
                        "A sky infinitely far behind the bodies, made by numbers: it turns with the camera and has no "
                        "mass. N(m) ~ 10^(0.6 m), as of stars spread evenly (Hubble 1926)");
    if (trails.on) {
        const TrailView standard;
        edited |= ui.whole_number("Length", trails.points, 2, TrailView::kMostPoints, standard.points,
                                  "Places of each body that are kept");
        edited |= ui.whole_number("Steps apart", trails.every, 1, 100, standard.every,
                                  "Steps from one place to the next, at least");
        edited |= ui.slider("Trail light", trails.opacity, {0, 1, standard.opacity, "%.2f"}, "Of the lines");
    }
    if (stars.on) {
        const StarView standard;
        edited |= ui.slider("Star light", stars.light, {0, 4, standard.light, "%.2f"},
                            "Times the usual one, at which no star outshines a body");
        edited |= ui.whole_number("Sky", stars.seed, 0, 999, standard.seed, "Seed: the same number is the same sky");
    }
    return edited;
}

bool guide_controls(Widgets& ui, GuideView& guides) {
    bool edited =
        ui.toggle("Grid", guides.grid, "In the orbital plane, z = 0; its cells are as long as a round number");
    ImGui::SameLine();
    edited |= ui.toggle("Axes", guides.axes, "From the scene's origin: x red, y green, z blue");
    ImGui::SameLine();
    edited |= ui.toggle("Scale", guides.scale_bar, "How long a length is, where the camera looks");
    ImGui::SameLine();
    edited |= ui.toggle("Clock", guides.time_stamp, "The simulated time, in the picture");
    edited |= ui.toggle("Names", guides.labels, "Of bodies that have some, as planets do");
    ImGui::SameLine();
    return edited;
}

}  // namespace orrery
