// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/ui/menu_combo.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/step_ladder.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/physics/units.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/settings_of_scene.hpp"

namespace orrery {
namespace {

const SettingInfo& of_scene(std::string_view id) { return setting(scene_settings(), id).info; }

const PresetEntry* preset_shown(const UiState& state) {
    const auto menu = presets();
    const auto found = std::ranges::find(menu, state.status.scene_id, &PresetEntry::id);
    return found == menu.end() ? nullptr : &*found;
}

void preset_combo(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto menu = presets();
    const auto shown = std::ranges::find(menu, state.status.scene_id, &PresetEntry::id);
    const std::string label = shown != menu.end() ? std::string{shown->label} : state.status.scene_label;
    if (!ui.begin_combo("Preset", label, "Initial conditions. Keys [ and ], or Page Up and Page Down")) return;
    for (const PresetEntry& entry : menu)
        if (ui.choice(entry.label, entry.id == state.status.scene_id, entry.doc))
            requests.ask(LoadScene{{.source = std::string{entry.id}, .bodies = 0, .seed = state.requested.scene.seed}});
    ui.end_combo();
}

void count_and_seed(Widgets& ui, const UiState& state, UiRequests& requests) {
    const PresetEntry* preset = preset_shown(state);
    const std::string_view fixed = !preset               ? "the number of bodies of a snapshot is fixed"
                                   : preset->fixed_count ? "the number of bodies of this preset is fixed"
                                                         : "";
    // Setting one of them keeps the others, and resets softening and dt to the scene's.
    SceneRequest other{
        .source = state.status.scene_id, .bodies = state.requested.scene.bodies, .seed = state.requested.scene.seed};
    if (preset && preset->displaced)
        other.sites = state.requested.scene.sites, other.displacements = state.requested.scene.displacements;
    const SettingInfo &number = of_scene("bodies"), &random = of_scene("seed");
    if (const auto bodies =
            ui.typed_number(number.label, state.status.bodies, tip_of(number) + ". The scene restarts", fixed))
        other.bodies = *bodies, requests.ask(LoadScene{other});
    if (const auto seed =
            ui.typed_number(random.label, state.requested.scene.seed, tip_of(random) + ". The scene restarts",
                            preset ? "" : "a snapshot has no seed"))
        other.seed = *seed, requests.ask(LoadScene{other});
    if (!preset || !preset->displaced) return;
    const SettingInfo &where = of_scene("sites"), &order = of_scene("displacements");
    std::string_view standing =
        other.sites.empty() ? sites().front().id : std::string_view{state.requested.scene.sites};
    if (menu_combo(ui, where.label, sites(), standing, &SitesEntry::id, tip_of(where) + ". The scene restarts"))
        other.sites = standing, requests.ask(LoadScene{other});
    std::string_view displaced = other.displacements.empty() ? displacements().front().id
                                                             : std::string_view{state.requested.scene.displacements};
    if (menu_combo(ui, order.label, displacements(), displaced, &DisplacementsEntry::id,
                   tip_of(order) + ". The scene restarts"))
        other.displacements = displaced, requests.ask(LoadScene{other});
}

const char* speed_format(double speed) { return speed <= 0 ? "unlimited" : speed < 100 ? "%.3g /s" : "%.0f /s"; }

void scenes(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SceneShown& shown = state.scene.shown;
    const std::string name =
        shown.title.empty() ? std::filesystem::path{shown.source}.filename().string() : shown.title;
    if (ui.begin_combo("Scene file", shown.source.empty() ? "none" : name,
                       "A scene file sets bodies, forces, view and camera together")) {
        for (const SceneChoice& scene : state.scene.choices)
            if (ui.choice(scene.label, scene.id == shown.source, scene.doc)) requests.open = scene.id;
        ui.end_combo();
    }
    if (!shown.watch.empty()) ui.note(shown.watch);
}

void rewind_memory(Widgets& ui, const Timeline& timeline, UiRequests& requests) {
    constexpr double mebi = 1 << 20;
    double budget = static_cast<double>(timeline.budget) / mebi;
    if (ui.slider(
            "Rewind memory", budget,
            {0, 16384, static_cast<double>(RewindMonitor::kStandardBudget) / mebi, "%.0f MiB", Scale::kLogarithmic},
            "Memory for rewind snapshots, in MiB, at 48 bytes per body in single precision. Older snapshots are "
            "kept at larger intervals"))
        requests.ask(SetRewindBudget{static_cast<std::size_t>(std::max(0.0, budget) * mebi)});
    if (!timeline.note.empty()) ui.note(timeline.note);
}

void files(Widgets& ui, const UiState& state, UiRequests& requests) {
    ui.heading("Files");
    std::string path = state.scene.open_path;
    if (ui.path("File", path, "path; or drop a file here",
                "A snapshot in any format of `orrery list`, or a scene file; Tab completes its path, Enter opens it. "
                "Or drop it on the window"))
        requests.change([path](UiState& now) { now.scene.open_path = path; });
    if (ui.entered() && !path.empty()) requests.open = path;
    if (ui.button("Load", "Opens the file; it replaces the current scene", -1, path.empty() ? "type a path first" : ""))
        requests.open = path;
    std::string scene = state.scene.save_path;
    if (ui.text("Save as", scene, "NAME.toml, or by date and time",
                "Path of the scene file to write: bodies, forces, view and camera"))
        requests.change([scene](UiState& now) { now.scene.save_path = scene; });
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui.button("Save scene", "Saves the settings as a scene file, which starts from the beginning. Key Ctrl + S",
                  half))
        requests.ask(Command::kSaveScene);
    ImGui::SameLine();
    if (ui.button("Save state",
                  "Saves the bodies as they are, as a checkpoint from which the run can continue. Key Ctrl + Shift + S",
                  half))
        requests.ask(Command::kSaveState);
}

/// The pair law and its lengths.
void law_knobs(Widgets& ui, const Status& s, UiRequests& requests) {
    const Gravity& now = s.gravity;
    const EngineEntry& by = engine(s.engine.engine, s.engine.backend);
    std::string_view id = pair_law(now.law).id;
    // Lennard-Jones atoms need a size.
    const double sigma = now.sigma > 0 ? now.sigma : 1;
    if (menu_combo(ui, of_scene("law").label, pair_laws(), id, &PairLawEntry::id, tip_of(of_scene("law")),
                   [&](const PairLawEntry& entry) -> std::string_view {
                       if (entry.value == PairLaw::kGravity) return "";
                       if (s.engine.precision == Precision::kMixed) return "is not computed in mixed precision";
                       return computes(by, entry.value) ? "" : "is not computed by this engine";
                   })) {
        const PairLaw law = pair_law(id).value;
        requests.ask(SetLaw{law, law == PairLaw::kLennardJones ? sigma : now.sigma, now.cut_off});
    }
    if (attracts_masses(now.law)) return;
    if (const auto length = ui.typed_real(of_scene("sigma").label, now.sigma, tip_of(of_scene("sigma"))))
        requests.ask(SetLaw{now.law, *length, now.cut_off});
    if (now.law != PairLaw::kLennardJones) return;
    if (const auto cut = ui.typed_real(of_scene("cut_off").label, now.cut_off, tip_of(of_scene("cut_off"))))
        requests.ask(SetLaw{now.law, now.sigma, *cut});
}

void integrator_knobs(Widgets& ui, const Status& s, UiRequests& requests) {
    std::vector<std::string> why_not;
    for (const IntegratorEntry& entry : integrators())
        why_not.push_back(why_incompatible(entry, s.engine, s.gravity.law));
    std::string_view id = s.integrator;
    const SettingInfo &integrator = of_scene("integrator"), &adaptive = of_scene("adaptive");
    if (menu_combo(ui, integrator.label, integrators(), id, &IntegratorEntry::id,
                   tip_of(integrator) + ". Takes effect at the next step",
                   [&](const IntegratorEntry& entry) -> std::string_view {
                       return why_not[static_cast<std::size_t>(&entry - integrators().data())];
                   }))
        requests.ask(SetIntegrator{std::string{id}, s.adaptive});
    if (const auto eta = ui.typed_real(adaptive.label, s.adaptive, tip_of(adaptive)))
        requests.ask(SetIntegrator{s.integrator, *eta});
    step_ladder(ui, s.ladder);
}

}  // namespace

