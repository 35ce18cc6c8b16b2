// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/options.hpp"
#include "app/picture/format.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/gl/info.hpp"
#include "core/gl/sharing.hpp"
#include "core/physics/opening.hpp"
#include "core/simulation/force_evaluation.hpp"

namespace orrery {
namespace {

/// The plot of error and time over the opening angle.
struct ThetaPlot {
    bool shown = false;  ///< once it exists
};

constexpr double kFirstAccuracy = 1e-3, kFirstTheta = 0.6;  // initial values of a criterion that is chosen
constexpr double kThetaOfLocks = 0.5;                       // default of engines with θ only
constexpr double kDefaultAlpha = 0.01;

enum class Rule { kNone, kAccuracy, kAlpha, kTheta };

/// The engine `auto` may work without a tree; it uses one only if an acceptable error is given.
Rule rule_of(const TreeConfig& tree, const EngineEntry& entry) {
    if (tree.theta > 0) return Rule::kTheta;
    if (tree.alpha > 0) return Rule::kAlpha;
    return tree.accuracy > 0 || entry.id != "auto" ? Rule::kAccuracy : Rule::kNone;
}

/// The same tree with another criterion; α keeps the accuracy about the same.
void change_rule(TreeConfig& tree, const EngineEntry& entry, Rule rule) {
    const double accuracy = tree.accuracy > 0 ? tree.accuracy : kFirstAccuracy;
    tree.accuracy = tree.alpha = tree.theta = 0;
    if (rule == Rule::kAccuracy) tree.accuracy = accuracy;
    if (rule == Rule::kAlpha)
        tree.alpha = entry.has(Capability::kGroups)
                         ? alpha_for(accuracy, tree.order == 1 ? 1 : 2)
                         : fmm_choice({.accuracy = accuracy, .order = tree.order}, entry.backend, 0).alpha();
    if (rule == Rule::kTheta) tree.theta = kFirstTheta;
}

bool rule_combo(Widgets& ui, TreeConfig& tree, const EngineEntry& entry) {
    struct Line {
        Rule rule;
        const char *label, *doc;
    };
    static constexpr auto menu = std::to_array<Line>({
        {Rule::kNone, "none: exact engines only", "Only engines that sum all pairs are tried"},
        {Rule::kAccuracy, "relative, by accuracy",
         "A cell is opened if its estimated error exceeds a fraction α of the acceleration of the group; α follows "
         "from the requested accuracy"},
        {Rule::kAlpha, "relative, by α", "The same with your own α"},
        {Rule::kTheta, "geometric, by θ",
         "A cell is opened if it is seen under an angle larger than θ (Barnes & Hut 1986)"},
    });
    const auto offered = std::span{menu}.subspan(entry.id == "auto" ? 0 : 1);
    Rule rule = rule_of(tree, entry);
    if (!menu_combo(ui, "Opening", offered, rule, &Line::rule,
                    "Multipole acceptance criterion (MAC): when a cell is opened instead of accepted"))
        return false;
    change_rule(tree, entry, rule);
    return true;
}

/// Slider for the value of a criterion; `shown` is displayed while the value is 0, because another criterion is in
/// force.
bool value_slider(Widgets& ui, EngineConfig& config, std::string_view id, double shown, double standard) {
    const EngineSetting& value = setting(engine_settings(), id);
    const double now = to_number(value.member.get(config));
    return setting_control(ui, value, config, now > 0 ? now : shown, standard);
}

bool theta_slider(Widgets& ui, EngineConfig& config) {
    return value_slider(ui, config, "theta", kThetaOfLocks, kFirstTheta);
}

bool rule_slider(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    switch (rule_of(config.tree, entry)) {
        case Rule::kNone:
            return false;
        case Rule::kTheta:
            return theta_slider(ui, config);
        case Rule::kAlpha:
            return value_slider(ui, config, "alpha", kDefaultAlpha, kDefaultAlpha);
        case Rule::kAccuracy:
            break;
    }
    return value_slider(ui, config, "accuracy", kFirstAccuracy, kFirstAccuracy);
}

/// For `entry`, an engine with a tree: acceptance criterion and its value, order of the expansion, leaf and group
/// sizes. Returns whether `config` was edited.
bool tree_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    ImGui::Spacing();
    if (entry.opens_by_theta_alone()) return theta_slider(ui, config);
    bool edited = rule_combo(ui, config.tree, entry);
    if (rule_of(config.tree, entry) == Rule::kNone) return edited;
    edited |= rule_slider(ui, config, entry);
    for (const EngineSetting& each : engine_settings())
        if (each.info.group == &kTreeGroup && each.info.instead_of.empty() && reads(entry, each.info))
            edited |= setting_control(ui, each, config);
    return edited;
}

/// Tooltip of a menu entry.
std::string tip_of(const EngineEntry& entry) {
    const std::string key = key_tip(entry.id);
    return key.empty() ? std::string{entry.doc} : translated(fmt::format("{} {}", tr(entry.doc), key));
}

/// Lists each engine once: on the current backend if it can run there, otherwise on another.
bool engine_combo(Widgets& ui, EngineConfig& config) {
    const EngineMenu menu;
    const EngineEntry* now = menu.find(config.engine, config.backend);
    if (!ui.begin_combo("Engine", now ? now->label : std::string_view{config.engine},
                        phrase("How the forces are computed. Keys 1 to {}", engine_keys().size())))
        return false;
    bool edited = false;
    std::string_view last;
    for (const EngineEntry& entry : menu.entries) {
        if (entry.id == last) continue;
        last = entry.id;
        const EngineChange change = to_engine(config, entry.id, menu);
        if (!ui.choice(entry.label, entry.id == config.engine, tip_of(entry), change.possible ? "" : change.words))
            continue;
        config = change.config;
        edited = true;
    }
    ui.end_combo();
    return edited;
}

bool backend_combo(Widgets& ui, EngineConfig& config) {
    const SettingInfo& info = setting(engine_settings(), "backend").info;
    if (!ui.begin_combo(info.label, name(config.backend), tip_of(info))) return false;
    const EngineMenu menu;
    bool edited = false;
    for (const Backend backend : backends())
        if (ui.choice(name(backend), backend == config.backend, "", menu.refusal(config.engine, backend)))
            change_engine(config, *menu.find(config.engine, backend)), edited = true;
    ui.end_combo();
    return edited;
}

/// The OpenGL device that computes, or a list of those that may.
void gl_device_combo(Widgets& ui, const UiState& state, UiRequests& requests) {
    constexpr std::string_view kLabel = "OpenGL device",
                               kTip = "The GPU of engines on gl. If it is the one that draws, frames need no copy";
    const auto text_of = [](const GlDeviceInfo& device) {
        return verbatim(device.renderer.empty() ? device.place : device.renderer + ", " + device.place);
    };
    const std::vector<GlDeviceInfo>& devices = gl_compute_info().devices;
    if (devices.empty()) return;
    if (devices.size() == 1) {
        ui.value(kLabel, text_of(devices.front()), kTip);
    } else if (ui.begin_combo(kLabel, text_of(devices.front()), kTip)) {
        for (const GlDeviceInfo& device : devices)
            if (ui.choice(text_of(device), &device == &devices.front(), "", device.refused ? device.why_not : ""))
                requests.ask(SetGlDevice{choice_of(device)});
        ui.end_combo();
    }
    const bool copied = state.performance.way != name_of(SharedBuffer::Way::kShared);
    ui.value("Frames",
             copied ? phrase("copied: {}", if_known(gl::why_frames_are_copied())) : std::string{tr("not copied")},
             "Whether the picture is drawn from the buffers of the engine");
}

bool precision_combo(Widgets& ui, EngineConfig& config) {
    const SettingInfo& info = setting(engine_settings(), "precision").info;
    if (!ui.begin_combo(info.label, name(config.precision), tip_of(info))) return false;
    bool edited = false;
    for (const Precision precision : precisions())
        if (offers(engine(config.engine, config.backend), precision) &&
            ui.choice(name(precision), precision == config.precision, doc(precision)))
            config.precision = precision, edited = true;
    ui.end_combo();
    return edited;
}

/// All settings of a group that this engine reads.
bool group_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry, const SettingGroup& group) {
    bool edited = false;
    ui.heading(group.label);
    for (const EngineSetting& setting : engine_settings())
        if (setting.info.group == &group && reads(entry, setting.info)) edited |= setting_control(ui, setting, config);
    return edited;
}

