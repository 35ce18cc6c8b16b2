// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

void wrapped(const std::string& text, float width) {
    write_wrapped(tr(text), ImGui::GetCursorPosX() + width);
    ImGui::Dummy({width, 0});
}

/// One of several offers, with its buttons.
void kept_lines(Widgets& ui, const AutosaveOffer& kept, std::size_t place, float width, UiRequests& requests) {
    const bool sound = kept.problem.empty();
    if (!sound)
        wrapped(phrase("A window that did not close properly has left a damaged file: {}. {}", kept.text, kept.problem),
                width);
    else if (place == 0)
        wrapped(phrase("The last window did not close properly. Its bodies are kept: {}", kept.text), width);
    else
        wrapped(phrase("The bodies of another window are kept too: {}", kept.text), width);
    const auto button = [&](const char* first, const char* others, std::string_view tip, float wide) {
        const std::string label = place == 0 ? first : std::string{others} + "###" + others + std::to_string(place);
        return ui.button(label, tip, wide);
    };
    const float half = (width - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (sound) {
        if (button("Continue with them", "Continue with these", "Opens the bodies as they were saved last", half))
            requests.autosave = AutosaveAnswer{kept.path, true};
        ImGui::SameLine();
    }
    if (button(sound ? "Discard them" : "Discard the damaged file", sound ? "Discard these" : "Discard this file",
               "Removes the file", sound ? half : width))
        requests.autosave = AutosaveAnswer{kept.path, false};
}

constexpr float kImportWidth = 440,
                kMostNotes = 0.3f;  // pixels at scale 1; fraction of the height of the window

std::string bodies_of(const Status& status) {
    std::string text = grouped(status.bodies), species;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (const std::uint64_t count = status.scene.facts.of_species[k]; count > 0)
            species += fmt::format("{}{} {}", species.empty() ? "" : ", ", grouped(count),
                                   if_known(name(static_cast<Species>(k))));
    return species.empty() ? text : text + ": " + species;
}

std::string units_of_file(const Status& status) {
    const std::string constant = fmt::format("G = {:.6g}", status.dynamics.gravity.constant);
    if (status.scene.days_per_time <= 0 && status.scene.length_unit.empty() && status.scene.mass_unit.empty())
        return phrase("none stated; {}", constant);
    std::string text;
    for (const std::string& unit :
         {status.scene.length_unit, status.scene.mass_unit,
          status.scene.days_per_time > 0
              ? phrase("time unit {}", in_local_unit(duration_text(1, status.scene.days_per_time)))
              : std::string{}})
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
    ui.value("Format", status.scene.facts.format, "Recognised by the content of the file");
    ui.value("Bodies", bodies_of(status), "Number of bodies, and of each species that the file states");
    ui.value("Time", in_local_unit(clock_text(status.time, status.scene.days_per_time, status.scene.scale_factor)),
             "Time of the snapshot, in its unit");
    ui.value("Units", units_of_file(status), "Units of length, mass and time, as stated in the file");
    ui.value("Softening",
             with_source(fmt::format("{:.4g}{}{}", status.dynamics.gravity.softening,
                                     status.scene.length_unit.empty() ? "" : " ", status.scene.length_unit),
                         status.scene.facts.softening_suggested),
             "Guessed: from the distances of the bodies, to minimise the force error. The page Setup changes it");
    ui.value("dt",
             with_source(in_local_unit(duration_text(status.dynamics.dt, status.scene.days_per_time)),
                         status.scene.facts.dt_suggested),
             "Guessed: a tenth of the time in which a typical body crosses the softening length, or 2 % of the "
             "dynamical time. The page Setup changes it");
}

void notes(Widgets& ui, const Status& status) {
    if (status.scene.notes.empty()) return;
    ui.heading("Notes on the file");
    const float most = kMostNotes * ImGui::GetIO().DisplaySize.y, width = ImGui::GetContentRegionAvail().x;
    float height = 0;
    for (const std::string& note : status.scene.notes) {
        const std::string text{remark(note, status.scene.id)};
        height += ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
    }
    if (ImGui::BeginChild("notes", {0, std::min(height, most)}, false, ImGuiWindowFlags_NoBackground)) {
        ImGui::PushTextWrapPos(0);
        for (const std::string& note : status.scene.notes) write_text(remark(note, status.scene.id));
        ImGui::PopTextWrapPos();
    }
    ImGui::EndChild();
}

void ways(Widgets& ui, const UiState& state, UiRequests& requests) {
    const float width = column_width(3);
    if (ui.primary("Start###import", "Continues from these bodies. Key Space", width)) requests.ask(SetPaused{false});
    ImGui::SameLine();
    if (ui.button("Change values", "Opens the page Setup, which has softening, dt and the integrator", width))
        requests.layout.panel = "scene";
    ImGui::SameLine();
    if (ui.button("Close###import card", "Closes this card; the bodies stay as they are", width))
        requests.change([](UiState& now) { now.scene.import.closed = now.status.scene.serial; });
    if (state.scene.import.neighbours > 1 &&
        ui.button(phrase("Play the {} snapshots of this folder", state.scene.import.neighbours) + "###play neighbours",
                  "Plays them in order of time instead of computing", -1))
        requests.open = state.scene.import.folder;
}

}  // namespace

