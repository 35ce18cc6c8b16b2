// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <optional>

#include "app/picture/format.hpp"
#include "app/ui/color_controls.hpp"
#include "app/ui/menu_combo.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/units.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/settings_of_scene.hpp"

namespace orrery {
namespace {

const SettingInfo& of_encounters(std::string_view id) { return setting(scene_settings(), id).info; }

/// Gives bodies without a size one from the softening, or from the scene's radius if there is no softening.
void give_size(EncounterRule& rule, const UiState& state) {
    if (!rule.on() || rule.density > 0 || rule.radius > 0) return;
    const double softening = state.status.gravity.softening;
    rule.density =
        suggested_density(state.status.mean_mass, softening > 0 ? softening : 1e-3 * state.picture.extent.radius);
}

std::optional<EncounterRule> knobs(Widgets& ui, const UiState& state) {
    const Status& s = state.status;
    EncounterRule rule = s.encounters;
    const SettingInfo& what = of_encounters("encounters");
    std::string why;
    const auto why_not = [&](const EncounterEntry& entry) -> std::string_view {
        if (entry.kind == EncounterKind::kOff) return "";
        if (s.series.on) return "a series is played, not computed";
        why = why_encounters_incompatible({.kind = entry.kind}, integrator(s.integrator), s.engine, s.gravity.law);
        return why;
    };
    std::string_view id = encounter_kind(rule.kind).id;
    if (menu_combo(ui, what.label, encounter_kinds(), id, &EncounterEntry::id, tip_of(what), why_not))
        rule.kind = encounter_kind(id).kind;
    const auto number = [&](std::string_view key, double& value) {
        const SettingInfo& info = of_encounters(key);
        if (const auto typed = ui.typed_real(info.label, value, tip_of(info))) value = *typed;
    };
    number("body_density", rule.density);
    number("body_radius", rule.radius);
    if (rule.kind == EncounterKind::kBounce) number("restitution", rule.restitution);
    give_size(rule, state);
    return rule == s.encounters ? std::nullopt : std::optional{rule};
}

void booked(Widgets& ui, const Status& s) {
    const EncounterLedger& met = s.met;
    ui.heading("So far");
    const auto count = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
    ui.value("Merges", count(met.merges), "Bodies that have merged into another");
    ui.value("Bounces", count(met.bounces), "Collisions after which both bodies separated");
    ui.value("Accretions", count(met.accretions), "Bodies absorbed by a body of the species boundary");
    ui.value("Energy taken", with_unit(met.energy, {2, -2, 1}, units_of(s)),
             "Energy that encounters have added to the bodies; it does not count as drift");
    const ShownUnit of_l = shown_unit({2, -1, 1}, units_of(s));
    const Vec3d l = of_l.factor * met.angular_momentum;
    ui.value("L taken", fmt::format("{:.2e}, {:.2e}, {:.2e} {}", l.x, l.y, l.z, of_l.text),
             "Orbital angular momentum lost, about the origin: it becomes spin of merged bodies");
}

void last_ones(Widgets& ui, const Status& s) {
    if (s.met_last.empty()) return;
    ui.heading("Last encounters");
    constexpr int kFlags = ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
    if (!ImGui::BeginTable("encounters", 4, kFlags)) return;
    for (const std::string& title : {std::string{tr("Time")}, std::string{tr("What")}, std::string{tr("Bodies")},
                                     std::string{tr("Masses")} + (s.mass_unit.empty() ? "" : " [" + s.mass_unit + "]")})
        ImGui::TableSetupColumn(title.c_str());
    ImGui::TableHeadersRow();
    for (const Encounter& each : s.met_last) {
        const std::string cells[] = {clock_text(each.time, s.days_per_time, s.scale_factor),
                                     std::string{encounter_kind(each.kind).id},
                                     fmt::format("{}, {}", each.first, each.second),
                                     fmt::format("{:.2g}, {:.2g}", each.mass_first, each.mass_second)};
        ImGui::TableNextRow();
        for (const std::string& cell : cells) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(cell.c_str());
        }
    }
    ImGui::EndTable();
}

}  // namespace

void encounters_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (const auto rule = knobs(ui, state)) requests.ask(SetEncounters{*rule});
    const Status& s = state.status;
    if (s.encounters.kind == EncounterKind::kAccrete)
        ui.note("Bodies of the species boundary absorb bodies within their radius.");
    if (s.encounters.on() && s.reversed)
        ui.note("Encounters are off while time runs backward: mergers are irreversible.");
    booked(ui, s);
    last_ones(ui, s);
}

}  // namespace orrery