/// For engines that walk the half matrix.
bool repeats_knob(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    if (entry.has_deterministic_mode()) return setting_control(ui, setting(engine_settings(), "deterministic"), config);
    if (entry.same_bits) ui.note("On this backend results are always bitwise identical.");
    return false;
}

// M. Okabe & K. Ito, "Color Universal Design", 2008: distinguishable with any kind of colour vision.
constexpr auto kPhaseColors =
    std::to_array<ImU32>({IM_COL32(86, 180, 233, 255), IM_COL32(230, 159, 0, 255), IM_COL32(0, 158, 115, 255),
                          IM_COL32(204, 121, 167, 255), IM_COL32(213, 94, 0, 255), IM_COL32(240, 228, 66, 255)});
constexpr float kBarHeight = 14, kSwatch = 10;  // pixels at scale 1

ImU32 color_of(std::size_t phase) { return kPhaseColors[phase % kPhaseColors.size()]; }

std::string phase_text(const Phase& phase, double total) {
    return fmt::format("{}: {}, {:.0f} %", if_known(phase.name), milliseconds_text(phase.seconds),
                       total > 0 ? 100 * phase.seconds / total : 0);
}

void bar(Widgets& ui, const EngineReport& report, double total) {
    const float width = ImGui::GetContentRegionAvail().x, height = kBarHeight * ui.scale();
    const bool hovered = ui.canvas("Phases", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    float left = at.x;
    for (std::size_t i = 0; i < report.phases.size(); ++i) {
        const float right = left + width * static_cast<float>(report.phases[i].seconds / total);
        draw.AddRectFilled({left, at.y}, {std::max(left + 1, right - ui.scale()), at.y + height}, color_of(i));
        const float mouse = ImGui::GetMousePos().x;
        if (hovered && mouse >= left && mouse < right)
            ImGui::SetTooltip("%s", phase_text(report.phases[i], total).c_str());
        left = right;
    }
}

/// Swatch, name and time of each phase, two in a row.
void legend(const Widgets& ui, const EngineReport& report) {
    const float left = ImGui::GetCursorPosX(), column = ImGui::GetContentRegionAvail().x / 2;
    const float swatch = kSwatch * ui.scale();
    for (std::size_t i = 0; i < report.phases.size(); ++i) {
        const float x = left + column * static_cast<float>(i % 2);
        if (i % 2 == 1) ImGui::SameLine();
        ImGui::SetCursorPosX(x);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float top = at.y + (ImGui::GetTextLineHeight() - swatch) / 2;
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + swatch, top + swatch}, color_of(i));
        ImGui::SetCursorPosX(x + 1.6f * swatch);
        const std::string name{if_known(report.phases[i].name)}, time = milliseconds_text(report.phases[i].seconds);
        write_text(name);
        ImGui::SameLine(x + column - text_width(time) - 1.6f * swatch);
        write_dim(time);
    }
}

