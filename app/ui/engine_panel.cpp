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

}  // namespace

void engine_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
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
