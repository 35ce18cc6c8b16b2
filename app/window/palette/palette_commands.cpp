// SPDX-License-Identifier: MIT
#include "app/window/palette/palette_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "app/window/commands.hpp"

namespace orrery {
namespace {

/// Texts of commands whose line in the table describes several arguments at once, or which have no key and no text.
struct PaletteText {
    Command command;
    int argument;
    std::string_view does;
};
constexpr auto kWorded = std::to_array<PaletteText>({
    {Command::kRewind, -1, "Rewind to the previous snapshot"},
    {Command::kRewind, +1, "Rewind to the next snapshot"},
    {Command::kSeriesEnd, -1, "First snapshot of a series"},
    {Command::kSeriesEnd, +1, "Last snapshot of a series"},
    {Command::kSpeed, +1, "Faster"},
    {Command::kSpeed, -1, "Slower"},
    {Command::kPreset, -1, "Previous preset"},
    {Command::kPreset, +1, "Next preset"},
    {Command::kTextScale, +1, "Larger text"},
    {Command::kTextScale, -1, "Smaller text"},
    {Command::kTextScale, 0, "Text of the default size"},
    {Command::kCancelRecording, 0, "Cancel the recording, without a file"},
    {Command::kRecordSnapshots, 0, "Start, stop a series of snapshots"},
    {Command::kExportHistory, 0, "Write the history as CSV"},
    {Command::kExportTrack, 0, "Write the tracks of the picked bodies as CSV"},
    {Command::kExportCompare, 0, "Write the comparison as CSV"},
    {Command::kExportDiagnostics, 0, "Write the diagnostics as CSV"},
    {Command::kPlotHistory, 0, "Plot the history as SVG"},
    {Command::kPlotCompare, 0, "Plot the comparison as SVG"},
    {Command::kPlotDiagnostics, 0, "Plot the diagnostics as SVG"},
    {Command::kExportPlot, 0, "Write the plot of the page Plots as CSV"},
    {Command::kDrawPlot, 0, "Draw the plot of the page Plots as SVG"},
    {Command::kResetView, 0, "Restore the view settings of the scene"},
    {Command::kTour, 0, "First steps: a tour of six cards"},
    {Command::kAttract, 0, "Attract mode: one scene after another"},
});

std::string with_capital(std::string_view words) {
    std::string text{words};
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

void add_cameras(std::vector<PaletteCommand>& commands) {
    constexpr int kSlots = 8;
    for (int slot = 1; slot <= kSlots; ++slot)
        commands.push_back({{Command::kRecallCamera, slot}, fmt::format("Recall camera {}", slot), {}});
    for (int slot = 1; slot <= kSlots; ++slot)
        commands.push_back({{Command::kStoreCamera, slot}, fmt::format("Store the camera as {}", slot), {}});
}

}  // namespace

std::vector<PaletteCommand> palette_commands() {
    std::vector<PaletteCommand> commands;
    for (const WindowCommand& line : window_commands()) {
        constexpr std::array others{Command::kEngine, Command::kPalette, Command::kRecallCamera, Command::kStoreCamera};
        if (!line.runs || std::ranges::find(others, line.command) != others.end()) continue;
        bool worded = false;
        for (const PaletteText& words : kWorded)
            if (words.command == line.command)
                commands.push_back({{words.command, words.argument}, std::string{words.does}, line.text}),
                    worded = true;
        if (!worded) commands.push_back({{line.command, line.argument}, with_capital(line.does), line.text});
    }
    add_cameras(commands);
    return commands;
}

}  // namespace orrery
