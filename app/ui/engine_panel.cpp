// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/format.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/engine_figures.hpp"
#include "app/ui/engine_knobs.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "core/simulation/accuracy_keeper.hpp"

namespace orrery {
namespace {

constexpr float kThetaButton = 124;  // pixels at scale 1

/// Beside the line above.
void theta_button(Widgets& ui, const UiState& state, Wishes& wishes) {
    const bool running = state.status.theta_sweep.running;
    const float width = kThetaButton * ui.scale();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (!ui.button(
            "Error against θ",
            "Measures error and time of the tree over its opening angle, for the current bodies, in the background",
            width, running ? "being measured" : ""))
        return;
    wishes.ask(MeasureTheta{true});
    wishes.theta_plot = true;
}

/// Of a cloud no forces are computed: what is known of it stands here.
void cloud_page(Widgets& ui, const CloudStatus& cloud) {
    ui.note("A cloud is looked at, not computed. To compute, open the snapshot that it was made of.");
    const auto count = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
    ui.value("Bodies", count(cloud.bodies), "Bodies of the file");
    ui.value("Drawn", count(cloud.shown), "Bodies that are drawn now");
    ui.value("Stand for", count(cloud.stands_for), "Bodies of the cells in the picture");
    ui.value("One for", phrase("{:.3g} at most", cloud.most), "For so many bodies one that is drawn stands at most");
    ui.value("Apart", phrase("{:.3g} pixels", cloud.spacing),
             "Distance of the bodies drawn in the coarsest cell, of which not all are; finer details are sampled");
    ui.value("Cells", count(cloud.cells), "Cells of the octree in the picture");
    ui.value("Memory", fmt::format("{:.0f} MB", 1e-6 * static_cast<double>(cloud.memory)),
             "What has been read is kept");
    if (cloud.reading) ui.note("Finer cells are being read.");
    if (cloud.full) ui.note("Finer cells are left out: more bodies may be drawn in the page View.");
}

}  // namespace

void engine_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    if (state.status.cloud.on) return cloud_page(ui, state.status.cloud);
    EngineConfig config = state.engine;
    bool edited = engine_combos(ui, config);
    if (wants_double(state.status))
        ui.note("With so few bodies, double precision keeps the phase of the orbits longer.");
    edited |= engine_knobs(ui, config);
    const EngineEntry* entry = EngineMenu{}.find(config.engine, config.backend);
    if (edited) wishes.ask(SetEngine{config});
    if (state.status.ranks > 1)
        ui.value("Ranks", ranks_text(state.status.ranks, state.status.shared),
                 "Processes that MPI has started. The first one has this window; the others compute forces with it, "
                 "where the engine can share them");
    if (!state.status.engine_choice.empty())
        ui.value("Chosen", state.status.engine_choice, "Settings that the engine chose for this number of bodies");
    if (entry && entry->has_tree()) ImGui::AlignTextToFramePadding();  // a button follows
    ui.value("Force error",
             state.status.error ? phrase("{:.1e} rms", state.status.error->rms) : std::string{"being measured"},
             "Relative RMS error of the accelerations against the double-precision reference, over sampled bodies");
    if (entry && entry->has_tree()) theta_button(ui, state, wishes);
    engine_figures(ui, state.status.engine_report);
    if (const double asked = state.status.accuracy_to_keep; asked > 0)
        ui.value(
            "Accuracy", accuracy_text(state.status.acceptance, state.status.engine, asked),
            "Relative RMS error at the last measurement, by a few hundred bodies against all, the error asked for, "
            "and the factor that the criterion has been scaled by to keep it");
}

}  // namespace orrery