std::string count_text(double number) { return grouped(std::llround(number)); }

/// Measurements of the last evaluation: phases as a stacked bar, interactions, and the tree; nothing for engines
/// without them.
void engine_figures(Widgets& ui, const EngineReport& report) {
    double total = 0;
    for (const Phase& phase : report.phases) total += phase.seconds;
    if (total > 0) {
        ImGui::Spacing();
        bar(ui, report, total);
        legend(ui, report);
    }
    if (report.with_bodies + report.with_cells > 0)
        ui.value("Interactions",
                 phrase("{} per body ({} bodies, {} cells)", count_text(report.with_bodies + report.with_cells),
                        count_text(report.with_bodies), count_text(report.with_cells)),
                 "Mean over all bodies: interactions with single bodies, and with accepted cells");
    if (report.cells > 0) {
        ui.value("Cells", phrase("{}, {} leaves", grouped(report.cells), grouped(report.leaves)),
                 "Cells of the tree, and the leaves among them");
        if (report.groups > 0)
            ui.value("Groups", phrase("{}, {} levels", grouped(report.groups), report.levels),
                     "Groups of neighbouring bodies that share a walk; levels of the tree, including the root");
        else
            ui.value("Levels", grouped(report.levels), "Of the tree, including the root");
    }
}

/// accuracy_text(), translated if the criterion has no limit to explain.
std::string accuracy_phrase(const Acceptance& acceptance, const EngineConfig& engine, double asked) {
    const bool plain = acceptance.measured() && acceptance.limit == AcceptanceLimit::kNone &&
                       accuracy_missed(acceptance, engine, asked).empty();
    return plain ? phrase("{:.1e} measured, {:g} requested, criterion × {:.3g}", acceptance.error, asked,
                          acceptance.factor)
                 : accuracy_text(acceptance, engine, asked);
}

