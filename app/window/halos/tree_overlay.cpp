// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/style.hpp"
#include "app/ui/words.hpp"
#include "app/window/halos/halos_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/plot/scales.hpp"

namespace orrery {
namespace {

constexpr float kTreeMostHeight = 300, kTreeLeastWidth = 260, kTreeReach = 7;  // pixels at scale 1
constexpr double kThinBranch = 1, kWideBranch = 9;
constexpr ImU32 kBranchInk = IM_COL32(150, 162, 176, 255), kLitBranchInk = IM_COL32(255, 160, 60, 255),
                kTreeGrid = IM_COL32(255, 255, 255, 30), kTreeText = IM_COL32(200, 205, 212, 255),
                kTreeNow = IM_COL32(130, 225, 255, 160);

/// Positions in the drawing of a tree.
class TreeCanvas {
public:
    TreeCanvas(const HaloCatalogue& catalogue, const MergerTree& tree, const Rectangle& area, float text)
        : catalogue_{catalogue}, tree_{tree}, area_{area} {
        area_.y1 -= 1.4f * text;
        times_.include(tree.first), times_.include(tree.last);
        times_.finish(6, 0);
    }
    float x(double time) const { return area_.x0 + static_cast<float>(times_.share(time)) * (area_.x1 - area_.x0); }
    float y(double row) const {
        const double share = (tree_.highest_row + 1 - row) / (tree_.highest_row - tree_.lowest_row + 2);
        return area_.y0 + static_cast<float>(share) * (area_.y1 - area_.y0);
    }
    ImVec2 place(const TreeBranch& branch, std::uint32_t halo) const {
        return {x(tree_.time_of(catalogue_.halos[halo])), y(branch.row)};
    }
    void draw_axis(ImDrawList& draw, double now) const {
        for (const PlotTick& tick : times_.ticks()) {
            const float at = x(tick.value);
            draw.AddLine({at, area_.y0}, {at, area_.y1}, kTreeGrid);
            const float wide = ImGui::CalcTextSize(tick.text.c_str()).x;
            draw.AddText({std::clamp(at - wide / 2, area_.x0, area_.x1 - wide), area_.y1 + 2}, kTreeText,
                         tick.text.c_str());
        }
        if (now >= tree_.first && now <= tree_.last) draw.AddLine({x(now), area_.y0}, {x(now), area_.y1}, kTreeNow);
    }
    void draw_branch(ImDrawList& draw, const TreeBranch& branch, ImU32 ink, float scale) const {
        const auto width = [&](std::uint32_t halo) {
            return scale * static_cast<float>(line_width(tree_, catalogue_.halos[halo], kThinBranch, kWideBranch));
        };
        for (std::size_t i = 0; i + 1 < branch.halos.size(); ++i)
            draw.AddLine(place(branch, branch.halos[i]), place(branch, branch.halos[i + 1]), ink,
                         width(branch.halos[i]));
        const ImVec2 end = place(branch, branch.halos.back());
        if (branch.into != kNoBranch)
            draw.AddLine(end, place(tree_.branches[branch.into], branch.merger), ink, 1.5f * scale);
        if (branch.halos.size() == 1) draw.AddCircleFilled(end, 2 * scale, ink);
    }
    Rectangle extent(const TreeBranch& branch) const {
        const ImVec2 first = place(branch, branch.halos.front()), last = place(branch, branch.halos.back());
        return {first.x, first.y - 1, last.x, last.y + 1};
    }
    /// The branch and the halo of it nearest to a point within reach; kNoBranch: none.
    std::pair<std::size_t, std::uint32_t> nearest(ImVec2 point, float reach) const {
        std::pair<std::size_t, std::uint32_t> found{kNoBranch, kNoHalo};
        float least = reach;
        for (std::size_t i = 0; i < tree_.branches.size(); ++i) {
            const TreeBranch& branch = tree_.branches[i];
            const float from = place(branch, branch.halos.front()).x, to = place(branch, branch.halos.back()).x;
            const float beside = std::max({0.0f, from - point.x, point.x - to});
            const float apart = std::hypot(beside, point.y - y(branch.row));
            if (apart >= least) continue;
            least = apart;
            const auto halo = std::ranges::min_element(
                branch.halos, {}, [&](std::uint32_t each) { return std::abs(place(branch, each).x - point.x); });
            found = {i, *halo};
        }
        return found;
    }

private:
    const HaloCatalogue& catalogue_;
    const MergerTree& tree_;
    Rectangle area_;
    PlotScale times_{false};
};

std::string tip_of_halo(const HaloCatalogue& catalogue, const MergerTree& tree, std::uint32_t index) {
    const Halo& halo = catalogue.halos[index];
    const std::string time =
        tree.by_scale_factor ? fmt::format("a = {:.4g}", halo.scale_factor) : fmt::format("{}", halo.snapshot);
    return fmt::format("{}: {:.3g} {}, {}", label_of(halo), halo.mass, catalogue.units.mass.word, time);
}

void tree_head(Widgets& ui, const HalosPage& page, UiRequests& requests) {
    const Halo& root = page.catalogue()->halos[page.tree->root];
    ImGui::AlignTextToFramePadding();
    write_text(phrase("Merger tree of halo {}: {} branches", verbatim(label_of(root)), page.tree->branches.size()));
    ImGui::SameLine();
    if (ui.button("Close tree", "Hides the merger tree"))
        requests.change([](UiState& now) { now.own.of<HalosPage>().wish.tree_of = kNoHalo; });
}

}  // namespace

float halo_tree_height(float scale) {
    const ImGuiWindow* tree = ImGui::FindWindowByName(kHaloTreeWindow);
    return tree && tree->WasActive ? tree->Size.y + (kOverlayGap + kLegendStrip) * scale : 0;
}

void halo_tree_overlay(DrawnFrame& frame) {
    Widgets& ui = frame.ui;
    const UiState& state = frame.state;
    UiRequests& requests = frame.requests;
    const auto& page = state.own.of<HalosPage>();
    if (!page.tree || !page.catalogue() || state.layout.panel != "halos") return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float scale = ui.scale(), gap = kOverlayGap * scale, left = sidebar_width(state, scale) + gap;
    ImVec2 corner = lower_right(state, scale);
    corner.x -= kLegendColumn * scale, corner.y -= kLegendStrip * scale;
    const float width = corner.x - left, head = 2 * ImGui::GetFrameHeightWithSpacing() + 2 * padding.y;
    const float height = std::min(kTreeMostHeight * scale, 0.5f * screen.y - head);
    if (width < kTreeLeastWidth * scale || height < 80 * scale) return;  // too small to read
    place_window(corner, {1, 1}, 0.86f);
    ImGui::SetNextWindowSize({width, 0});
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin(kHaloTreeWindow, nullptr, flags)) {
        tree_head(ui, page, requests);
        const ImVec2 from = ImGui::GetCursorScreenPos();
        const bool over = ui.canvas("Merger tree", width - 2 * padding.x, height);
        const TreeCanvas canvas{*page.catalogue(),
                                *page.tree,
                                {from.x, from.y, from.x + width - 2 * padding.x, from.y + height},
                                ImGui::GetFontSize()};
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        canvas.draw_axis(draw, state.status.scene.expansion);
        for (std::size_t i = 0; i < page.tree->branches.size(); ++i)
            if (i != page.branch) canvas.draw_branch(draw, page.tree->branches[i], kBranchInk, scale);
        for (std::size_t i = 0; i < page.tree->branches.size(); ++i)
            frame.widgets.note_place(fmt::format("branch {}", i), canvas.extent(page.tree->branches[i]));
        if (page.branch < page.tree->branches.size())
            canvas.draw_branch(draw, page.tree->branches[page.branch], kLitBranchInk, scale);
        const auto [branch, halo] =
            over ? canvas.nearest(ImGui::GetIO().MousePos, kTreeReach * scale) : std::pair{kNoBranch, kNoHalo};
        if (branch != kNoBranch) {
            draw.AddCircle(canvas.place(page.tree->branches[branch], halo), 5 * scale, kLitBranchInk, 0, 1.5f * scale);
            ImGui::SetTooltip("%s", verbatim(tip_of_halo(*page.catalogue(), *page.tree, halo)).c_str());
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
                requests.change([halo = halo](UiState& now) { now.own.of<HalosPage>().wish.choose = halo; });
        }
    }
    ImGui::End();
}

}  // namespace orrery
