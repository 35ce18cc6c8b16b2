// SPDX-License-Identifier: MIT
#include "app/window/hand/sight_lines.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <numbers>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/panels.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

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

}  // namespace

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

}  // namespace orrery