constexpr float kThetaButton = 124;  // pixels at scale 1

/// On the same line as the previous item.
void theta_button(Widgets& ui, const UiState& state, UiRequests& requests) {
    const bool running = state.status.force.theta_sweep.running;
    const float width = kThetaButton * ui.scale();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (!ui.button(
            "Error against θ",
            "Measures error and time of the tree over its opening angle, for the current bodies, in the background",
            width, running ? "being measured" : ""))
        return;
    requests.ask(MeasureTheta{true});
    requests.change([](UiState& now) { now.own.of<ThetaPlot>().shown = true; });
}

/// The page of a cloud, for which no forces are computed.
void cloud_page(Widgets& ui, const CloudStatus& cloud) {
    ui.note("Clouds are view-only: open the original snapshot to simulate it.");
    ui.value("Bodies", grouped(cloud.bodies), "Bodies of the file");
    ui.value("Drawn", grouped(cloud.shown), "Bodies that are drawn now");
    ui.value("Stand for", grouped(cloud.stands_for), "Bodies in the visible cells");
    ui.value("One for", phrase("{:.3g} at most", cloud.most),
             "Largest number of bodies that one drawn body represents");
    ui.value("Apart", phrase("{:.3g} pixels", cloud.spacing),
             "Distance between drawn bodies in the coarsest cell that is not drawn in full; finer details are sampled");
    ui.value("Cells", grouped(cloud.cells), "Cells of the octree in the picture");
    ui.value("Memory", fmt::format("{:.0f} MB", 1e-6 * static_cast<double>(cloud.memory)),
             "Memory of the cells read so far");
    if (cloud.reading) ui.note("Finer cells are being read.");
    if (cloud.full) ui.note("Finer cells are left out; the page View sets the largest number of bodies.");
}

constexpr float kThetaMostWidth = 860, kThetaLeastWidth = 420, kThetaHeight = 290;  // pixels at scale 1

/// True if the current engine can be shown among the points, which must have the same number of bodies.
bool comparable(const Status& status) {
    return status.force.error && status.force.timing.count > 0 && status.bodies == status.force.theta_sweep.bodies;
}

