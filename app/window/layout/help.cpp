// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "app/ui/words.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/base/text.hpp"
#include "core/engines/choices.hpp"

namespace orrery {
namespace {

constexpr std::string_view kFlightKeys = "W A S D Q E";
constexpr auto kMouse = std::to_array<HelpLine>({
    {"Left drag", "orbit; look around while flying"},
    {"Wheel", "zoom to the mouse; change the speed while flying"},
    {"Middle or Shift drag", "pan"},
    {"W A S D Q E", "while flying: forward, left, back, right, down, up"},
    {"Click on a body", "pick it, with Ctrl one more; on nothing: deselect"},
    {"Double click on a body", "fly to it and follow it"},
    {"Ctrl drag", "select the bodies in a box"},
    {"Ctrl Shift drag", "select the bodies in a lasso"},
    {"Right click on a slider", "reset to the default"},
    {"Ctrl + click on a slider", "type a number"},
    {"Drop a file", "load a snapshot or a scene file; several are a series"},
});

/// The first command of a group of lines, in the order of Command.
struct HelpGroup {
    Command first;
    std::string_view title;
};
constexpr auto kHelpGroups = std::to_array<HelpGroup>({
    {Command::kTogglePause, "Time"},
    {Command::kPreset, "Scene and engine"},
    {Command::kGallery, "Files and videos"},
    {Command::kUndo, "Bodies"},
    {Command::kFit, "Camera"},
    {Command::kOctree, "Measure"},
    {Command::kOverlay, "Window"},
});

/// The lines of one subject, translated.
struct HelpSection {
    std::string_view title;
    std::vector<HelpLine> lines;
};

bool found_in(const HelpLine& line, std::string_view words, std::string_view english) {
    const std::string all = lower_case(fmt::format("{} {} {}", line.what, line.does, english));
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        if (all.find(lower_case(words.substr(at, end - at))) == std::string::npos) return false;
        at = end + 1;
    }
    return true;
}

/// The lines that contain all of the words, in the displayed language or in English.
std::vector<HelpSection> help_sections(std::span<const HelpLine> keys, std::string_view flight_keys,
                                       std::string_view words) {
    std::vector<HelpSection> all;
    const auto add = [&](HelpSection& section, const HelpLine& line) {
        const HelpLine shown{line.what == kFlightKeys ? flight_keys : tr(line.what), tr(line.does), line.command};
        if (found_in(shown, words, line.does)) section.lines.push_back(shown);
    };
    for (std::size_t i = 0; i < kHelpGroups.size(); ++i) {
        HelpSection section{tr(kHelpGroups[i].title), {}};
        const bool last = i + 1 == kHelpGroups.size();
        for (const HelpLine& line : keys)
            if (line.command >= kHelpGroups[i].first && (last || line.command < kHelpGroups[i + 1].first))
                add(section, line);
        all.push_back(std::move(section));
    }
    HelpSection mouse{tr("Mouse"), {}};
    for (const HelpLine& line : kMouse) add(mouse, line);
    all.push_back(std::move(mouse));
    std::erase_if(all, [](const HelpSection& section) { return section.lines.empty(); });
    return all;
}

/// Height in lines of text, with the heading and the space below.
float height_of(const HelpSection& section) { return static_cast<float>(section.lines.size()) + 2; }

/// Width in pixels of a column of these sections.
float width_of(std::span<const HelpSection> sections) {
    float what = 0, does = 0;
    for (const HelpSection& section : sections) {
        what = std::max(what, text_width(section.title));
        for (const HelpLine& line : section.lines) {
            what = std::max(what, text_width(line.what));
            does = std::max(does, text_width(line.does));
        }
    }
    return what + does + 4 * ImGui::GetStyle().CellPadding.x;
}

/// Index of the first section of each column, of at most `columns`, which get about the same height.
std::vector<std::size_t> first_of_columns(const std::vector<HelpSection>& all, int columns) {
    float total = 0, before = 0;
    for (const HelpSection& section : all) total += height_of(section);
    std::vector<std::size_t> first{0};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float middle = before + height_of(all[i]) / 2;
        const auto column = static_cast<std::size_t>(middle / total * static_cast<float>(columns));
        if (i > 0 && column >= first.size()) first.push_back(i);
        before += height_of(all[i]);
    }
    return first;
}

