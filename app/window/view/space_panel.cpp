// SPDX-License-Identifier: MIT
#include "app/window/view/space_panel.hpp"

#include <imgui.h>

#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

double edge_of(const ViewSettings& view, double stated) { return view.space.box > 0 ? view.space.box : stated; }

/// The mean of bodies by mass, each at its image nearest to the first, moved into the box from the origin on.
Vec3d middle_of(const std::vector<Vec4d>& bodies, double edge) {
    const Periodic around_first{edge, xyz(bodies.front()), 1};
    Vec3d sum{};
    double mass = 0;
    for (const Vec4d& body : bodies) {
        const double weight = body.w > 0 ? body.w : 1e-300;
        sum = sum + weight * around_first.nearest(xyz(body)), mass += weight;
    }
    return Periodic{edge, {edge / 2, edge / 2, edge / 2}, 1}.nearest((1 / mass) * sum);
}

}  // namespace

bool space_controls(Widgets& ui, const UiState& state, ViewSettings& view, UiRequests& requests) {
    if (!(edge_of(view, state.picture.box) > 0)) return false;
    bool edited = setting_control(ui, setting(view_settings(), "wrap"), view);
    edited |= setting_control(ui, setting(view_settings(), "tiles"), view);
    const auto change = [&](std::optional<std::string> to) {
        requests.change([to](UiState& now) { now.own.of<SpaceEdit>().typed = to; });
    };
    const std::string set = view.space.recentre;
    std::string typed = state.own.of<SpaceEdit>().typed.value_or(set);
    if (ui.text("Middle", typed, "X, Y, Z", "Middle of the periodic box in the picture; empty: its own. Enter sets it"))
        change(typed);
    if (ui.entered()) {
        change({});
        if (typed.empty() || point_in(typed)) view.space.recentre = typed, edited = true;
    }
    if (ui.button("Recentre", "Puts the selected bodies into the middle of the periodic box and of the picture", -1,
                  state.hand.count() == 0 ? "no body is selected" : ""))
        requests.ask(Command::kRecentre);
    return edited;
}

void recentre_on_selection(WindowParts& window, int) {
    WindowCore& core = window.core;
    const std::vector<Vec4d>& bodies = core.simulation.frame().watched;
    const double edge = edge_of(core.state.view, core.state.picture.box);
    if (!(edge > 0)) return core.messages.notice("The scene has no periodic box");
    if (bodies.empty()) return core.messages.notice("Pick a body first: click on it");
    const Vec3d middle = middle_of(bodies, edge);
    core.state.view.space.recentre = text_of_point(middle);
    CameraPose pose = core.camera.camera().pose();
    pose.target = {middle.x, middle.y, middle.z};
    core.camera.set_follow(Follow::kNothing);
    core.camera.go_to(pose, Transition::kSmooth);
}

}  // namespace orrery