/// The points by order of the expansions, and the current engine: error over θ, or error over time in ms.
std::vector<PlotCurve> error_curves(const Status& status, bool over_time) {
    struct Series {
        int order;
        const char *name, *color;
        Marker marker;
    };
    using namespace okabe_ito;
    constexpr auto kSeries = std::to_array<Series>({{1, "monopoles", kOrange, Marker::kCircle},
                                                    {2, "quadrupoles", kSkyBlue, Marker::kSquare},
                                                    {4, "order 4", kOrange, Marker::kCircle},
                                                    {6, "order 6", kSkyBlue, Marker::kSquare}});
    std::vector<PlotCurve> curves;
    for (const Series& series : kSeries) {
        PlotCurve curve{
            .label = series.name, .color = series.color, .dashes = {}, .points = {}, .marker = series.marker};
        for (const ThetaPoint& point : status.force.theta_sweep.points)
            if (point.order == series.order)
                curve.points.push_back({over_time ? 1e3 * point.seconds : point.theta, point.error.rms});
        if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
    if (!comparable(status)) return curves;
    PlotCurve now{
        .label = "current engine", .color = "#ffffff", .dashes = {}, .points = {}, .marker = Marker::kDiamond};
    const double theta = status.engine.config.tree.theta;
    if (over_time || theta > 0)
        now.points.push_back({over_time ? 1e3 * status.force.timing.median : theta, status.force.error->rms});
    curves.push_back(std::move(now));
    return curves;
}

/// Error over θ and over time.
std::array<PlotPanel, 2> theta_plots(const UiState& state) {
    PlotPanel over_time{.title = "Error over time",
                        .x_label = "time of one evaluation, ms",
                        .y_label = "relative RMS error",
                        .curves = error_curves(state.status, true),
                        .marks = {},
                        .reference = std::nullopt,
                        .log_x = true,
                        .log_y = true,
                        .y_if_empty = {1e-5, 1e-2}};
    PlotPanel over_theta = over_time;
    over_theta.title = "Error over the opening angle";
    over_theta.x_label = "opening angle θ", over_theta.log_x = false, over_theta.x_ends = PlotRange{0.25, 1.05};
    over_theta.curves = error_curves(state.status, false);
    if (over_time.curves.empty()) over_time.x_ends = PlotRange{1, 100};
    for (const PlotCurve& curve : over_time.curves)  // the same y axis, also without θ of the current engine
        for (const PlotPoint& point : curve.points) over_theta.y_shown.push_back(point.y);
    return {std::move(over_theta), std::move(over_time)};
}

/// Both, with one legend.
void draw_theta_plots(Widgets& ui, const std::array<PlotPanel, 2>& plots, float width, float height) {
    for (std::size_t i = 0; i < plots.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        plot_canvas(ui, plots[i], ImVec2{width / 2, height},
                    "A point for each opening angle and order that is measured");
    }
    plot_legend(plots[1], ui.scale());
    if (!plots[1].curves.empty()) ImGui::SameLine(0, 18 * ui.scale());
}

std::string sweep_text(const ThetaSweep& sweep) {
    if (!sweep.failure.empty()) return sweep.failure;
    if (sweep.points.size() == sweep.planned) return sweep.running ? phrase("timed once more") : "";
    const std::string of = phrase("{} of {}", sweep.points.size(), sweep.planned);
    return sweep.running ? of : of + ", " + phrase("stopped");
}

void theta_buttons(Widgets& ui, const ThetaSweep& sweep, UiRequests& requests) {
    const float width = 130 * ui.scale();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (sweep.running) {
        if (ui.button("Stop measuring", "The results so far are kept", width)) requests.ask(MeasureTheta{false});
    } else if (ui.button("Close plot", "The button in the Forces tab starts a new measurement", width)) {
        requests.change([](UiState& now) { now.own.of<ThetaPlot>().shown = false; });
    }
}

}  // namespace

bool engine_combos(Widgets& ui, EngineConfig& config) {
    bool edited = engine_combo(ui, config);
    edited |= backend_combo(ui, config);
    edited |= precision_combo(ui, config);
    return setting_control(ui, setting(engine_settings(), "compensated"), config) || edited;
}

bool engine_knobs(Widgets& ui, EngineConfig& config) {
    const EngineEntry* entry = EngineMenu{}.find(config.engine, config.backend);
    if (!entry) return false;
    bool edited = false;
    if (entry->has_tiles()) edited |= group_knobs(ui, config, *entry, kTileGroup);
    if (entry->walks_pairs() || entry->walks_triples()) edited |= group_knobs(ui, config, *entry, kMapGroup);
    if (entry->walks_pairs()) edited |= repeats_knob(ui, config, *entry);
    if (entry->has_tree()) edited |= tree_knobs(ui, config, *entry);
    return edited;
}

