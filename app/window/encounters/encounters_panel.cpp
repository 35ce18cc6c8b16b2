// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/picture/format.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/features.hpp"
#include "app/window/panels.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/units.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

const SettingInfo& of_encounters(std::string_view id) { return setting(scene_settings(), id).info; }

/// Gives bodies without a size one from the softening, or from the scene's radius if there is no softening.
void give_size(EncounterRule& rule, const UiState& state) {
    if (!rule.on() || rule.density > 0 || rule.radius > 0) return;
    const double softening = state.status.dynamics.gravity.softening;
    rule.density = suggested_density(state.status.encounters.mean_mass,
                                     softening > 0 ? softening : 1e-3 * state.picture.extent.radius);
}

std::optional<EncounterRule> knobs(Widgets& ui, const UiState& state) {
    const Status& s = state.status;
    EncounterRule rule = s.encounters.rule;
    const SettingInfo& what = of_encounters("encounters");
    std::string why;
    const auto why_not = [&](const EncounterEntry& entry) -> std::string_view {
        if (entry.kind == EncounterKind::kOff) return "";
        if (s.source.series.on) return "a series is played, not computed";
        why = why_encounters_incompatible({.kind = entry.kind}, integrator(s.dynamics.integrator), s.engine.config,
                                          s.dynamics.gravity.law);
        return why;
    };
    std::string_view id = encounter_kind(rule.kind).id;
    if (menu_combo(ui, what.label, encounter_kinds(), id, &EncounterEntry::id, tip_of(what), why_not))
        rule.kind = encounter_kind(id).kind;
    const auto number = [&](std::string_view key, double& value) {
        if (const auto typed = typed_setting(ui, of_encounters(key), value)) value = *typed;
    };
    number("body_density", rule.density);
    number("body_radius", rule.radius);
    if (rule.kind == EncounterKind::kBounce) number("restitution", rule.restitution);
    give_size(rule, state);
    return rule == s.encounters.rule ? std::nullopt : std::optional{rule};
}

void booked(Widgets& ui, const Status& s) {
    const EncounterLedger& met = s.encounters.ledger;
    ui.heading("So far");
    ui.value("Merges", grouped(met.merges), "Bodies that have merged into another");
    ui.value("Bounces", grouped(met.bounces), "Collisions after which both bodies separated");
    ui.value("Accretions", grouped(met.accretions), "Bodies absorbed by a body of the species boundary");
    ui.value("Energy taken", with_unit(met.energy, {2, -2, 1}, units_of(s)),
             "Energy that encounters have added to the bodies; it does not count as drift");
    const ShownUnit of_l = shown_unit({2, -1, 1}, units_of(s));
    const Vec3d l = of_l.factor * met.angular_momentum;
    ui.value("L taken", fmt::format("{:.2e}, {:.2e}, {:.2e} {}", l.x, l.y, l.z, of_l.text),
             "Orbital angular momentum lost, about the origin: it becomes spin of merged bodies");
}

void last_ones(Widgets& ui, const Status& s) {
    if (s.encounters.last.empty()) return;
    ui.heading("Last encounters");
    constexpr int kFlags = ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
    if (!ImGui::BeginTable("encounters", 4, kFlags)) return;
    for (const std::string& title :
         {phrase("Time"), phrase("What"), phrase("Bodies"),
          phrase("Masses") + (s.scene.mass_unit.empty() ? "" : " [" + s.scene.mass_unit + "]")})
        ImGui::TableSetupColumn(title.c_str());
    ImGui::TableHeadersRow();
    for (const Encounter& each : s.encounters.last) {
        const std::string cells[] = {in_local_unit(clock_text(each.time, s.scene.days_per_time, s.scene.scale_factor)),
                                     std::string{if_known(encounter_kind(each.kind).label)},
                                     fmt::format("{}, {}", each.first, each.second),
                                     fmt::format("{:.2g}, {:.2g}", each.mass_first, each.mass_second)};
        ImGui::TableNextRow();
        for (const std::string& cell : cells) {
            ImGui::TableNextColumn();
            write_text(cell);
        }
    }
    ImGui::EndTable();
}

void encounters_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (const auto rule = knobs(ui, state)) requests.ask(SetEncounters{*rule});
    const Status& s = state.status;
    if (s.encounters.rule.kind == EncounterKind::kAccrete)
        ui.note("Bodies of the species boundary absorb bodies within their radius.");
    if (s.encounters.rule.on() && s.pace.reversed)
        ui.note("Encounters are off while time runs backward: mergers are irreversible.");
    booked(ui, s);
    last_ones(ui, s);
}

constexpr auto kEncountersPanels = std::to_array<PanelEntry>({
    {"encounters", PanelGroup::kScene, "Encounters", encounters_panel,
     "Rule for bodies that touch, and the encounters so far"},
});

nlohmann::json encounters_json(const Status& s) {
    nlohmann::json last = nlohmann::json::array();
    for (const Encounter& each : s.encounters.last)
        last.push_back({{"kind", encounter_kind(each.kind).id},
                        {"time", each.time},
                        {"first", each.first},
                        {"second", each.second},
                        {"masses", {each.mass_first, each.mass_second}}});
    return {{"kind", encounter_kind(s.encounters.rule.kind).id},
            {"density", s.encounters.rule.density},
            {"radius", s.encounters.rule.radius},
            {"restitution", s.encounters.rule.restitution},
            {"merges", s.encounters.ledger.merges},
            {"bounces", s.encounters.ledger.bounces},
            {"accretions", s.encounters.ledger.accretions},
            {"energy", s.encounters.ledger.energy},
            {"last", last}};
}

void describe_encounters(nlohmann::json& map, const UiState& state) {
    map["encounters"] = encounters_json(state.status);
}

}  // namespace

FeatureEntry encounters_feature() { return {.panels = kEncountersPanels, .describe = describe_encounters}; }

}  // namespace orrery
