// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/features.hpp"
#include "app/window/halos/halos_control.hpp"
#include "app/window/halos/halos_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "app/window/window_parts.hpp"
#include "core/catalogues/catalogue_formats.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMoreRows = 20;

void change_halos(UiRequests& requests, auto set) {
    requests.change([set](UiState& now) { set(now.own.of<HalosPage>()); });
}

std::string_view label_of_format(std::string_view id) {
    const auto found = std::ranges::find(catalogue_formats(), id, &CatalogueEntry::id);
    return found == catalogue_formats().end() ? id : found->label;
}

void open_row(Widgets& ui, const HalosPage& page, UiRequests& requests) {
    std::string path = page.path;
    const bool edited = ui.path("Catalogue", path, "path or pattern",
                                "Halo catalogue or merger tree of the open snapshot; a pattern for several files");
    if (edited) change_halos(requests, [path](HalosPage& now) { now.path = path; });
    const bool entered = ui.entered();
    const std::string_view why = page.busy ? "Being read" : page.path.empty() ? "Type a path first" : "";
    if ((ui.primary("Open catalogue", "Reads the catalogue and draws its haloes as circles", 0, why) ||
         (entered && why.empty())))
        change_halos(requests, [path](HalosPage& now) { now.wish.open = path; });
}

void picture_rows(Widgets& ui, const HalosPage& page, UiRequests& requests) {
    bool circles = page.circles;
    if (ui.toggle("Circles", circles, "Draws the heaviest haloes as circles with their masses"))
        change_halos(requests, [circles](HalosPage& now) { now.circles = circles; });
    int most = static_cast<int>(page.shown.circles);
    if (ui.whole_number("Circles at most", most, 0, static_cast<int>(ShownHalos::kMostCircles),
                        static_cast<int>(ShownHalos::kDefaultCircles), "Number of circles, of the heaviest haloes"))
        change_halos(requests, [most](HalosPage& now) { now.shown.circles = static_cast<std::size_t>(most); });
}

void lit_rows(Widgets& ui, const HalosPage& page, bool boxed, UiRequests& requests) {
    const HaloCatalogue& catalogue = *page.catalogue();
    const Halo* const halo = page.lit();
    if (!halo) return ui.note("A click on a row moves the camera to that halo and picks its bodies.");
    ui.heading(phrase("Halo {}", verbatim(label_of(*halo))));
    ui.value("Halo mass", verbatim(fmt::format("{:.4g} {}", halo->mass, catalogue.units.mass.word)),
             "As the catalogue states it, in the units of the snapshot");
    ui.value("Halo radius", verbatim(fmt::format("{:.4g} {}", halo->radius, catalogue.units.length.word)),
             "As the catalogue states it, in the units of the snapshot");
    ui.value("Bodies lit",
             page.picked ? grouped(static_cast<std::int64_t>(page.picked->size())) : std::string{tr("being searched")},
             "How many bodies of the snapshot belong to it");
    if (page.picked) ui.value("Found", if_known(page.members_by), "How the catalogue lists its bodies");
    if (boxed && ui.button("Recentre on it", "Puts this halo into the middle of the periodic box", -1))
        requests.change([middle = text_of_point(halo->position)](UiState& now) { now.view.space.recentre = middle; });
    if (!catalogue.has_tree()) return;
    const auto& line = page.shown.line;
    const auto at = line ? std::ranges::find(*line, page.shown.lit) : std::vector<std::uint32_t>::const_iterator{};
    const bool first = !line || at == line->begin(), last = !line || at + 1 == line->end();
    const float width = column_width(3);
    if (ui.button("Progenitor", "The same halo at the preceding time: its main progenitor", width,
                  first ? "It has no progenitor" : ""))
        change_halos(requests, [to = *(at - 1)](HalosPage& now) { now.wish.choose = to; });
    ImGui::SameLine();
    if (ui.button("Descendant", "The same halo at the next time", width, last ? "It has no descendant" : ""))
        change_halos(requests, [to = *(at + 1)](HalosPage& now) { now.wish.choose = to; });
    ImGui::SameLine();
    if (ui.button("Tree", "Draws the mergers that made this halo, over time", width))
        change_halos(requests, [to = page.shown.lit](HalosPage& now) { now.wish.tree_of = to; });
}

std::string mass_line(const HaloCatalogue& catalogue, const Halo& halo) {
    return fmt::format("{}: {:.4g} {}", label_of(halo), halo.mass, catalogue.units.mass.word);
}

std::string row_text(const HaloCatalogue& catalogue, const Halo& halo, const HaloColumn& sorted) {
    std::string text = mass_line(catalogue, halo);
    if (halo.members > 0) text += fmt::format(", {}", grouped(static_cast<std::int64_t>(halo.members)));
    if (sorted.id != "mass" && sorted.id != "members" && sorted.id != "id")
        text += fmt::format(", {} {:.4g}", sorted.label, sorted.value(halo));
    return text;
}