void engine_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (state.status.source.cloud.on) return cloud_page(ui, state.status.source.cloud);
    EngineConfig config = state.requested.engine;
    bool edited = engine_combos(ui, config);
    if (wants_double(state.status))
        ui.note("With so few bodies, double precision keeps the phase of the orbits longer.");
    edited |= engine_knobs(ui, config);
    const EngineEntry* entry = EngineMenu{}.find(config.engine, config.backend);
    if (edited) requests.ask(SetEngine{config});
    if (state.status.engine.config.backend == Backend::kGl) gl_device_combo(ui, state, requests);
    if (state.status.engine.ranks > 1)
        ui.value("Ranks", ranks_text(state.status.engine.ranks, state.status.engine.shared),
                 "Processes that MPI has started. The first one has this window; the others compute forces with it, "
                 "where the engine can share them");
    if (!state.status.engine.choice.empty())
        ui.value("Chosen", verbatim(state.status.engine.choice),
                 "Settings that the engine chose for this number of bodies");
    if (entry && entry->has_tree()) ImGui::AlignTextToFramePadding();  // a button follows
    ui.value(
        "Force error",
        state.status.force.error ? phrase("{:.1e} rms", state.status.force.error->rms) : std::string{"being measured"},
        "Relative RMS error of the accelerations against the double-precision reference, over sampled bodies");
    if (entry && entry->has_tree()) theta_button(ui, state, requests);
    engine_figures(ui, state.status.engine.report);
    if (const double asked = state.status.force.accuracy_to_keep; asked > 0)
        ui.value("Accuracy", accuracy_phrase(state.status.force.acceptance, state.status.engine.config, asked),
                 "Relative RMS error at the last measurement, of a few hundred bodies against all pairs, the requested "
                 "error, and the factor by which the criterion is scaled to meet it");
}