/// Width in pixels of these columns side by side.
float width_of(const std::vector<HelpSection>& all, const std::vector<std::size_t>& first, float gap) {
    float width = gap * static_cast<float>(first.size() - 1);
    for (std::size_t c = 0; c < first.size(); ++c) {
        const std::size_t end = c + 1 < first.size() ? first[c + 1] : all.size();
        width += width_of(std::span{all}.subspan(first[c], end - first[c]));
    }
    return width;
}

/// Height in pixels of the tallest column.
float height_of(const std::vector<HelpSection>& all, const std::vector<std::size_t>& first) {
    float most = 0;
    for (std::size_t c = 0; c < first.size(); ++c) {
        float lines = 0;
        for (std::size_t i = first[c]; i < (c + 1 < first.size() ? first[c + 1] : all.size()); ++i)
            lines += height_of(all[i]);
        most = std::max(most, lines);
    }
    return most * (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y);
}

void section_rows(const HelpSection& section) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushFont(bold_font());
    write_text(section.title);
    ImGui::PopFont();
    for (const HelpLine& line : section.lines) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        write_text(line.what);
        ImGui::TableNextColumn();
        write_dim(line.does);
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
}

/// The sections in columns side by side.
void help_columns(const std::vector<HelpSection>& all, const std::vector<std::size_t>& first, float gap) {
    for (std::size_t c = 0; c < first.size(); ++c) {
        if (c > 0) ImGui::SameLine(0, gap);
        ImGui::BeginGroup();
        if (ImGui::BeginTable(fmt::format("keys {}", c).c_str(), 2,
                              ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX)) {
            for (std::size_t i = first[c]; i < (c + 1 < first.size() ? first[c + 1] : all.size()); ++i)
                section_rows(all[i]);
            ImGui::EndTable();
        }
        ImGui::EndGroup();
    }
}

}  // namespace

void help_overlay(Widgets& ui, const UiState& state, std::span<const HelpLine> keys, std::string_view flight_keys,
                  UiRequests& requests) {
    const std::vector<HelpSection> every = help_sections(keys, flight_keys, {});
    const std::vector<HelpSection> found = help_sections(keys, flight_keys, state.layout.help_search);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale();
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 2 * gap, screen.y - 2 * gap});
    keep_in_front("help");
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("help", nullptr, kDialogWindow)) {
        const ImVec2 room{screen.x - 4 * gap, screen.y - 4 * gap - 3 * ImGui::GetFrameHeightWithSpacing()};
        // As large as without a search, so that the field stays in its place.
        int columns = 3;
        while (columns > 1 && width_of(every, first_of_columns(every, columns), 2 * gap) > room.x) --columns;
        const std::vector<std::size_t> first = first_of_columns(every, columns);
        const float tall = height_of(every, first);
        const bool scrolls = tall > room.y;
        const float width =
            std::min(room.x, width_of(every, first, 2 * gap) + (scrolls ? ImGui::GetStyle().ScrollbarSize : 0));
        if (ImGui::BeginChild("search", {width, ImGui::GetFrameHeight()})) {
            std::string search = state.layout.help_search;
            if (ui.text("Search", search, "key or word", "Shows the lines that contain all of these words"))
                requests.change([search](UiState& now) { now.layout.help_search = search; });
        }
        ImGui::EndChild();
        ImGui::Spacing();
        if (ImGui::BeginChild("lines", {width, std::min(tall, room.y)})) {
            if (found.empty()) ui.note("No line contains all of these words");
            if (!found.empty()) help_columns(found, first_of_columns(found, columns), 2 * gap);
        }
        ImGui::EndChild();
        if (ui.button("Close help", "Key H", width)) requests.ask(Command::kHelp);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
