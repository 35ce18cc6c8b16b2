// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/options.hpp"
#include "app/picture/format.hpp"
#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/scene_lines.hpp"
#include "app/render/view_settings.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/panels.hpp"
#include "app/window/view/space_panel.hpp"
#include "core/engines/menu.hpp"

namespace orrery {
namespace {

using namespace command_table;

constexpr int kBands = 48;  // of a gradient on the screen

void gradient(const ColorTable& table, ImVec2 low, ImVec2 high) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float step = (high.x - low.x) / kBands;
    for (int i = 0; i < kBands; ++i) {
        const float left = low.x + step * static_cast<float>(i);
        draw.AddRectFilled({left, low.y}, {left + step, high.y},
                           color_for_screen(table, static_cast<float>(i) / (kBands - 1)));
    }
}

/// Draws the gradient on the right half of the last item.
void gradient_on_item(const ColorMapEntry& map) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float inset = 0.2f * (high.y - low.y), arrow = high.y - low.y;
    gradient(color_table(map), {low.x + 0.45f * (high.x - low.x), low.y + inset},
             {high.x - arrow - inset, high.y - inset});
}

bool mode_combo(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ColorModeEntry& now = color_mode(view.color_mode);
    if (!ui.begin_combo("Colour by", now.label, phrase("{}. From: {}", tr(now.doc), if_known(now.source))))
        return false;
    bool edited = false;
    for (const ColorModeEntry& entry : color_modes()) {
        const ShownUnit unit = shown_unit(entry.unit, units_of(state.status));
        const std::string tip = phrase("{}. From: {}", tr(entry.doc), if_known(entry.source)) +
                                (unit.text.empty() ? "" : phrase(". In {}", unit.text));
        if (!ui.choice(entry.label, &entry == &now, tip)) continue;
        view.color_mode = entry.id;
        view.scalar_range.reset();  // the old range belonged to another quantity
        edited = true;
    }
    ui.end_combo();
    return edited;
}

/// The fields of the file, for colours by field; one that is chosen is read if it is not in memory.
bool field_combo(Widgets& ui, const UiState& state, ViewSettings& view) {
    const std::vector<std::string>& names = state.status.scene.facts.fields;
    if (color_mode(view.color_mode).by != ColorBy::kField || names.empty()) return false;
    const std::string& now = view.color_field.empty() ? state.picture.extent.field : view.color_field;
    if (!ui.begin_combo("Field", verbatim(now), "Field of the file that is shown by colour; it is read when chosen"))
        return false;
    bool edited = false;
    for (const std::string& name : names) {
        if (!ui.choice(verbatim(name), name == now, {})) continue;
        view.color_field = name;
        view.scalar_range.reset();
        edited = true;
    }
    ui.end_combo();
    return edited;
}

