// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/picture/compare_view.hpp"
#include "app/picture/format.hpp"
#include "app/render/color_maps.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/analysis/columns.hpp"

namespace orrery {
namespace {

/// Settings of B that match A.
CompareSettings of_a(const UiState& state) {
    return {.engine = state.requested.engine, .softening = state.status.dynamics.gravity.softening};
}

void ask_of_a(const UiState& state, const CompareSettings& b, UiRequests& requests) {
    requests.ask(SetEngine{b.engine});
    if (b.softening != state.status.dynamics.gravity.softening) requests.ask(SetSoftening{b.softening});
    if (b.dt_power != 0) requests.ask(SetDt{std::ldexp(state.status.dynamics.dt, b.dt_power)});
}

void copy_buttons(Widgets& ui, const UiState& state, const CompareSettings& b, UiRequests& requests) {
    const float width = column_width(3);
    if (ui.button("A to B", "Copies A's engine, softening and dt to B; its bodies stay", width))
        requests.ask(SetCompare{of_a(state)});
    ImGui::SameLine();
    const auto to_a = [&](const CompareSettings& next) {
        ask_of_a(state, b, requests);
        requests.ask(SetCompare{next});
    };
    CompareSettings same = b, swapped = of_a(state);
    same.dt_power = 0;
    swapped.dt_power = -b.dt_power;
    if (ui.button("B to A", "Copies B's engine, softening and dt to A; its bodies stay", width)) to_a(same);
    ImGui::SameLine();
    if (ui.button("Swap", "Exchanges engine, softening and dt of A and B; their bodies stay", width)) to_a(swapped);
}

/// `whole`: the step that B's step is a multiple or a fraction of.
std::string step_text(int power, std::string_view whole) {
    if (power == 0) return std::string{whole};
    return power > 0 ? fmt::format("{} × {}", 1 << power, whole) : fmt::format("{} / {}", whole, 1 << -power);
}

bool step_combo(Widgets& ui, int& power, bool of_series) {
    const std::string_view whole = of_series ? "dt" : tr("A's");
    if (!ui.begin_combo("Step of B", step_text(power, whole),
                        of_series ? "Longest step of B, in units of the Setup tab's dt: B takes equal steps from one "
                                    "snapshot of the series to the next"
                                  : "Step length of B in units of A's. The two are compared whenever they are at the "
                                    "same time"))
        return false;
    bool edited = false;
    for (int choice = -CompareSettings::kMostPower; choice <= CompareSettings::kMostPower; ++choice)
        if (ui.choice(step_text(choice, whole), choice == power,
                      of_series ? "A power of two" : "A power of two, so that both reach the same times exactly"))
            power = choice, edited = true;
    ui.end_combo();
    return edited;
}

/// Returns whether the fold of rare controls is open, below which more of them can follow.
bool settings_of_b(Widgets& ui, const UiState& state, bool of_series, UiRequests& requests) {
    CompareSettings b = *state.requested.compare;
    ui.heading("B");
    bool edited = engine_combos(ui, b.engine);
    if (const auto softening =
            ui.typed_real("Softening", b.softening,
                          "Plummer softening length of B, in the scene's units; that of A is in the Setup tab"))
        b.softening = *softening, edited = true;
    edited |= step_combo(ui, b.dt_power, of_series);
    const bool rare = advanced(ui, "compare", state, requests);
    if (rare) edited |= engine_knobs(ui, b.engine);
    if (edited) requests.ask(SetCompare{b});
    return rare;
}

/// The time of one evaluation as a bar; the longer one of A and B fills the width.
void time_bar(Widgets& ui, const char* label, const Timing& force, double longest, ImU32 color) {
    ui.value(
        label, force.count > 0 ? milliseconds_text(force.median) : "–",
        "Time of one evaluation of all forces: median of the last 64, in ms. A and B take turns on the same machine");
    const float left = ImGui::GetItemRectMax().x + 10 * ui.scale();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const float bar_left = std::max(left, right - 130 * ui.scale());
    if (longest <= 0 || force.count == 0 || right <= bar_left) return;
    const float top = ImGui::GetItemRectMin().y + 3 * ui.scale(), bottom = ImGui::GetItemRectMax().y - 2 * ui.scale();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({bar_left, top}, {right, bottom}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const float part = static_cast<float>(force.median / longest);
    draw.AddRectFilled({bar_left, top}, {bar_left + std::max(2.0f, part * (right - bar_left)), bottom}, color);
}

std::string ratio_text(const Timing& a, const Timing& b) {
    if (a.count == 0 || b.count == 0 || a.median <= 0 || b.median <= 0) return "–";
    const double ratio = b.median / a.median;
    return ratio >= 1 ? phrase("B takes {:.2f} × as long as A", ratio)
                      : phrase("A takes {:.2f} × as long as B", 1 / ratio);
}

void figures(Widgets& ui, const UiState& state) {
    const CompareStatus& c = state.status.compare;
    const double longest = std::max(state.status.force.timing.median, c.force.median);
    time_bar(ui, "Force of A", state.status.force.timing, longest, kColorOfA);
    time_bar(ui, "Force of B", c.force, longest, kColorOfB);
    ui.value("Ratio", ratio_text(state.status.force.timing, c.force), "Ratio of the two medians");
    const bool known = c.divergence.has_value();
    ui.value("Distance",
             !known                   ? "–"
             : c.divergence->max == 0 ? phrase("identical so far")
                                      : phrase("{:.1e} rms, {:.1e} at most", c.divergence->rms, c.divergence->max),
             phrase("√(mean of |x_B − x_A|²) over all bodies, and the maximum |x_B − x_A|, which is that of body "
                    "{}; in the scene's units",
                    known ? c.divergence->body : 0));
}

void view_of_both(Widgets& ui, const UiState& state, UiRequests& requests) {
    CompareView view = state.comparison.view;
    bool edited = false;
    for (const CompareViewSetting& each : compare_view_settings())
        if (each.info.id != "divider") edited |= setting_control(ui, each, view);
    if (edited) requests.change([view](UiState& now) { now.comparison.view = view; });
}

/// For users without a mouse.
void divider(Widgets& ui, CompareView view, UiRequests& requests) {
    if (setting_control(ui, setting(compare_view_settings(), "divider"), view))
        requests.change([view](UiState& now) { now.comparison.view = view; });
}

constexpr float kCompareMostWidth = 860, kCompareLeastWidth = 420,
                kCompareHeight = 150;   // pixels at scale 1
constexpr float kBadgeOpacity = 0.86f;  // readable over bright bodies
constexpr int kCompareFloating = kFloatingWindow | ImGuiWindowFlags_AlwaysAutoResize;

std::string engine_text(const char* which, const EngineConfig& e, const Timing& force) {
    const std::string time = force.count > 0 ? milliseconds_text(force.median) : std::string{"–"};
    return fmt::format("{}: {}, {} {}, {}", which, engine_name(e), name(e.backend), if_known(name(e.precision)), time);
}

/// A label over the picture, with its left (0) or right (1) edge at x. It wraps in a narrow room, and is omitted where
/// a word would not fit.
void badge(const char* id, const std::string& text, ImU32 color, float x, float y, float pivot, float room) {
    const float within = room - 2 * ImGui::GetStyle().WindowPadding.x;
    if (within < text_width("reference,")) return;
    place_window({x, y}, {pivot, 0}, kBadgeOpacity);
    if (ImGui::Begin(id, nullptr, kCompareFloating | ImGuiWindowFlags_NoInputs)) {
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        write_wrapped(text, ImGui::GetCursorPosX() + std::min(within, text_width(text) + 1));
        ImGui::PopStyleColor();
    }
    ImGui::End();
}

/// A divider that can be dragged. Only its middle takes the mouse; elsewhere the mouse still moves the camera.
void divider(Widgets& ui, const UiState& state, const ComparePanes& panes, UiRequests& requests) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float wide = 18 * ui.scale(), high = 64 * ui.scale(), x = static_cast<float>(panes.divider);
    const float bottom = screen.y - transport_height(state, ui.scale()) - comparison_height(ui.scale());
    ImGui::GetBackgroundDrawList()->AddLine({x, 0}, {x, bottom}, IM_COL32(255, 255, 255, 110), ui.scale());
    ImGui::SetNextWindowPos({x, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({wide, high});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    constexpr int flags = (kCompareFloating & ~ImGuiWindowFlags_AlwaysAutoResize) | ImGuiWindowFlags_NoBackground;
    if (ImGui::Begin(kDividerWindow, nullptr, flags)) {
        const bool hovered = ui.canvas("Divider", wide, high, "Drag to change the share of A. Right click: half");
        const bool held = ImGui::IsItemActive();
        const ImVec2 at = ImGui::GetItemRectMin();
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x + wide / 3, at.y}, {at.x + 2 * wide / 3, at.y + high},
            held || hovered ? IM_COL32(255, 255, 255, 230) : IM_COL32(255, 255, 255, 130), wide / 6);
        if (hovered || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        CompareView view = state.comparison.view;
        if (held)
            view.divider = std::clamp(
                (ImGui::GetMousePos().x - static_cast<float>(panes.left)) / (screen.x - static_cast<float>(panes.left)),
                0.05f, 0.95f);
        if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) view.divider = 0.5f;
        if (const int steps = ui.canvas_steps(); steps != 0)
            view.divider = std::clamp(view.divider + 0.05f * static_cast<float>(steps), 0.05f, 0.95f);
        if (!(view == state.comparison.view)) requests.change([view](UiState& now) { now.comparison.view = view; });
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

/// The colour scale of distances, with a power of ten at each end.
void distance_scale(const Widgets& ui, const UiState& state, float x, float y) {
    place_window({x, y}, {0, 0}, kBadgeOpacity);
    if (ImGui::Begin("distance scale", nullptr, kCompareFloating | ImGuiWindowFlags_NoInputs)) {
        write_text(tr("|x_B − x_A|, lengths of the scene"));
        const float width = 220 * ui.scale(), height = 10 * ui.scale();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        constexpr int kParts = 64;
        const ColorTable& colors = color_table(color_map_for(state.view.color_map, ColorBy::kSpeed));
        for (int i = 0; i < kParts; ++i)
            ImGui::GetWindowDrawList()->AddRectFilled(
                {at.x + width * static_cast<float>(i) / kParts, at.y},
                {at.x + width * static_cast<float>(i + 1) / kParts, at.y + height},
                color_for_screen(colors,
                                 static_cast<float>(i * (kColorMapSize - 1) / (kParts - 1)) / (kColorMapSize - 1)));
        ImGui::Dummy({width, height});
        const ScalarRange range = state.comparison.distances;
        const std::string low = fmt::format("{:.0e}", std::pow(10.0, range.low));
        const std::string high = fmt::format("{:.0e}", std::pow(10.0, range.high));
        write_text(low);
        ImGui::SameLine(ImGui::GetWindowContentRegionMin().x + width - text_width(high));
        write_text(high);
    }
    ImGui::End();
}

template <class Points, class Value>
PlotCurve comparison_curve(const Points& points, const char* label, const char* color, const char* bright,
                           const Value& value) {
    PlotCurve curve{.label = label, .color = color, .dashes = {}, .points = {}, .bright = bright};
    for (const auto& point : points) curve.points.push_back({point.time, value(point)});
    return curve;
}

/// Distances of A's bodies from B's, and the energies of both.
std::vector<PlotPanel> compare_plots(const Status& status) {
    using namespace okabe_ito;
    const CompareStatus& c = status.compare;
    const double low = c.history.empty() ? c.time : c.history.front().time, high = std::max(c.time, status.time);
    const auto over_time = [&](const char* title, const char* unit, std::vector<PlotCurve> curves, PlotRange if_empty) {
        return PlotPanel{.title = title,
                         .x_label = "time of the scene",
                         .y_label = unit,
                         .curves = std::move(curves),
                         .marks = {},
                         .reference = std::nullopt,
                         .log_y = true,
                         .x_ends = PlotRange{low, high > low ? high : low + std::max(status.dynamics.dt, 1e-12)},
                         .y_if_empty = if_empty};
    };
    PlotCurve most = comparison_curve(c.history, "maximum", kVermilion, kPurple, [](const auto& p) { return p.max; });
    most.name = "largest";
    const auto size = [](const EnergyPoint& p) { return std::abs(p.drift); };
    return {over_time("Distance between A and B", "|x_B − x_A|",
                      {std::move(most),
                       comparison_curve(c.history, "RMS", kGreen, kYellow, [](const auto& p) { return p.rms; })},
                      {1e-6, 1}),
            over_time("Energy since the comparison began", "|ΔE / E|",
                      {comparison_curve(c.energy_a, "A", kBlue, kSkyBlue, size),
                       comparison_curve(c.energy_b, "B", kOrange, kOrange, size)},
                      {1e-8, 1e-2})};
}

void draw_comparison(Widgets& ui, const UiState& state, float width, float height) {
    const std::vector<PlotPanel> panels = compare_plots(state.status);
    const float half = width / 2, scale = ui.scale();
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        plot_canvas(ui, panels[i], ImVec2{half, height}, "Over the time of the scene");
    }
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (i > 0) ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + half * static_cast<float>(i));
        plot_legend(panels[i], scale);
    }
    const auto& divergence = state.status.compare.divergence;
    ImGui::SameLine(0, 16 * scale);
    write_dim(divergence && divergence->max == 0 ? tr("identical so far") : "");
}

void plot_window(Widgets& ui, const UiState& state) {
    const float scale = ui.scale();
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * scale, left = sidebar_width(state, scale) + gap;
    const float width = std::min(screen.x - left - gap, kCompareMostWidth * scale);
    const float height = std::min(kCompareHeight * scale, screen.y / 3);
    if (width < kCompareLeastWidth * scale || height < 0.7f * kCompareHeight * scale) return;  // too small to read
    place_window(lower_right(state, scale), {1, 1}, 0.86f);
    ImGui::SetNextWindowSize({width, 0});
    if (ImGui::Begin(kComparisonWindow, nullptr, kCompareFloating | ImGuiWindowFlags_NoBringToFrontOnFocus))
        draw_comparison(ui, state, width - 2 * padding.x, height);
    ImGui::End();
}

}  // namespace

