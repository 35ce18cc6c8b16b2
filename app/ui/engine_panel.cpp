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

/// accuracy_text(), translated if the criterion has no limit to explain.
std::string accuracy_phrase(const Acceptance& acceptance, const EngineConfig& engine, double asked) {
    const bool plain = acceptance.measured() && acceptance.limit == AcceptanceLimit::kNone &&
                       accuracy_missed(acceptance, engine, asked).empty();
    return plain ? phrase("{:.1e} measured, {:g} asked, criterion × {:.3g}", acceptance.error, asked, acceptance.factor)
                 : accuracy_text(acceptance, engine, asked);
}

constexpr float kThetaButton = 124;  // pixels at scale 1

/// On the same line as the previous item.
void theta_button(Widgets& ui, const UiState& state, UiRequests& requests) {
    const bool running = state.status.theta_sweep.running;
    const float width = kThetaButton * ui.scale();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (!ui.button(
            "Error against θ",
            "Measures error and time of the tree over its opening angle, for the current bodies, in the background",
            width, running ? "being measured" : ""))
        return;
    requests.ask(MeasureTheta{true});
    requests.change([](UiState& now) { now.plots.theta = true; });
}

/// The page of a cloud, for which no forces are computed.
void cloud_page(Widgets& ui, const CloudStatus& cloud) {
    ui.note("Clouds are view-only: open the original snapshot to simulate it.");
    const auto count = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
    ui.value("Bodies", count(cloud.bodies), "Bodies of the file");
    ui.value("Drawn", count(cloud.shown), "Bodies that are drawn now");
    ui.value("Stand for", count(cloud.stands_for), "Bodies in the visible cells");
    ui.value("One for", phrase("{:.3g} at most", cloud.most),
             "Largest number of bodies that one drawn body represents");
    ui.value("Apart", phrase("{:.3g} pixels", cloud.spacing),
             "Distance between drawn bodies in the coarsest cell that is not drawn in full; finer details are sampled");
    ui.value("Cells", count(cloud.cells), "Cells of the octree in the picture");
    ui.value("Memory", fmt::format("{:.0f} MB", 1e-6 * static_cast<double>(cloud.memory)),
             "Memory of the cells read so far");
    if (cloud.reading) ui.note("Finer cells are being read.");
    if (cloud.full) ui.note("Finer cells are left out; the page View sets the largest number of bodies.");
}

}  // namespace

void engine_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (state.status.cloud.on) return cloud_page(ui, state.status.cloud);
    EngineConfig config = state.requested.engine;
    bool edited = engine_combos(ui, config);
    if (wants_double(state.status))
        ui.note("With so few bodies, double precision keeps the phase of the orbits longer.");
    edited |= engine_knobs(ui, config);
    const EngineEntry* entry = EngineMenu{}.find(config.engine, config.backend);
    if (edited) requests.ask(SetEngine{config});
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
    if (entry && entry->has_tree()) theta_button(ui, state, requests);
    engine_figures(ui, state.status.engine_report);
    if (const double asked = state.status.accuracy_to_keep; asked > 0)
        ui.value("Accuracy", accuracy_phrase(state.status.acceptance, state.status.engine, asked),
                 "Relative RMS error at the last measurement, of a few hundred bodies against all pairs, the requested "
                 "error, and the factor by which the criterion is scaled to meet it");
}

}  // namespace orrery
