// SPDX-License-Identifier: MIT
// The experiment `waste`: blocks launched by each map as bars, in a group for each number of bodies.
#include <fmt/format.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_drawings.hpp"
#include "app/window/lab/lab_lesson.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr ImU32 kWorking = IM_COL32(44, 196, 148, 255), kIdle = IM_COL32(240, 96, 72, 255);
constexpr float kWasteRow = 1.45f, kWasteHead = 2.1f;  // heights, in multiples of the text size

struct WasteRow {
    std::string map;
    std::int64_t bodies = 0, launched = 0, wasted = 0, rho = 0;
};

std::vector<WasteRow> waste_rows(const LabTable& table) {
    std::vector<WasteRow> all;
    for (const auto& row : table.rows) {
        const auto whole = [&](std::string_view column) {
            return std::get<std::int64_t>(lab_cell(table, row, column));
        };
        all.push_back({std::get<std::string>(lab_cell(table, row, "map")), whole("bodies"), whole("launched_blocks"),
                       whole("wasted_blocks"), whole("rho")});
    }
    return all;
}

std::string share_text(const WasteRow& row) {
    const double share = row.launched > 0 ? static_cast<double>(row.wasted) / static_cast<double>(row.launched) : 0;
    return fmt::format("{:.{}f} %", 100 * share, share > 0 && share < 0.1 ? 2 : 1);
}

struct WasteColumns {
    float bar, bar_end, launched_end, wasted_end, share_end;
};

WasteColumns waste_columns(const Pen& pen, const std::vector<WasteRow>& rows, float left, float right) {
    float names = 0, numbers = pen.width(tr("launched"));
    for (const WasteRow& row : rows) {
        names = std::max(names, pen.width(lab_name(row.map)));
        numbers = std::max(numbers, pen.width(grouped(row.launched)));
    }
    const float gap = pen.size();
    const float share = right, wasted = share - std::max(pen.width("00.00 %"), pen.width(tr("waste"))) - gap;
    const float launched = wasted - std::max(numbers, pen.width(tr("wasted"))) - gap;
    return {left + std::min(names, 0.4f * (right - left)) + gap, launched - numbers - gap, launched, wasted, share};
}

void waste_head(const Pen& pen, const WasteRow& row, const WasteColumns& at, float left, float top) {
    const LabBound bound =
        lab_bound("dummy", static_cast<std::uint64_t>(row.bodies), static_cast<std::uint32_t>(row.rho));
    const float y = top + 0.7f * pen.size();
    pen.text({left, y}, kText, fmt::format("N = {}, m = {}", grouped(row.bodies), bound.rows));
    pen.text({at.launched_end, y}, kDim, tr("launched"), Align::kRight);
    pen.text({at.wasted_end, y}, kDim, tr("wasted"), Align::kRight);
    pen.text({at.share_end, y}, kDim, tr("waste"), Align::kRight);
}

void waste_bar(const Pen& pen, const WasteRow& row, const WasteColumns& at, float left, float top, double most) {
    const float height = kWasteRow * pen.size(), y = top + (height - pen.size()) / 2, pad = 0.14f * height;
    const auto x_of = [&](std::int64_t blocks) {
        return at.bar + (at.bar_end - at.bar) * static_cast<float>(static_cast<double>(blocks) / most);
    };
    pen.text({left, y}, kText, pen.fitted(lab_name(row.map), at.bar - left - pen.size() / 2));
    const float useful = x_of(row.launched - row.wasted), end = x_of(row.launched);
    pen.draw().AddRectFilled({at.bar, top + pad}, {at.bar_end, top + height - pad}, kTrack, 2);
    pen.draw().AddRectFilled({at.bar, top + pad}, {useful, top + height - pad}, kWorking, 2);
    if (row.wasted > 0)
        pen.draw().AddRectFilled({useful, top + pad}, {std::max(end, useful + 1), top + height - pad}, kIdle, 2);
    pen.text({at.launched_end, y}, kText, grouped(row.launched), Align::kRight);
    pen.text({at.wasted_end, y}, row.wasted > 0 ? kText : kDim, grouped(row.wasted), Align::kRight);
    pen.text({at.share_end, y}, row.wasted > 0 ? kText : kDim, share_text(row), Align::kRight);
}

}  // namespace

void lab_waste_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    const std::vector<WasteRow> rows = waste_rows(lab.run.table);
    ImGui::SetCursorScreenPos(box.low);
    constexpr int flags = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav;
    if (ImGui::BeginChild(kLabTableWindow, {box.width(), box.height()}, false, flags)) {
        const Pen inner{ImGui::GetFont(), pen.size()};
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float right = start.x + box.width() - ImGui::GetStyle().ScrollbarSize - 0.4f * pen.size();
        const WasteColumns at = waste_columns(inner, rows, start.x, right);
        float top = start.y;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i == 0 || rows[i].bodies != rows[i - 1].bodies) {
                waste_head(inner, rows[i], at, start.x, top);
                top += kWasteHead * pen.size();
            }
            double most = 1;
            for (const WasteRow& row : rows)
                if (row.bodies == rows[i].bodies) most = std::max(most, static_cast<double>(row.launched));
            waste_bar(inner, rows[i], at, start.x, top, most);
            top += kWasteRow * pen.size();
        }
        ImGui::Dummy({box.width() - 2 * ImGui::GetStyle().ScrollbarSize, top - start.y});
    }
    ImGui::EndChild();
}

}  // namespace orrery
