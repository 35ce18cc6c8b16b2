// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/picture/format.hpp"
#include "app/ui/lab_drawings.hpp"
#include "app/ui/words.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr float kBarRow = 1.32f, kLeastRow = 1.08f, kMostRow = 1.9f;  // heights, in multiples of the text size
constexpr float kBarHead = 1.5f;
constexpr auto kPalette =
    std::to_array<ImU32>({IM_COL32(240, 165, 20, 255), IM_COL32(86, 180, 233, 255), IM_COL32(44, 196, 148, 255),
                          IM_COL32(240, 228, 66, 255), IM_COL32(226, 140, 184, 255), IM_COL32(120, 148, 255, 255)});
constexpr auto kMarkers = std::to_array({Marker::kCircle, Marker::kSquare, Marker::kDiamond});

/// Index in a menu; an id that is not in it gets a hash of its characters.
template <class Entry>
std::size_t place(std::span<const Entry> menu, const std::string& id) {
    const auto found = std::ranges::find(menu, id, &Entry::id);
    if (found != menu.end()) return static_cast<std::size_t>(found - menu.begin());
    std::size_t sum = 0;
    for (const char c : id) sum = 31 * sum + static_cast<unsigned char>(c);
    return sum;
}

/// The bars to draw: all, or if they are too many, the best root of each map, and the wrong ones.
std::vector<LabBar> shown(const std::vector<LabBar>& bars, std::size_t most) {
    if (bars.size() <= most) return bars;
    std::map<std::string, double> best;
    for (const LabBar& bar : bars)
        if (bar.right) best[bar.map] = std::max(best[bar.map], bar.improvement);
    std::vector<LabBar> few, wrong;
    for (const LabBar& bar : bars) {
        if (!bar.right) wrong.push_back(bar);
        if (bar.right && bar.improvement >= best[bar.map]) few.push_back(bar);
    }
    for (const LabBar& bar : wrong)  // as many wrong ones as fit
        if (few.size() < most) few.push_back(bar);
    if (few.size() > most) few.resize(most);
    return few;
}

struct Columns {
    float bar, bar_end, number_end, ms_end;
    double most;  // I at bar_end
};

std::string label_of(const LabBar& bar) { return bar.root.empty() ? bar.map : bar.map + " · " + bar.root; }

void stripes(ImDrawList& draw, ImVec2 low, ImVec2 high) {
    draw.PushClipRect(low, high, true);
    const float height = high.y - low.y;
    for (float x = low.x - height; x < high.x; x += 0.7f * height)
        draw.AddLine({x, high.y}, {x + height, low.y}, kWrong, 0.22f * height);
    draw.PopClipRect();
}

/// From the 90th percentile of the times to the 10th.
void whisker(const Pen& pen, const LabBar& bar, const Columns& at, float y) {
    const auto x_of = [&](double improvement) {
        return std::min(at.bar + (at.bar_end - at.bar) * static_cast<float>(improvement / at.most), at.bar_end);
    };
    const float low = x_of(bar.least), high = x_of(bar.most), end = pen.size() / 5;
    const float thick = std::max(1.0f, pen.size() / 12);
    pen.draw().AddLine({low, y}, {high, y}, kText, thick);
    for (const float x : {low, high}) pen.draw().AddLine({x, y - end}, {x, y + end}, kText, thick);
}

