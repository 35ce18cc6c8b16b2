// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/picture/format.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/panels.hpp"
#include "app/window/selection/selection_control.hpp"

namespace orrery {
namespace {

using namespace command_table;

struct OperationEntry {
    std::string_view label, doc;
    SetOperation operation;
};
constexpr auto kOperations = std::to_array<OperationEntry>({
    {"Replace", "enclosed bodies become the selection", SetOperation::kReplace},
    {"Extend", "enclosed bodies join the selection", SetOperation::kAdd},
    {"Keep", "only enclosed bodies stay in the selection", SetOperation::kKeep},
    {"Remove", "enclosed bodies leave the selection", SetOperation::kRemove},
});

void ask(UiRequests& requests, SetRequest::Kind kind, const std::string& text) {
    requests.change([kind, text](UiState& now) { now.own.of<SelectionState>().requests.push_back({kind, text}); });
}

void shown_as(Widgets& ui, const UiState& state, std::string_view id, UiRequests& requests) {
    ViewSettings view = state.view;
    if (setting_control(ui, setting(view_settings(), id), view))
        requests.change([view](UiState& now) { now.view = view; });
}

float half(Widgets&) { return (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2; }

void filter_controls(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SelectionState& page = state.own.of<SelectionState>();
    const std::string& set = state.requested.scene.filter;
    ui.heading("Filter");
    std::string typed = page.filter.value_or(set);
    if (ui.text("Condition", typed, "r < 1 & species == gas",
                "Bodies that satisfy it are shown as chosen below; forces are those of all. Names are x, y, z, vx, vy, "
                "vz, m, r, v, species, id, the fields of the file and the selections that are stored below. Enter "
                "applies it"))
        requests.change([typed](UiState& now) { now.own.of<SelectionState>().filter = typed; });
    if (ui.entered()) {
        requests.ask(SetFilter{typed, page.sets.named_in(typed)});
        requests.change([](UiState& now) { now.own.of<SelectionState>().filter.reset(); });
    }
    shown_as(ui, state, "filter_as", requests);
    const std::string_view none = set.empty() ? "there is no filter" : "";
    if (set.empty())
        ui.value("Satisfied by", "–", "Number of bodies that satisfy the filter");
    else
        ui.value("Satisfied by", phrase("{} of {}", grouped(page.satisfy), grouped(state.status.bodies)),
                 "Number of bodies that satisfy the filter");
    const float width = half(ui);
    if (ui.button("Select them", "Selects the bodies that satisfy the filter", width, none))
        requests.ask(Command::kSelectFiltered);
    ImGui::SameLine();
    if (ui.button("No filter", "All bodies are drawn", width, none)) requests.ask(SetFilter{});
}

void selected_controls(Widgets& ui, const UiState& state, UiRequests& requests) {
    const std::size_t count = state.hand.count();
    const std::string_view none = count == 0 ? "no body is selected" : "";
    ui.heading("Selection");
    ui.value("Selected", grouped(count),
             "Ctrl + drag in the picture selects bodies in a box, with Shift in a lasso; drag in a plot of the page "
             "Plots does the same");
    shown_as(ui, state, "selection_as", requests);
    ui.name("Lasso");
    const float start = ImGui::GetCursorPosX(), each = column_width(2);
    for (std::size_t i = 0; i < kOperations.size(); ++i) {
        const OperationEntry& entry = kOperations[i];
        const SetOperation operation = entry.operation;
        if (i % 2 == 1) ImGui::SameLine();
        if (i == 2) ImGui::SetCursorPosX(start);
        if (ui.tab(entry.label, state.hand.combines == operation, phrase("Box and lasso: {}", tr(entry.doc)), each))
            requests.change([operation](UiState& now) { now.hand.combines = operation; });
    }
    const float width = half(ui);
    if (ui.button("Invert", "Selects all other bodies", width)) requests.ask(Command::kInvertSelection);
    ImGui::SameLine();
    if (ui.button("Deselect", "Clears the selection. Key Esc", width, none)) requests.pick = Picked{};
    if (ui.button("Snapshot", "Writes the selected bodies as a snapshot into the current folder", width, none))
        requests.ask(Command::kExportSelected);
    ImGui::SameLine();
    if (ui.button("Ids", "Writes the ids of the selected bodies as text into the current folder, one in a line", width,
                  none))
        requests.ask(Command::kExportIds);
}

void named_controls(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SelectionState& page = state.own.of<SelectionState>();
    ui.heading("Named selections");
    std::string name = page.name;
    if (ui.text("Store as", name, "hot", "Keeps the selected bodies under this name, by their ids; Enter stores them"))
        requests.change([name](UiState& now) { now.own.of<SelectionState>().name = name; });
    if (ui.entered()) {
        ask(requests, SetRequest::Kind::kStore, name);
        requests.change([](UiState& now) { now.own.of<SelectionState>().name.clear(); });
    }
    for (const NamedSet& set : page.sets.all()) {
        const float erase = button_width(tr("Erase"));
        const float width = ImGui::GetContentRegionAvail().x - erase - ImGui::GetStyle().ItemSpacing.x;
        const std::string count = fmt::format(": {}", grouped(set.members.size()));
        const float room = width - text_width(count) - 2 * ImGui::GetStyle().FramePadding.x;
        const Pen pen{ImGui::GetFont(), ImGui::GetFontSize()};
        const std::string label = verbatim(pen.fitted(set.name, room) + count);
        if (ui.button(fmt::format("{}###set {}", label, set.name), "Selects the bodies of this selection", width))
            ask(requests, SetRequest::Kind::kChoose, set.name);
        ImGui::SameLine();
        if (ui.button(fmt::format("Erase###erase {}", set.name), "Forgets this selection", erase))
            ask(requests, SetRequest::Kind::kErase, set.name);
    }
    if (page.sets.all().empty()) return;
    std::string expression = page.expression;
    if (ui.text("Combine", expression, "hot & !disk",
                "Selects the bodies of an expression over names: & and, | or, ! not. Enter selects them"))
        requests.change([expression](UiState& now) { now.own.of<SelectionState>().expression = expression; });
    if (ui.entered()) ask(requests, SetRequest::Kind::kCombine, expression);
}

void selection_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    filter_controls(ui, state, requests);
    selected_controls(ui, state, requests);
    named_controls(ui, state, requests);
}

void select_filtered(Window& w, int) { SelectionControl::select_filtered(w); }
void invert_selection(Window& w, int) { SelectionControl::invert(w); }
void export_selected(Window& w, int) { SelectionControl::export_snapshot(w); }
void export_ids(Window& w, int) { SelectionControl::export_ids(w); }

constexpr auto kSelectionCommands = std::to_array<WindowCommand>({
    listed("Select the bodies that satisfy the filter", button(Command::kSelectFiltered, select_filtered)),
    listed("Invert the selection", button(Command::kInvertSelection, invert_selection)),
    listed("Write the selected bodies as a snapshot", button(Command::kExportSelected, export_selected)),
    listed("Write the ids of the selected bodies", button(Command::kExportIds, export_ids)),
});

constexpr auto kSelectionPanels = std::to_array<PanelEntry>({
    {"selection", PanelGroup::kScene, "Selection", selection_panel,
     "Filters and selections: shown alone, bright, dimmed or hidden; named, combined and exported"},
});

void describe_selection(nlohmann::json& map, const UiState& state) {
    const SelectionState& page = state.own.of<SelectionState>();
    nlohmann::json sets = nlohmann::json::object();
    for (const NamedSet& set : page.sets.all()) sets[set.name] = set.members.size();
    map["selection"] = {{"filter", state.requested.scene.filter},
                        {"satisfy", page.satisfy},
                        {"selected", state.hand.count()},
                        {"drawn", state.picture.bodies_drawn},
                        {"sets", sets}};
}

std::unique_ptr<Feature> make_selection(Window& w) { return std::make_unique<SelectionControl>(w); }

}  // namespace

FeatureEntry selection_feature() {
    return {.panels = kSelectionPanels,
            .commands = kSelectionCommands,
            .describe = describe_selection,
            .make = make_selection};
}

}  // namespace orrery