void halo_list(Widgets& ui, const HalosPage& page, UiRequests& requests) {
    const HaloCatalogue& catalogue = *page.catalogue();
    const auto sorted = std::ranges::find(halo_columns(), page.listing.sort, &HaloColumn::id);
    if (ui.begin_combo("Sorted by", if_known(sorted->label), "Column by which the list is sorted")) {
        for (const HaloColumn& column : halo_columns())
            if (ui.choice(if_known(column.label), column.id == page.listing.sort, {}))
                change_halos(requests, [id = column.id](HalosPage& now) { now.listing.sort = id; });
        ui.end_combo();
    }
    bool ascending = page.listing.ascending;
    if (ui.toggle("Ascending", ascending, "The smallest value comes first"))
        change_halos(requests, [ascending](HalosPage& now) { now.listing.ascending = ascending; });
    if (!page.rows) return;
    if (page.rows->empty()) return ui.note("The catalogue has no haloes of this time.");
    const std::size_t shown = std::min(page.listing.rows, page.rows->size());
    for (std::size_t k = 0; k < shown; ++k) {
        const std::uint32_t index = (*page.rows)[k];
        const Halo& halo = catalogue.halos[index];
        if (ui.tab(verbatim(row_text(catalogue, halo, *sorted)), page.shown.is_lit(index),
                   phrase("Moves the camera to {:.4g}, {:.4g}, {:.4g} and picks the bodies of this halo",
                          halo.position.x, halo.position.y, halo.position.z),
                   ImGui::GetContentRegionAvail().x))
            change_halos(requests, [index](HalosPage& now) { now.wish.choose = index; });
    }
    if (shown == page.rows->size()) return;
    ui.note(phrase("{} of {} haloes", grouped(static_cast<std::int64_t>(shown)),
                   grouped(static_cast<std::int64_t>(page.rows->size()))));
    if (ui.button("More rows", "Lists 20 more"))
        change_halos(requests, [](HalosPage& now) { now.listing.rows += kMoreRows; });
}

void halos_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto& page = state.own.of<HalosPage>();
    open_row(ui, page, requests);
    if (page.busy && !page.catalogue()) ui.note("The catalogue is being read.");
    if (!page.catalogue()) return;
    const HaloCatalogue& catalogue = *page.catalogue();
    ui.value("Format", verbatim(std::string{label_of_format(catalogue.format)}), "Format of the catalogue");
    ui.value(
        "Haloes",
        phrase("{} at {} times", grouped(static_cast<std::int64_t>(catalogue.halos.size())), catalogue.times.size()),
        "Of all times in the catalogue");
    picture_rows(ui, page, requests);
    lit_rows(ui, page, state.picture.box > 0 || state.view.space.box > 0, requests);
    ui.heading("List");
    halo_list(ui, page, requests);
    if (ui.button("Close catalogue", "Removes the haloes from the picture"))
        change_halos(requests, [](HalosPage& now) { now.wish.close = true; });
}

constexpr auto kHalosPanels = std::to_array<PanelEntry>({
    {"halos", PanelGroup::kMeasure, "Haloes", halos_panel, "Halo catalogues and merger trees of the snapshot"},
});

/// While the page is open, the line of a circle can be clicked like a row of the list.
void use_circles(const HalosPage& page, DrawnFrame& frame) {
    constexpr float kReach = 5, kStill = 3;  // pixels at scale 1: to the line, and of a click as opposed to a drag
    const ImGuiIO& io = ImGui::GetIO();
    if (frame.state.layout.panel != "halos" || io.WantCaptureMouse) return;
    const float scale = frame.ui.scale();
    const HaloCircle* const circle =
        circle_at(page.marks, {io.MousePos.x, io.MousePos.y}, static_cast<double>(kReach * scale));
    if (!circle) return;
    const Halo& halo = page.catalogue()->halos[circle->halo];
    ImGui::SetTooltip("%s", verbatim(mass_line(*page.catalogue(), halo)).c_str());
    const bool still = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kStill * kStill * scale * scale;
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && still)
        change_halos(frame.requests, [index = circle->halo](HalosPage& now) { now.wish.choose = index; });
}

void draw_halos(WindowParts&, DrawnFrame& frame) {
    const auto& page = frame.state.own.of<HalosPage>();
    if (page.catalogue()) use_circles(page, frame);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();  // over the picture, under the panels
    draw_halo_members(list, ImGui::GetFontSize(), page.dots);
    draw_halo_circles(list, ImGui::GetFont(), ImGui::GetFontSize(), page.marks);
}

void draw_tree(WindowParts&, DrawnFrame& frame) {
    if (frame.state.layout.panels) halo_tree_overlay(frame);
}

constexpr auto kHalosOverlays = std::to_array<Overlay>({
    {Layer::kBodies, draw_halos},
    {Layer::kDrawing, draw_tree},
});

void describe_halos(nlohmann::json& map, const UiState& state) {
    const auto& page = state.own.of<HalosPage>();
    nlohmann::json circles = nlohmann::json::array();
    for (const HaloCircle& mark : page.marks)
        circles.push_back(
            {{"at", {mark.at.x, mark.at.y}}, {"radius", mark.radius}, {"label", mark.label}, {"lit", mark.lit}});
    const Halo* const lit = page.lit();
    map["halos"] = {{"format", page.catalogue() ? page.catalogue()->format : ""},
                    {"count", page.catalogue() ? page.catalogue()->halos.size() : 0},
                    {"times", page.catalogue() ? page.catalogue()->times.size() : 0},
                    {"busy", page.busy},
                    {"circles", circles},
                    {"lit", lit ? label_of(*lit) : ""},
                    {"bodies", page.picked ? page.picked->size() : 0},
                    {"by", page.members_by},
                    {"branches", page.tree ? page.tree->branches.size() : 0},
                    {"branch", page.branch == kNoBranch ? -1 : static_cast<int>(page.branch)}};
}

std::unique_ptr<Feature> make_halos(WindowParts& w) {
    return std::make_unique<HalosControl>(w.core, w.hand, w.recording, w.scenes);
}

}  // namespace

FeatureEntry halos_feature() {
    return {.panels = kHalosPanels, .overlays = kHalosOverlays, .describe = describe_halos, .make = make_halos};
}

}  // namespace orrery
