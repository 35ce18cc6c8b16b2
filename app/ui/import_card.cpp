// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr float kImportWidth = 440, kImportGap = 10,
                kMostNotes = 0.3f;  // pixels at scale 1; fraction of the height of the window

std::string bodies_of(const Status& status) {
    std::string text = grouped(static_cast<std::int64_t>(status.bodies)), species;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (const std::uint64_t count = status.facts.of_species[k]; count > 0)
            species += fmt::format("{}{} {}", species.empty() ? "" : ", ", grouped(static_cast<std::int64_t>(count)),
                                   if_known(name(static_cast<Species>(k))));
    return species.empty() ? text : text + ": " + species;
}

std::string units_of_file(const Status& status) {
    const std::string constant = fmt::format("G = {:.6g}", status.gravity.constant);
    if (status.days_per_time <= 0 && status.length_unit.empty() && status.mass_unit.empty())
        return phrase("none stated; {}", constant);
    std::string text;
    for (const std::string& unit :
         {status.length_unit, status.mass_unit,
          status.days_per_time > 0 ? phrase("time unit {}", duration_text(1, status.days_per_time)) : std::string{}})
        if (!unit.empty()) text += unit + ", ";
    return text + constant;
}

std::string with_source(std::string value, bool suggested) {
    return suggested ? phrase("{}, guessed from the bodies", value) : phrase("{}, from the file", value);
}

/// A note without the name of the file, which is shown above.
std::string_view remark(std::string_view note, std::string_view file) {
    if (note.starts_with(file) && note.substr(file.size()).starts_with(": ")) note.remove_prefix(file.size() + 2);
    return note;
}

void facts(Widgets& ui, const Status& status) {
    ui.value("Format", status.facts.format, "Recognised by the content of the file");
    ui.value("Bodies", bodies_of(status), "Number of bodies, and of each species that the file states");
    ui.value("Time", clock_text(status.time, status.days_per_time, status.scale_factor),
             "Time of the snapshot, in its unit");
    ui.value("Units", units_of_file(status), "Units of length, mass and time, as stated in the file");
    ui.value("Softening",
             with_source(fmt::format("{:.4g}{}{}", status.gravity.softening, status.length_unit.empty() ? "" : " ",
                                     status.length_unit),
                         status.facts.softening_suggested),
             "Guessed: from the distances of the bodies, to minimise the force error. The page Setup changes it");
    ui.value("dt", with_source(duration_text(status.dt, status.days_per_time), status.facts.dt_suggested),
             "Guessed: a tenth of the time in which a typical body crosses the softening length, or 2 % of the "
             "dynamical time. The page Setup changes it");
}

void notes(Widgets& ui, const Status& status) {
    if (status.scene_notes.empty()) return;
    ui.heading("Notes on the file");
    const float most = kMostNotes * ImGui::GetIO().DisplaySize.y, width = ImGui::GetContentRegionAvail().x;
    float height = 0;
    for (const std::string& note : status.scene_notes) {
        const std::string text{remark(note, status.scene_id)};
        height += ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
    }
    if (ImGui::BeginChild("notes", {0, std::min(height, most)}, false, ImGuiWindowFlags_NoBackground)) {
        ImGui::PushTextWrapPos(0);
        for (const std::string& note : status.scene_notes)
            ImGui::TextUnformatted(std::string{remark(note, status.scene_id)}.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::EndChild();
}

void ways(Widgets& ui, const UiState& state, UiRequests& requests) {
    const float width = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const bool starts = ui.button("Start###import", "Continues from these bodies. Key Space", width);
    ImGui::PopStyleColor();
    if (starts) requests.ask(SetPaused{false});
    ImGui::SameLine();
    if (ui.button("Change values", "Opens the page Setup, which has softening, dt and the integrator", width))
        requests.layout.panel = "scene";
    ImGui::SameLine();
    if (ui.button("Close###import card", "Closes this card; the bodies stay as they are", width))
        requests.change([](UiState& now) { now.scene.import.closed = now.status.scene_serial; });
    if (state.scene.import.neighbours > 1 &&
        ui.button(phrase("Play the {} snapshots of this folder", state.scene.import.neighbours) + "###play neighbours",
                  "Plays them in order of time instead of computing", -1))
        requests.open = state.scene.import.folder;
}

}  // namespace

bool import_card_shown(const UiState& state) {
    return state.scene.ready && state.status.waits_for_start &&
           state.scene.import.closed != state.status.scene_serial && !state.gallery.on && !state.layout.attract;
}

void import_card(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!import_card_shown(state)) return;
    const float scale = ui.scale(), gap = kImportGap * scale, left = sidebar_width(state, scale) + gap;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(kImportWidth * scale, std::max(screen.x - left - gap, screen.x / 3));
    const float top = gap + groups_height(state, scale);
    ImGui::SetNextWindowPos({left, top});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - transport_height(state, scale) - top - gap});
    constexpr int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin(kImportWindow, nullptr, flags)) {
        ui.heading(translated(state.status.scene_label));
        facts(ui, state.status);
        notes(ui, state.status);
        ImGui::Spacing();
        ways(ui, state, requests);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