bool map_combo(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ColorMapEntry& now = color_map_for(view.color_map, state.picture.extent.color_by);
    const bool automatic = view.color_map == kAutoColorMap;
    const std::string automatic_label =
        phrase("Automatic ({})", if_known(color_map_for(kAutoColorMap, state.picture.extent.color_by).label));
    bool edited = false;
    if (ui.begin_combo("Colour map", automatic ? std::string_view{automatic_label} : now.label,
                       translated(fmt::format("{}. {}", tr(now.doc), now.source)))) {
        if (ui.choice("Automatic", automatic, "The map that suits the colour quantity"))
            view.color_map = kAutoColorMap, edited = true;
        for (const ColorMapEntry& entry : color_maps()) {
            if (ui.choice(entry.label, entry.id == view.color_map,
                          translated(fmt::format("{}. {}", tr(entry.doc), entry.source))))
                view.color_map = entry.id, edited = true;
            gradient_on_item(entry);
        }
        ui.end_combo();
    }
    const float width = ImGui::GetContentRegionAvail().x, height = 0.6f * ImGui::GetTextLineHeight();
    ui.canvas("Gradient", width, height);
    gradient(color_table(now), ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    return edited;
}

bool color_range(Widgets& ui, const UiState& state, ViewSettings& view) {
    const ColorScale of_colors = color_scale(view, state.picture.extent);
    if (without_order(of_colors)) return false;
    bool automatic = !view.scalar_range;
    bool edited = ui.toggle("Colour range from the bodies", automatic,
                            "The colour map spans the 2nd to 98th percentile of the quantity; off: the values below");
    const ScalarRange measured = scalar_range(ViewSettings{}, state.picture.extent);
    if (edited) view.scalar_range = automatic ? std::nullopt : std::optional{measured};
    if (automatic) return edited;
    ScalarRange range = view.scalar_range.value_or(measured);
    const bool logarithmic = of_colors == ColorScale::kLogarithmic;
    const double size =
        std::max({std::abs(measured.low), std::abs(measured.high), std::abs(range.low), std::abs(range.high), 1e-12});
    const double bottom = logarithmic ? size * 1e-8 : std::min(measured.low, range.low) < 0 ? -4 * size : 0;
    const auto scale = logarithmic ? Scale::kLogarithmic : Scale::kLinear;
    edited |= ui.slider("Low", range.low, {bottom, 4 * size, measured.low, "%.3g", scale},
                        "Value at the low end of the colour map, in the scene's units");
    edited |= ui.slider("High", range.high, {bottom, 4 * size, measured.high, "%.3g", scale},
                        "Value at the high end of the colour map, in the scene's units");
    view.scalar_range = range;
    return edited;
}

/// Colour quantity and colour map. Returns whether `view` was edited.
bool color_controls(Widgets& ui, const UiState& state, ViewSettings& view) {
    bool edited = mode_combo(ui, state, view);
    edited |= field_combo(ui, state, view);
    if (!state.picture.no_color.empty())
        ui.note(
            phrase("No colours by {}: {}.", color_mode(state.picture.extent.color_by).label, state.picture.no_color));
    edited |= map_combo(ui, state, view);
    return edited;
}

using ViewControls = SettingControls<ViewSettings>;

/// Automatic exposure, and the setting that replaces it. Returns whether `view` was edited.
bool white_controls(Widgets& ui, const UiState& state, ViewSettings& view) {
    bool automatic = !view.white, edited = false;
    if (ui.toggle("Automatic exposure", automatic,
                  "White follows the light in the picture, or the number of bodies and the area they cover; off: it "
                  "stays fixed, also during a video")) {
        view.white = automatic ? std::nullopt : std::optional{std::max(state.picture.white, 1e-6)};
        // Faint bodies keep their brightness; with automatic exposure the setting is relative.
        if (view.exposure_by == ExposureBy::kPicture)
            view.stretch = automatic ? ViewSettings{}.stretch : state.picture.stretch;
        edited = true;
    }
    if (!view.white) return edited;
    const ViewSetting& white = setting(view_settings(), "white");
    return setting_control(ui, white, view, white.member.get(view), std::max(state.picture.white, 1e-6)) || edited;
}

void trail_and_star_controls(ViewControls& controls) {
    controls("trails");
    ImGui::SameLine();
    controls("stars");
    for (const char* id : {"trail_points", "trail_every", "trail_opacity", "star_light", "star_seed"}) controls(id);
}

/// A toggle for each species of the scene; if it has none and some are hidden, a note that all bodies are drawn.
void species_controls(Widgets& ui, const UiState& state, const ViewSettings& view, ViewControls& controls) {
    constexpr std::array kIds{"show_gas",   "show_halo",  "show_disk",
                              "show_bulge", "show_stars", "show_boundary"};  // in the order of Species
    static_assert(kIds.size() == kSpeciesCount);
    constexpr int kInRow = 2;
    int placed = 0;
    for (std::size_t i = 0; i < kIds.size(); ++i) {
        if (!state.scene.species_present[i]) continue;
        if (placed++ % kInRow != 0) ImGui::SameLine();
        controls(kIds.at(i));
    }
    if (placed > 0 || view.species == ShownSpecies{}) return;
    ui.note(state.status.source.cloud.on ? "Species of a cloud are not hidden: all its bodies are drawn."
                                         : "All bodies are drawn: the scene does not state their species.");
}

void guide_controls(ViewControls& controls) {
    controls("grid");
    for (const char* id : {"axes", "scale_bar", "time_stamp"}) ImGui::SameLine(), controls(id);
    controls("labels");
    ImGui::SameLine();
    controls("color_bar");
}

int deepest_level(const UiState& state) {
    return state.status.engine.report.levels > 1 ? state.status.engine.report.levels - 1 : OctreeView::kDeepest;
}

/// The drawn levels, each in its colour.
void level_colors(Widgets& ui, const OctreeView& view, int deepest) {
    const int last = std::min(view.last, deepest), count = last - view.first + 1;
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
    ui.canvas("Levels", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (int i = 0; i < count; ++i) {
        const float left = at.x + width * static_cast<float>(i) / static_cast<float>(count);
        const float right = at.x + width * static_cast<float>(i + 1) / static_cast<float>(count);
        const float share = octree_share(view.first + i, view);
        draw.AddRectFilled({left, at.y}, {right - ui.scale(), at.y + height}, ramp_color(share));
        const std::string text = fmt::format("{}", view.first + i);
        const float wide = text_width(text);
        if (wide < right - left)
            draw.AddText({(left + right - wide) / 2, at.y}, share > 0.45f ? IM_COL32_BLACK : IM_COL32_WHITE,
                         text.c_str());
    }
}

const SettingInfo& info_of(std::string_view id) { return setting(view_settings(), id).info; }

bool octree(Widgets& ui, const UiState& state, ViewSettings& settings) {
    const OctreeView standard;
    OctreeView& view = settings.octree;
    ViewControls controls{ui, view_settings(), settings};
    controls("octree");
    if (!view.on) return controls.edited();
    ImGui::SameLine();
    controls("octree_leaves");
    bool edited = controls.edited();
    const int deepest = deepest_level(state);
    int last = std::min(view.last, deepest);
    if (ui.whole_number(info_of("octree_first").label, view.first, 0, deepest, standard.first,
                        tip_of(info_of("octree_first"))))
        edited = true, last = std::max(last, view.first);
    if (ui.whole_number(info_of("octree_last").label, last, 0, deepest, deepest, tip_of(info_of("octree_last"))))
        edited = true, view.first = std::min(view.first, last);
    if (edited) view.last = last == deepest ? OctreeView::kDeepest : last;
    edited |= setting_control(ui, setting(view_settings(), "octree_opacity"), settings);
    level_colors(ui, view, deepest);
    if (state.picture.cells_drawn > 0)
        ui.value("Cells drawn", grouped(state.picture.cells_drawn),
                 "Whole levels from the root down, at most 20 000 cells");
    else
        ui.note("There are no cells: the current engine has no tree, or none at these levels.");
    return edited;
}

/// Settings that a look needs now and then. Returns whether `view` was edited.
bool rare_controls(Widgets& ui, const UiState& state, ViewSettings& view, ViewControls& controls) {
    bool edited = false;
    controls("neighbours");
    if (!view.white) controls("exposure_by");
    edited |= white_controls(ui, state, view);
    for (const char* id : {"mass_size", "stretch", "local_contrast", "contours", "tone_map"}) controls(id);
    if (!without_order(color_mode(view.color_mode).scale)) controls("color_scale");
    edited |= color_range(ui, state, view);
    controls("dispersion");
    if (const auto thick = typed_setting(ui, info_of("slice"), view.slice)) view.slice = *thick, edited = true;
    controls("slice_across");
    if (const auto box = typed_setting(ui, info_of("box"), view.space.box)) view.space.box = *box, edited = true;
    controls.rest();
    if (state.performance.gpu_ms > 0)
        ui.value("Draw time", fmt::format("{:.2f} ms", state.performance.gpu_ms),
                 "GPU time to draw one frame, as measured by OpenGL");
    return edited;
}

void view_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    ViewSettings view = state.view;
    ViewControls controls{ui, view_settings(), view};
    controls("mode");
    controls("exposure");
    if (state.status.source.cloud.on)
        for (const char* id : {"cloud_bodies", "cloud_spacing"}) controls(id);
    bool edited = color_controls(ui, state, view);
    controls("dust");
    for (const char* id : {"size", "glow"}) controls(id);
    edited |= octree(ui, state, view);
    trail_and_star_controls(controls);
    species_controls(ui, state, view, controls);
    guide_controls(controls);
    if (state.status.scene.cosmology.scale_factor > 0) controls("scale_physical");
    edited |= space_controls(ui, state, view, requests);
    bool overlay = state.layout.overlay;
    if (ui.toggle("Large figures", overlay, "Shows large figures, readable from the back of a room. Key I"))
        requests.ask(Command::kOverlay);
    if (ui.button("Reset view", "Restores the view settings of the scene; changes made in this tab are lost", -1))
        requests.ask(Command::kResetView);
    if (advanced(ui, "view", state, requests)) edited |= rare_controls(ui, state, view, controls);
    edited |= controls.edited();
    if (edited) requests.change([view](UiState& now) { now.view = view; });
}

void toggle_octree(Window& window, int) {
    bool& on = window.core.state.view.octree.on;
    on = !on;
    const EngineConfig& config = window.core.simulation.engine();
    const EngineEntry* entry = find_engine(config);
    const bool tree = config.engine == "auto" || (entry && entry->has_tree());
    if (on && !tree) window.core.messages.notice("This engine has no tree; Tree (Barnes–Hut) does: key 3");
}

constexpr auto kViewCommands = std::to_array<WindowCommand>({
    listed("Recentre the periodic box on the selection", button(Command::kRecentre, recentre_on_selection)),
    line(Command::kOctree, toggle_octree, GLFW_KEY_O, "O", "octree cells on, off"),
});

constexpr auto kViewPanels = std::to_array<PanelEntry>({
    {"view", PanelGroup::kLook, "View", view_panel, "Picture and colours"},
});

nlohmann::json view_json(const ViewSettings& view) {
    nlohmann::json json = nlohmann::json::object();
    add_settings(json, view_settings(), view, [](const SettingInfo&) { return true; });
    return json;
}

nlohmann::json octree_json(const UiState& state) {
    const OctreeView& view = state.view.octree;
    return {{"on", view.on},           {"first", view.first},
            {"last", view.last},       {"leaves_only", view.leaves_only},
            {"opacity", view.opacity}, {"drawn", state.picture.cells_drawn}};
}

void describe_view(nlohmann::json& map, const UiState& state) {
    const PictureState& picture = state.picture;
    map["octree"] = octree_json(state);
    map["draw_mode"] = draw_modes()[static_cast<std::size_t>(picture.mode_used)].id;
    map["view"] = view_json(state.view);
    map["exposure"] = state.view.exposure;
    map["color_map"] = state.view.color_map;
    map["color_by"] = color_mode(picture.extent.color_by).id;
    map["color_field"] = picture.extent.field;
    map["missing"] = picture.extent.missing;
    map["fields"] = state.status.scene.facts.fields;
    map["no_color"] = picture.no_color;
    map["scalar_low"] = picture.extent.scalar_low;
    map["scalar_high"] = picture.extent.scalar_high;
    map["white"] = picture.white;
    map["stretch_used"] = picture.stretch;
    map["trails"] = state.view.trails.on;
    map["stars"] = state.view.stars.on;
    const Periodic& space = picture.space;
    map["space"] = {{"box", picture.box},
                    {"edge", space.edge},
                    {"tiles", space.tiles},
                    {"centre", {space.centre.x, space.centre.y, space.centre.z}}};
}

}  // namespace

FeatureEntry view_feature() { return {.panels = kViewPanels, .commands = kViewCommands, .describe = describe_view}; }

}  // namespace orrery