float comparison_height(float scale) {
    const ImGuiWindow* plots = ImGui::FindWindowByName(kComparisonWindow);
    return plots && plots->WasActive ? plots->Size.y + kOverlayGap * scale : 0;
}

void compare_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const bool on = state.requested.compare.has_value();
    const float width = column_width(2);
    if (ui.button(on ? "End comparison###compare" : "Begin comparison###compare",
                  {.role = on ? ButtonRole::kPlain : ButtonRole::kPrimary},
                  "Starts a second simulation, B, from the current state, with its own settings; it runs in step with "
                  "the first, A, which may be a series of snapshots. Key X",
                  on ? width : -1))
        requests.ask(Command::kCompare);
    if (!on)
        return ui.note(
            "Compares two engines or settings from the same state: how far they diverge, how well they conserve "
            "energy, and how long each takes.");
    ImGui::SameLine();
    if (ui.button("Restart from A", "Copies A's positions and velocities to B; both engines are reset", width))
        requests.ask(RestartCompare{});
    const bool of_series = state.status.compare.of_series;
    if (!of_series) copy_buttons(ui, state, *state.requested.compare, requests);
    view_of_both(ui, state, requests);
    figures(ui, state);
    const float half = column_width(2);
    if (ui.button("Export CSV",
                  "Writes distances and energies since the beginning of the comparison into the current folder", half))
        requests.ask(Command::kExportCompare);
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes the same as a plot", half)) requests.ask(Command::kPlotCompare);
    if (settings_of_b(ui, state, of_series, requests)) divider(ui, state.comparison.view, requests);
}

