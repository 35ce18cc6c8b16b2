// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_drawings.hpp"
#include "app/window/lab/lab_state.hpp"
#include "app/window/maps/map_canvas.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr float kLabLeastWidth = 340, kLeastHeight = 320;  // pixels at scale 1
constexpr float kLeastForMap = 520;                        // below this width, the map is not drawn
constexpr float kLines = 36, kPresenterLines = 26;         // lines of text in the height of the window
constexpr float kLeastLetters = 13, kMostLetters = 44;     // pixels at scale 1

const LabEntry& entry_of(const LabState& lab) {
    return find_in_menu(experiments(), "experiment",
                        lab.run.experiment.empty() ? lab.settings.experiment : lab.run.experiment);
}

/// "N = 4 096 · ρ = 16 · cpu"
std::string where(const LabState& lab) {
    const std::string text{name(lab.run.experiment.empty() ? lab.settings.backend : lab.run.config.backend)};
    for (const LabBar& bar : lab.bars)
        if (bar.newest) return fmt::format("N = {} · ρ = {} · {}", grouped(bar.bodies), bar.rho, text);
    return text;
}

void title(const Pen& pen, const Box& box, const LabState& lab) {
    const Pen large = pen.sized(1.7f), middle = pen.sized(1.25f);
    const LabEntry& entry = entry_of(lab);
    const std::string right = where(lab);
    // "Colliding spheres, 3D": the label of the experiment and the name of its panel.
    const std::string measured = lab.panels.empty() ? std::string{} : lab.panels.back().plot.title;
    const std::string left =
        std::string{tr(entry.label)} + (measured.starts_with(entry.label) ? measured.substr(entry.label.size()) : "");
    large.text(box.low, kText, large.fitted(left, box.width() - middle.width(right) - pen.size()));
    middle.text({box.high.x, box.low.y + 0.36f * pen.size()}, kText, right, Align::kRight);
}

/// Shown before the first measurement: the description of the experiment, and how to start it.
void invitation(const Pen& pen, const Box& box, const LabState& lab) {
    const LabEntry& entry = entry_of(lab);
    const Pen small = pen.sized(1.1f);
    const float middle = (box.low.y + box.high.y) / 2;
    if (!lab.run.failure.empty()) return small.wrapped({box.low.x, middle}, kText, lab.run.failure, box.width());
    small.wrapped(box.low, kDim, tr(entry.doc), box.width());
    pen.sized(1.7f).text({(box.low.x + box.high.x) / 2, middle}, kText,
                         lab.run.running ? phrase("measuring ...") : phrase("press {}", tr("Start")), Align::kCentre);
}

/// Block → tile of the map being measured, below the map's name.
void map_picture(Widgets& ui, const Pen& pen, const Box& box, const LabState& lab) {
    const Pen middle = pen.sized(1.2f);
    middle.text(box.low, kText, middle.fitted(lab_name(lab.form), box.width()));
    const Pen small = pen.sized(0.8f);
    small.wrapped({box.low.x, box.low.y + 1.5f * pen.size()}, kDim, tr(lab.form_doc), box.width());
    const Box below{{box.low.x, box.low.y + 3.8f * pen.size()}, box.high};
    if (lab.picture3) map3_drawing(pen, below, *lab.picture3);
    if (lab.picture4) map4_drawing(pen, below, *lab.picture4);
    if (!lab.picture) return;
    const MapPicture& picture = *lab.picture;
    const float between = 1.6f * pen.size(), top = box.low.y + 3.8f * pen.size(), words = 1.2f * pen.size();
    const auto columns = static_cast<float>(picture.columns()), rows = static_cast<float>(picture.drawn());
    const float lines = std::max(static_cast<float>(picture.lines()), rows);
    const float cell =
        std::floor(std::min((box.width() - between) / (columns + rows), (box.high.y - words - top) / lines));
    if (cell < 3) return;
    const std::string blocks{tr("blocks")}, tiles{tr("tiles")};
    const float second = std::max(cell * columns, small.width(blocks)) + between;
    ImGui::SetCursorScreenPos({box.low.x, top});
    map_canvas(ui, picture, cell, second);
    small.text({box.low.x, top + cell * static_cast<float>(picture.lines()) + 0.2f * pen.size()}, kDim, blocks);
    small.text({box.low.x + second, top + cell * rows + 0.2f * pen.size()}, kDim, tiles);
}

void progress(const Pen& pen, const Box& box, const LabRun& run) {
    const double done = static_cast<double>(run.done) / static_cast<double>(std::max<std::uint64_t>(1, run.total));
    pen.draw().AddRectFilled(box.low, box.high, kTrack, 4);
    pen.draw().AddRectFilled(box.low, {box.low.x + box.width() * static_cast<float>(done), box.high.y},
                             IM_COL32(86, 180, 233, 120), 4);
    const std::uint64_t left = run.total - std::min(run.done, run.total);
    const std::string right =
        run.running     ? phrase("{} of {}, {} left", grouped(run.done), grouped(run.total), grouped(left))
        : run.cancelled ? phrase("cancelled after {} of {}", grouped(run.done), grouped(run.total))
                        : phrase("{} measured", grouped(run.done));
    const float y = box.low.y + (box.height() - pen.size()) / 2;
    pen.text({box.high.x - 0.6f * pen.size(), y}, kText, right, Align::kRight);
    const std::string what = !run.failure.empty() ? run.failure : run.running ? run.next : "";
    pen.text({box.low.x + 0.6f * pen.size(), y}, kText,
             pen.fitted(what, box.width() - pen.width(right) - 2.5f * pen.size()));
}