namespace {

using namespace command_table;

void take_engine(Window& window, const EngineChange& change) {
    if (change.possible) window.scenes.use_engine(change.config);
    window.core.messages.notice(change.words, "Engine");
}

void choose_engine(Window& window, int key) {
    take_engine(window, to_engine(window.core.simulation.engine(), engine_keys()[static_cast<std::size_t>(key - 1)]));
}

void change_backend(Window& window, int) { take_engine(window, to_other_backend(window.core.simulation.engine())); }

void next_precision(Window& window, int) {
    EngineConfig config = window.core.simulation.engine();
    const EngineEntry& entry = engine(config.engine, config.backend);
    const auto menu = precisions();
    auto next = std::ranges::find(menu, config.precision);
    do next = next + 1 == menu.end() ? menu.begin() : next + 1;
    while (!offers(entry, *next));
    config.precision = *next;
    window.scenes.use_engine(config);
    window.core.messages.notice(phrase("Precision: {}", if_known(name(config.precision))));
}

constexpr auto kEngineCommands = std::to_array<WindowCommand>({
    unlisted(sign(line(Command::kEngine, choose_engine, GLFW_KEY_1, "1 to 8",
                       "engine direct, half, tree, auto, triplet, tree-locks, naive, fmm", 1))),
    sign(also(Command::kEngine, GLFW_KEY_2, 2)),
    sign(also(Command::kEngine, GLFW_KEY_3, 3)),
    sign(also(Command::kEngine, GLFW_KEY_4, 4)),
    sign(also(Command::kEngine, GLFW_KEY_5, 5)),
    sign(also(Command::kEngine, GLFW_KEY_6, 6)),
    sign(also(Command::kEngine, GLFW_KEY_7, 7)),
    sign(also(Command::kEngine, GLFW_KEY_8, 8)),
    line(Command::kBackend, change_backend, GLFW_KEY_B, "B", "switch the engine between GPU and CPU"),
    line(Command::kPrecision, next_precision, GLFW_KEY_ENTER, "Enter", "single, mixed or double precision"),
    also(Command::kPrecision, GLFW_KEY_KP_ENTER),
});

constexpr auto kEnginePanels = std::to_array<PanelEntry>({
    {"engine", PanelGroup::kCompute, "Forces", engine_panel,
     "How forces are computed: engine, backend, precision, and their settings"},
});

nlohmann::json report_json(const EngineReport& report) {
    nlohmann::json phases = nlohmann::json::object();
    for (const Phase& phase : report.phases) phases[std::string{phase.name}] = 1e3 * phase.seconds;
    return {{"phases_ms", phases},    {"with_bodies", report.with_bodies}, {"with_cells", report.with_cells},
            {"cells", report.cells},  {"leaves", report.leaves},           {"groups", report.groups},
            {"levels", report.levels}};
}

nlohmann::json tree_json(const EngineConfig& config) {
    nlohmann::json json = nlohmann::json::object();
    add_settings(json, engine_settings(), config, [](const SettingInfo& info) { return info.group == &kTreeGroup; });
    return json;
}

nlohmann::json sweep_json(const UiState& state) {
    const ThetaSweep& sweep = state.status.force.theta_sweep;
    return {{"points", sweep.points.size()},
            {"planned", sweep.planned},
            {"running", sweep.running},
            {"shown", state.own.of<ThetaPlot>().shown}};
}

/// Error and time of the tree over its opening angle, while the Forces tab is open.
void theta_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    const DarkColors dark;
    const ThetaSweep& sweep = state.status.force.theta_sweep;
    if (!state.own.of<ThetaPlot>().shown || state.layout.panel != "engine" || sweep.planned == 0) return;
    const std::array<PlotPanel, 2> plots = theta_plots(state);
    if (!state.plots.large.empty()) {  // covers them
        for (const PlotPanel& plot : plots) keep_large(ui, plot);
        return;
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float bar = kLegendColumn * ui.scale(), strip = kLegendStrip * ui.scale();
    const float width = std::min(screen.x - left - gap - bar, kThetaMostWidth * ui.scale());
    const float words = 3 * ImGui::GetTextLineHeightWithSpacing() + 2 * padding.y;
    const float height =
        std::min(kThetaHeight * ui.scale(), screen.y - 2 * gap - words - strip - transport_height(state, ui.scale()));
    if (width < kThetaLeastWidth * ui.scale() || height < 0.5f * kThetaHeight * ui.scale())
        return;  // too small to read
    const ImVec2 corner = lower_right(state, ui.scale());
    place_window({corner.x - bar, corner.y - strip}, {1, 1}, 0.86f);
    ImGui::SetNextWindowSize({width, 0});
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin(kThetaWindow, nullptr, flags)) {
        ImGui::AlignTextToFramePadding();
        write_text(phrase("Error against θ: {}, {} bodies", sweep.engine, grouped(sweep.bodies)));
        theta_buttons(ui, sweep, requests);
        draw_theta_plots(ui, plots, width - 2 * padding.x, height);
        write_dim(sweep_text(sweep));
    }
    ImGui::End();
}

void draw_theta(Window&, DrawnFrame& frame) {
    if (frame.state.layout.panels) theta_overlay(frame.ui, frame.state, frame.requests);
}

constexpr auto kEngineOverlays = std::to_array<Overlay>({
    {Layer::kDrawing, draw_theta},
});

void describe_engine(nlohmann::json& map, const UiState& state) {
    map["tree"] = tree_json(state.status.engine.config);
    map["report"] = report_json(state.status.engine.report);
    map["theta_sweep"] = sweep_json(state);
    const bool on_gl = state.status.engine.config.backend == Backend::kGl && gl_compute_info().available;
    map["gl_device"] = on_gl ? gl_compute_info().devices.front().place : "";
}

}  // namespace

FeatureEntry engine_feature() {
    return {
        .panels = kEnginePanels, .commands = kEngineCommands, .overlays = kEngineOverlays, .describe = describe_engine};
}

}  // namespace orrery