void bar_row(const Pen& pen, const LabBar& bar, const std::string& experiment, const Columns& at, float top,
             float height) {
    const float pad = 0.12f * height, text = top + (height - pen.size()) / 2;
    const ImVec2 low{at.bar, top + pad}, high{at.bar_end, top + height - pad};
    pen.text({at.bar - 1.4f * pen.size(), text}, bar.newest ? kText : kDim, label_of(bar), Align::kRight);
    pen.draw().AddRectFilled(low, high, kTrack, 3);
    if (!bar.right) {
        const std::string wrong{tr("WRONG")};
        stripes(pen.draw(), low, high);
        const float width = pen.width(wrong) + pen.size();
        pen.draw().AddRectFilled(low, {low.x + width, high.y}, kWrong, 3);
        pen.text({low.x + width / 2, text}, kText, wrong, Align::kCentre);
        return;
    }
    const LabLook look = lab_look(experiment, bar.map, bar.root);
    const bool first = bar.map == forms_of(experiment).front();
    const ImU32 color = first ? kDim : look.color;
    if (!first)
        draw_marker(pen.draw(), {at.bar - 0.75f * pen.size(), top + height / 2}, look.marker, pen.size() / 4, color);
    const float end = at.bar + (at.bar_end - at.bar) * static_cast<float>(bar.improvement / at.most);
    pen.draw().AddRectFilled(low, {std::max(end, at.bar + 3), high.y},
                             bar.newest ? color : (color & 0xffffffu) | 0x70000000u, 3);
    if (bar.most > bar.least) whisker(pen, bar, at, top + height / 2);
    const ImU32 words = bar.newest ? kText : kDim;
    if (bar.improvement > 0)
        pen.text({at.number_end, text}, words, fmt::format("{:.2f}", bar.improvement), Align::kRight);
    pen.text({at.ms_end, text}, words, milliseconds_text(1e-3 * bar.median_ms), Align::kRight);
}

Columns columns_of(const Pen& pen, const Box& box, const std::vector<LabBar>& bars) {
    float labels = 0;
    double most = 1;
    for (const LabBar& bar : bars) {
        labels = std::max(labels, pen.width(label_of(bar)));
        most = std::max({most, bar.improvement, bar.right ? bar.most : 0});
    }
    const float numbers = box.high.x - pen.width("0.000 ms") - pen.size();
    return {box.low.x + labels + 1.5f * pen.size(), numbers - pen.width("00.00") - 0.4f * pen.size(), numbers,
            box.high.x, 1.04 * most};
}

}  // namespace

LabLook lab_look(const std::string& experiment, const std::string& map, const std::string& root) {
    const std::size_t form = place(lab_forms(), map) + kPalette.size() * kMarkers.size() - 1;  // bb has no colour
    if (experiment != "roots")
        return {kPalette[form % kPalette.size()], kMarkers[form / kPalette.size() % kMarkers.size()]};
    return {kPalette[place(roots(), root) % kPalette.size()], kMarkers[form % kMarkers.size()]};
}

float lab_bars_height(const Pen& pen, const LabState& lab) {
    return pen.size() * (kBarHead + kBarRow * static_cast<float>(lab.bars.size()));
}

void lab_bars_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    const float head = kBarHead * pen.size(), rows = box.height() - head;
    const auto most = static_cast<std::size_t>(std::max(1.0f, rows / (kLeastRow * pen.size())));
    const std::vector<LabBar> bars = shown(lab.bars, most);
    if (bars.empty()) return;
    const Columns at = columns_of(pen, box, bars);
    const float height = std::min(rows / static_cast<float>(bars.size()), kMostRow * pen.size());
    const Pen small = pen.sized(0.85f);
    const std::string head_text =
        phrase("I = time({}) / time(map); whiskers: p10 to p90", forms_of(lab.run.experiment).front());
    if (small.width(head_text) <= at.bar_end - at.bar)
        small.text({at.bar, box.low.y}, kDim, head_text);
    else  // over the names of the maps too
        small.text({at.bar_end, box.low.y}, kDim, small.fitted(head_text, at.bar_end - box.low.x), Align::kRight);
    small.text({at.number_end, box.low.y}, kDim, "I", Align::kRight);
    small.text({at.ms_end, box.low.y}, kDim, std::string{tr("median")}, Align::kRight);
    float top = box.low.y + head;
    for (const LabBar& bar : bars) {
        bar_row(pen, bar, lab.run.experiment, at, top, height);
        top += height;
    }
    const float one = at.bar + (at.bar_end - at.bar) * static_cast<float>(1 / at.most);
    pen.draw().AddLine({one, box.low.y + head}, {one, top}, kText, std::max(1.0f, pen.size() / 12));
}

}  // namespace orrery