/// Explains why I below 1 is no refutation on a CPU. Returns the height of the text.
float cpu_remark(const Pen& pen, const Box& box, const LabState& lab) {
    if (lab.run.config.backend != Backend::kCpu) return 0;
    const Pen small = pen.sized(0.85f);
    const std::string text{
        tr("On this CPU an idle block costs nothing, but the root of a map costs time: I below 1 is expected. On a GPU "
           "idle blocks take time too, and I goes up to 2m / (m + 1).")};
    small.wrapped(box.low, kDim, text, box.width());
    return ImGui::GetFont()->CalcTextSizeA(small.size(), 1e9f, box.width(), text.c_str()).y + 0.6f * pen.size();
}

/// The result in words, at the lower edge of the box. Returns its height.
float sentence(const Pen& pen, const Box& box, const LabState& lab) {
    const std::string text = lab_sentence(lab);
    if (text.empty()) return 0;
    const float height = ImGui::GetFont()->CalcTextSizeA(pen.size(), 1e9f, box.width(), text.c_str()).y;
    pen.wrapped({box.low.x, box.high.y - height}, kText, text, box.width());
    return height + 0.5f * pen.size();
}

void bars_and_curves(Widgets& ui, const Pen& pen, const Box& box, const LabState& lab) {
    const float least = 0.36f * box.height();  // for the curves
    const float height = std::clamp(lab_bars_height(pen, lab), std::min(15 * pen.size(), box.height() - least),
                                    box.height() - least - pen.size());
    const bool with_map = !lab.form.empty() && box.width() >= kLeastForMap * ui.scale();
    const float part = with_map ? 0.62f : 1.0f, bars = box.low.x + part * box.width();
    lab_bars_drawing(pen, {box.low, {bars - (with_map ? 1.5f * pen.size() : 0), box.low.y + height}}, lab);
    if (with_map) map_picture(ui, pen, {{bars, box.low.y}, {box.high.x, box.low.y + height}}, lab);
    lab_curves_drawing(pen, {{box.low.x, box.low.y + height + pen.size()}, box.high}, lab);
}

void findings(Widgets& ui, const Pen& pen, const Box& box, const LabState& lab) {
    const LabRun& run = lab.run;
    if (run.table.rows.empty()) return invitation(pen, box, lab);
    const float words = sentence(pen.sized(1.1f), box, lab);
    const Box rest{box.low, {box.high.x, box.high.y - words}};
    if (run.experiment == "waste") return lab_waste_drawing(pen, rest, lab);
    if (lab.bars.empty()) return lab_table_drawing(pen, rest, lab);
    const float remark = cpu_remark(pen, rest, lab);
    bars_and_curves(ui, pen, {{rest.low.x, rest.low.y + remark}, rest.high}, lab);
}

/// Shown instead of the laboratory.
void no_room(Widgets& ui, float left, float top) {
    const float width = ImGui::GetIO().DisplaySize.x - left - top;
    const ImGuiWindow* figures = ImGui::FindWindowByName(kFiguresWindow);
    if (figures && figures->WasActive) top += figures->Pos.y + figures->Size.y;
    if (width < 0.3f * kLabLeastWidth * ui.scale()) return;
    place_window({left, top}, {0, 0}, 0.8f);
    ImGui::SetNextWindowSize({width, 0});
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_NoInputs;
    if (ImGui::Begin("lab has no room", nullptr, flags))
        ui.note(
            "The laboratory has no room here: enlarge the window, make the sidebar narrower by its right edge, or "
            "reduce the text size on the page Info.");
    ImGui::End();
}

}  // namespace

std::optional<Rectangle> lab_overlay(Widgets& ui, const UiState& state, const Fonts& fonts) {
    const DarkColors dark;
    if (state.layout.panel != "lab") return std::nullopt;
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const ImVec2 size{screen.x - left - gap,
                      screen.y - gap - kMessageStrip * ui.scale() - transport_height(state, ui.scale())};
    if (size.x < kLabLeastWidth * ui.scale() || size.y < kLeastHeight * ui.scale()) {
        no_room(ui, left, gap);
        return std::nullopt;
    }
    place_window({left, gap}, {0, 0}, 1);
    ImGui::SetNextWindowSize(size);
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("lab", nullptr, flags)) {
        ImGui::PushFont(fonts.large);
        const float text_size =
            std::clamp(std::min(size.y / (state.layout.presenter ? kPresenterLines : kLines), size.x / 46),
                       kLeastLetters * ui.scale(), kMostLetters * ui.scale());
        const Pen pen{fonts.large, std::round(text_size)};
        const Box box{{left + padding.x, gap + padding.y}, {left + size.x - padding.x, gap + size.y - padding.y}};
        const float head = 2.4f * pen.size(), foot = 1.5f * pen.size();
        title(pen, box, state.lab);
        findings(ui, pen, {{box.low.x, box.low.y + head}, {box.high.x, box.high.y - foot - 0.5f * pen.size()}},
                 state.lab);
        if (!state.lab.run.experiment.empty()) progress(pen, {{box.low.x, box.high.y - foot}, box.high}, state.lab.run);
        ImGui::PopFont();
    }
    ImGui::End();
    return Rectangle{left, gap, left + size.x, gap + size.y};
}

}  // namespace orrery