namespace {

using namespace command_table;

void toggle_compare(Window& w, int) {
    const SimulationLink& simulation = w.core.simulation;
    if (simulation.compare()) return w.recording.act(StopCompare{});
    if (!simulation.ready()) return w.core.messages.notice("Nothing to compare yet");
    w.recording.act(
        SetCompare{{.engine = simulation.engine(), .softening = simulation.status().dynamics.gravity.softening}});
    w.core.state.layout.panel = "compare";
    const SeriesStatus& series = simulation.status().source.series;
    w.core.messages.notice(!series.on ? "B starts with the settings of A; change them in the Compare tab"
                           : std::ranges::binary_search(*series.times, simulation.status().time)
                               ? "B is computed from here on; its settings are in the Compare tab"
                               : "B starts at the nearest snapshot; its settings are in the Compare tab");
}

void flip(Window& w, int) {
    if (!w.core.simulation.compare()) return w.core.messages.notice("There is no comparison; key X starts one");
    CompareView& view = w.core.state.comparison.view;
    view.show_b = view.mode == CompareMode::kFlip ? !view.show_b : true;
    view.mode = CompareMode::kFlip;
}

void export_compare(Window& w, int) {
    w.exports.text("Comparison", "-compare.csv", compare_csv(w.core.state.status.compare));
}

void plot_compare(Window& w, int) {
    w.exports.text("Comparison", "-compare.svg",
                   plot(w.exports.plot_title(), "B compared with A", compare_plots(w.core.state.status), 2));
}

constexpr auto kComparisonCommands = std::to_array<WindowCommand>({
    line(Command::kCompare, toggle_compare, GLFW_KEY_X, "X", "start, end a comparison with a second simulation"),
    line(Command::kFlip, flip, GLFW_KEY_Y, "Y", "in a comparison, switch between A and B"),
    listed("Write the comparison as CSV", button(Command::kExportCompare, export_compare)),
    listed("Plot the comparison as SVG", button(Command::kPlotCompare, plot_compare)),
});

constexpr auto kComparisonPanels = std::to_array<PanelEntry>({
    {"compare", PanelGroup::kMeasure, "Compare", compare_panel, "A second simulation next to the first"},
});

nlohmann::json compare_json(const UiState& state) {
    const CompareStatus& c = state.status.compare;
    const bool known = c.divergence.has_value();
    return {{"on", c.on},
            {"engine", c.settings.engine.engine},
            {"backend", std::string{name(c.settings.engine.backend)}},
            {"precision", std::string{name(c.settings.engine.precision)}},
            {"theta", c.settings.engine.tree.theta},
            {"softening", c.settings.softening},
            {"dt_power", c.settings.dt_power},
            {"serial", c.serial},
            {"force_ms", c.force.count > 0 ? nlohmann::json(c.force.median * 1e3) : nlohmann::json()},
            {"sim_time", c.time},
            {"rms", known ? nlohmann::json(c.divergence->rms) : nlohmann::json()},
            {"max", known ? nlohmann::json(c.divergence->max) : nlohmann::json()},
            {"points", c.history.size()},
            {"energies", {c.energy_a.size(), c.energy_b.size()}},
            {"mode", std::string{compare_modes()[static_cast<std::size_t>(state.comparison.view.mode)].id}},
            {"divider", state.comparison.view.divider},
            {"show_b", state.comparison.view.show_b},
            {"plots", state.comparison.view.plots}};
}

/// For a comparison: labels, divider, plots.
void compare_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    const DarkColors dark;
    const CompareStatus& c = state.status.compare;
    if (!c.on) return;
    if (!state.plots.large.empty()) {  // covers all of this
        for (const PlotPanel& plot : compare_plots(state.status)) keep_large(ui, plot);
        return;
    }
    const float gap = kOverlayGap * ui.scale(), screen = ImGui::GetIO().DisplaySize.x;
    const float sidebar = sidebar_width(state, ui.scale()), top = gap + groups_height(state, ui.scale());
    const ComparePanes panes =
        compare_panes(state.comparison.view, static_cast<int>(screen), static_cast<int>(sidebar));
    const auto x = static_cast<float>(panes.divider);
    const std::string a =
        c.of_series ? phrase("A: snapshots") : engine_text("A", state.status.engine.config, state.status.force.timing);
    const std::string b = engine_text("B", c.settings.engine, c.force);
    switch (state.comparison.view.mode) {
        case CompareMode::kSplit:
        case CompareMode::kWipe:
            badge("badge A", a, kColorOfA, x - gap, top, 1, x - sidebar - 2 * gap);
            badge("badge B", b, kColorOfB, std::max(x, sidebar) + gap, top, 0, screen - std::max(x, sidebar) - 2 * gap);
            divider(ui, state, panes, requests);
            break;
        case CompareMode::kDifference:
            badge("badge B", b, kColorOfB, sidebar + gap, top, 0, screen - sidebar - 2 * gap);
            distance_scale(ui, state, sidebar + gap, top + 3 * ImGui::GetTextLineHeight());
            break;
        case CompareMode::kFlip:
            badge("badge", state.comparison.view.show_b ? b : a, state.comparison.view.show_b ? kColorOfB : kColorOfA,
                  sidebar + gap, top, 0, screen - sidebar - 2 * gap);
            break;
    }
    if (state.comparison.view.plots && state.layout.panels) plot_window(ui, state);
}

void draw_compared(Window&, DrawnFrame& frame) {
    if (!frame.lab) compare_overlay(frame.ui, frame.state, frame.requests);
}

constexpr auto kComparisonOverlays = std::to_array<Overlay>({
    {Layer::kComparison, draw_compared},
});

void describe_comparison(nlohmann::json& map, const UiState& state) { map["compare"] = compare_json(state); }

}  // namespace

FeatureEntry comparison_feature() {
    return {.panels = kComparisonPanels,
            .commands = kComparisonCommands,
            .overlays = kComparisonOverlays,
            .describe = describe_comparison};
}

}  // namespace orrery