/// Taking the focus in each frame would move the keyboard's focus out of the window's children.
void keep_in_front(const char* window) {
    ImGuiWindow* shown = ImGui::FindWindowByName(window);
    const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
    if (shown && shown->WasActive && focused && focused->RootWindow == shown)
        ImGui::BringWindowToDisplayFront(shown);
    else
        ImGui::SetNextWindowFocus();
}

void leave_dialog(Widgets& ui, const UiState& state, UiRequests& requests) {
    const LeaveQuestion& question = state.leave;
    if (!question.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(380 * ui.scale(), screen.x - 60 * ui.scale());
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, 120));
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    keep_in_front("leave");
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("leave", nullptr, kDialogWindow)) {
        for (std::string_view rest = question.text; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            wrapped(std::string{line}, width);
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        }
        ImGui::Spacing();
        const auto by_enter = [&](LeaveAnswer answer) { return question.enter == answer; };
        if (question.may_save &&
            ui.primary("Save the bodies and close",
                       "Writes them as a checkpoint, which the gallery opens again. Key Enter", width))
            requests.leave = LeaveAnswer::kSaveAndLeave;
        const ButtonRole role = by_enter(LeaveAnswer::kLeave) ? ButtonRole::kPrimary : ButtonRole::kPlain;
        if (ui.button(question.leave, {.role = role},
                      by_enter(LeaveAnswer::kLeave) ? "Key Enter" : "Everything named above is lost", width))
            requests.leave = LeaveAnswer::kLeave;
        if (ui.button("Stay", by_enter(LeaveAnswer::kStay) ? "Key Enter or Esc" : "Key Esc", width))
            requests.leave = LeaveAnswer::kStay;
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

void autosave_offer(Widgets& ui, const UiState& state, UiRequests& requests) {
    constexpr std::size_t kMost = 4;  // the others follow when these are answered
    if (state.autosave.offers.empty() || !state.scene.ready || state.leave.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale(), width = std::min(420 * ui.scale(), screen.x - 4 * gap);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y - 2 * gap}, ImGuiCond_Always, {0.5f, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
    if (ImGui::Begin("kept", nullptr, kDialogWindow | ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());  // above the gallery, which keeps the keyboard
        ui.set_tips(TipPlace::kOver);
        for (std::size_t i = 0; i < std::min(kMost, state.autosave.offers.size()); ++i)
            kept_lines(ui, state.autosave.offers[i], i, width, requests);
        ui.set_tips(TipPlace::kMouse);
    }
    ImGui::End();
    ImGui::PopStyleColor(2);
}

bool import_card_shown(const UiState& state) {
    return state.scene.ready && state.status.scene.waits_for_start &&
           state.scene.import.closed != state.status.scene.serial && !state.gallery.on && !state.layout.attract &&
           !state.layout.clean;
}

void import_card(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!import_card_shown(state)) return;
    const float scale = ui.scale(), gap = kOverlayGap * scale, left = sidebar_width(state, scale) + gap;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(kImportWidth * scale, std::max(screen.x - left - gap, screen.x / 3));
    const float top = gap + groups_height(state, scale);
    ImGui::SetNextWindowPos({left, top});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - transport_height(state, scale) - top - gap});
    constexpr int flags = kDialogWindow | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin(kImportWindow, nullptr, flags)) {
        ui.heading(translated(state.status.scene.label));
        facts(ui, state.status);
        notes(ui, state.status);
        ImGui::Spacing();
        ways(ui, state, requests);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
