// SPDX-License-Identifier: MIT
#include "app/window/maps/tried_engines.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "core/engines/choices.hpp"

namespace orrery {
namespace {

/// Settings that differ from the engine's own choice, except those of the map.
std::string turned(const EngineConfig& config) {
    std::string text;
    const TileConfig& tile = config.tile;
    for (const auto& [name, value] : {std::pair{'p', tile.p}, {'u', tile.u}, {'q', tile.q}, {'k', tile.k}})
        if (config.engine == "direct" && config.backend != Backend::kCpu && value != 0)
            text += fmt::format(" {}={}", name, value);
    for (const EngineEntry& entry : engines()) {
        if (entry.id != config.engine || entry.backend != config.backend || !entry.has_tree()) continue;
        if (config.tree.theta > 0) text += fmt::format(" θ {:g}", config.tree.theta);
        if (config.tree.alpha > 0) text += fmt::format(" α {:g}", config.tree.alpha);
        if (config.tree.accuracy > 0) text += phrase(" error {:g}", config.tree.accuracy);
    }
    return text;
}

}  // namespace

std::string tried_name(const Status& status) {
    const EngineConfig& config = status.engine.config;
    const std::string map = map_in_force(config), root = root_in_force(config);
    std::string text = config.engine + turned(config);
    const std::string kernel = kernel_in_force(config);
    if (!kernel.empty()) text += ' ' + kernel;
    if (!map.empty() && !kernel.empty()) {
        text += fmt::format(" ρ {}", status.engine.report.tile_size);
    } else if (!map.empty()) {
        text += ' ' + map;
        if (!root.empty()) text += ' ' + root;
        text += fmt::format(" ρ {}", status.engine.report.tile_size);
        if (!config.equal_masses) text += phrase(" any masses");
    }
    if (map.empty() && !status.engine.report.map.empty())  // chosen by `auto`
        text += fmt::format(" ({} ρ {})", status.engine.report.map, status.engine.report.tile_size);
    if (config.deterministic) text += " det.";
    return text + fmt::format(", {} {}", name(config.backend), if_known(name(config.precision)));
}

void TriedEngines::update(const Status& status) {
    if (status.bodies != bodies_) clear();
    bodies_ = status.bodies;
    const std::string name = tried_name(status);
    auto place = std::ranges::find(tried_, name, &TriedEngine::name);
    const bool known = status.force.timing.count >= kLeastEvaluations;
    if (place == tried_.end() && known) {
        if (tried_.size() == kMost) tried_.erase(tried_.begin());
        place = tried_.insert(tried_.end(), {.name = name});
    }
    for (TriedEngine& tried : tried_) tried.now = false;
    if (place == tried_.end()) return;
    place->now = true;
    if (!known) return;
    place->pairs_per_second = status.force.pairs_per_second, place->seconds = status.force.timing.median;
    place->all_pairs = sums_all_pairs(status.engine.config, status.engine.report);
}

namespace {

/// The speed and the name, above a bar. An engine that does not sum all pairs shows its time, without a bar.
void bar(const TriedEngine& tried, float share, float width, float scale) {
    const ImU32 color = ImGui::GetColorU32(tried.now ? ImGuiCol_PlotHistogram : ImGuiCol_TextDisabled);
    const float left = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    write_text(tried.all_pairs ? short_number(tried.pairs_per_second) : milliseconds_text(tried.seconds));
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + std::max(62 * scale, text_width("000.0 ms ")));
    write_text(tried.name);
    ImGui::PopStyleColor();
    if (!tried.all_pairs) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight() / 3;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    draw.AddRectFilled(at, {at.x + std::max(2.0f, share * width), at.y + height}, color);
    ImGui::Dummy({width, height});
}

}  // namespace

void speed_bars(std::span<const TriedEngine> tried, std::size_t most, float width, float scale) {
    double fastest = 0;
    for (const TriedEngine& each : tried)
        if (each.all_pairs) fastest = std::max(fastest, each.pairs_per_second);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {4 * scale, 2 * scale});
    for (const TriedEngine& each : tried.last(std::min(most, tried.size())))
        bar(each, fastest > 0 ? static_cast<float>(each.pairs_per_second / fastest) : 0, width, scale);
    ImGui::PopStyleVar();
}

}  // namespace orrery