void scene_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const Status& s = state.status;
    if (ui.button("Scenes and files", "Pictures of all scenes and presets, recent files, folders. Keys G and Ctrl + O",
                  -1))
        requests.ask(Command::kGallery);
    preset_combo(ui, state, requests);
    scenes(ui, state, requests);
    count_and_seed(ui, state, requests);
    const SettingInfo& epsilon = of_scene("softening");
    if (const auto softening = ui.typed_real(epsilon.label, s.gravity.softening, tip_of(epsilon)))
        requests.ask(SetSoftening{*softening});
    law_knobs(ui, s, requests);
    if (const auto dt = ui.typed_time("dt", s.dt, s.days_per_time, s.scene_id,
                                      "Step length, in the scene's unit of time or with its own unit: 0.5day"))
        requests.ask(SetDt{*dt});
    if (s.days_per_time > 0) ui.value("One step", duration_text(s.dt, s.days_per_time), "The same as a time");
    integrator_knobs(ui, s, requests);
    double speed = s.speed_limit;
    if (ui.slider("Speed", speed, {0, 10'000, 60.0 * s.steps_per_frame, speed_format(speed), Scale::kLogarithmic},
                  "Maximum number of steps per second; at the left end as many as possible. Keys + and -"))
        requests.ask(SetSpeed{speed});
    bool backward = s.reversed;
    if (ui.toggle(
            "Backward", backward,
            "Steps of −dt: leapfrog retraces its own steps, up to rounding (Hockney & Eastwood 1988, §4-4-1). Key Z"))
        requests.ask(Command::kReverse);
    rewind_memory(ui, s.timeline, requests);
    files(ui, state, requests);
}

}  // namespace orrery
