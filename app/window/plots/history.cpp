// SPDX-License-Identifier: MIT
#include "app/window/plots/history.hpp"
#include "app/window/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "app/picture/format.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"
#include "app/window/plots/pages.hpp"
#include "app/window/plots/power.hpp"
#include "app/window/plots/roofline.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

std::string field(std::optional<double> value) { return value ? fmt::format("{:.6g}", *value) : std::string{}; }

/// The samples with now at the right end; `of_scene` leaves out those of other scenes.
PlotPanel over_wall_time(const History& history, const char* title, const char* unit, bool of_scene,
                         std::vector<PlotCurve> curves,
                         std::initializer_list<std::optional<double> (*)(const HistorySample&)> values) {
    double first = -10;
    const auto& samples = history.samples();
    for (const HistorySample& sample : samples) {
        if (of_scene && sample.scene_serial != samples.back().scene_serial) continue;
        const double ago = sample.seconds - samples.back().seconds;
        for (std::size_t i = 0; i < curves.size(); ++i)
            if (const auto value = values.begin()[i](sample))
                curves[i].points.push_back({ago, *value}), first = std::min(first, ago);
    }
    return {.title = title,
            .x_label = "seconds ago",
            .y_label = unit,
            .curves = std::move(curves),
            .marks = {},
            .reference = std::nullopt,
            .log_y = true,
            .x_ends = PlotRange{first, 0},
            .y_if_empty = {1e-3, 1}};
}

PlotCurve history_curve(std::size_t i, const char* name, const char* label) {
    using namespace okabe_ito;
    struct Ink {
        const char *paper, *bright;
    };
    constexpr std::array kInks{Ink{kBlue, kSkyBlue}, Ink{kOrange, kOrange}, Ink{kGreen, kGreen}};
    return {
        .label = label, .color = kInks[i].paper, .dashes = {}, .points = {}, .name = name, .bright = kInks[i].bright};
}

constexpr float kHistoryHeight = 104;  // pixels at scale 1
constexpr double kLongForce = 0.5;     // seconds; longer evaluations show a progress bar

/// Median and spread have a line each: together they would sometimes wrap, and move what is below under the mouse.
std::string spread_text(const Timing& force) {
    return phrase("{} to {}", milliseconds_text(force.low), milliseconds_text(force.high));
}

/// Both lines are always drawn, unless there is a reason against both.
void power_figures(Widgets& ui, const UiState& state) {
    const Status& s = state.status;
    const PowerState& power = state.own.of<PowerState>();
    if (!power.why_not.empty()) return ui.note(phrase("No power and energy: {}", verbatim(power.why_not)));
    ui.value(
        "Power", power.watts ? fmt::format("{:.3g} W", *power.watts) : "–",
        phrase("Mean power of the last second of the device that evaluates the forces, with all its other work ({})",
               power.counter.empty() ? "–" : power.counter));
    const bool pairs = sums_all_pairs(s.engine.config, s.engine.report);
    std::string work = "–";
    if (power.bodies_per_joule && pairs)
        work = phrase("{} pairs", short_number(static_cast<double>(s.bodies) * *power.bodies_per_joule));
    else if (power.bodies_per_joule)
        work = phrase("{} bodies", short_number(*power.bodies_per_joule));
    ui.value("Per joule", work,
             "Accelerations computed per joule, over at least ten evaluations or ten seconds; times N for an engine "
             "that sums all pairs. Unknown while paused, in a comparison, and with several processes");
}

void bound_figures(Widgets& ui, const UiState& state, UiRequests& requests) {
    const RooflineState& roofline = state.own.of<RooflineState>();
    const Status& s = state.status;
    const auto bound = pairs_bound(state);
    const bool known = bound && s.force.pairs_per_second > 0;
    ui.value("Bound",
             known ? phrase("{:.0f} % of {}", 100 * s.force.pairs_per_second / *bound, rate_text(*bound, "/s"))
                   : std::string{"–"},
             "Pairs per second, as a share of what the device can compute at most: the slowest of its multiply-adds, "
             "inverse roots and memory, for the arithmetic of a pair of equal masses");
    std::string_view why_not;
    if (!has_bound(s))
        why_not = "Only direct and half have a bound: in gravity, in single and double precision, in one process";
    else if (roofline.measuring)
        why_not = "Being measured";
    else if (!s.pace.paused)
        why_not = "Pause first: the simulation would disturb the measurement";
    if (ui.button("Measure the bound",
                  "Measures multiply-adds, inverse roots and memory traffic of the device, for about "
                  "a second",
                  column_width(1), why_not))
        requests.change([](UiState& now) { now.own.of<RooflineState>().wanted = true; });
    if (!roofline.why_not.empty()) ui.note(phrase("No bound: {}", roofline.why_not));
}

/// The current figures.
void performance_figures(Widgets& ui, const UiState& state) {
    const Status& s = state.status;
    ui.value("Window", phrase("{:.0f} fps", state.performance.ui_fps),
             "Frames per second of the window, over the last second");
    ui.value("Bodies", grouped(s.bodies));
    const std::string rate =
        s.pace.paused ? phrase("paused") : (s.pace.reversed ? "−" : "") + rate_text(s.pace.steps_per_second, "/s");
    if (s.source.series.on)
        ui.value("Steps", "none: a series is played", "The bodies come from files, not from steps");
    else
        ui.value("Steps", phrase("{}, {} done", rate, grouped(s.step)),
                 "Steps of dt per second of wall time, and since the start of the scene");
    ui.value("Time", in_local_unit(clock_text(s.time, s.scene.days_per_time, s.scene.scale_factor)),
             "Simulated time, in the units of the scene");
    const bool timed = s.force.timing.count > 0;
    ui.value("Force", timed ? milliseconds_text(s.force.timing.median) : "–",
             "Time of one evaluation of all forces: median of the last 64");
    if (sums_all_pairs(s.engine.config, s.engine.report))
        ui.value("Pairs", rate_text(s.force.pairs_per_second, "/s"),
                 phrase("N² divided by the median force time, whatever symmetry the engine exploits; {} GFLOP/s at 20 "
                        "floating-point operations a pair, as GPU Gems 3 counts",
                        short_number(gflops(s.force.pairs_per_second))));
    else
        ui.value(
            "Rate",
            timed ? phrase("{} bodies/s", short_number(static_cast<double>(s.bodies) / s.force.timing.median)) : "–",
            "Bodies divided by the median force time: this engine does not sum all pairs");
    // Always draw this line: what is below must not jump under the mouse.
    constexpr std::string_view tip = "Progress of the current evaluation, if it takes longer than half a second";
    if (s.force.progress > 0 && (s.force.timing.median > kLongForce || s.force.timing.count == 0))
        ui.progress("Progress", s.force.progress, tip);
    else
        ui.value("Progress", "–", tip);
}

}  // namespace

std::optional<double> magnitude(std::optional<double> value) {
    return value ? std::optional{std::abs(*value)} : std::nullopt;
}

void History::add(double seconds, double frame_ms, double ui_ms, const Status& status) {
    longest_ms_ = std::max(longest_ms_, frame_ms);
    if (!samples_.empty() && seconds - samples_.back().seconds < kPeriod) return;
    HistorySample sample{.seconds = seconds, .frame_ms = longest_ms_, .ui_ms = ui_ms};
    if (status.force.timing.count > 0) sample.force_ms = 1e3 * status.force.timing.median;
    sample.energy = magnitude(status.energy.drift());
    sample.momentum = magnitude(status.structure.momentum_drift());
    if (status.force.error) sample.error = status.force.error->rms;
    sample.time = status.time;
    sample.scene_serial = status.scene.serial;
    samples_.push_back(sample);
    longest_ms_ = 0;
    while (seconds - samples_.front().seconds > kSpan) samples_.pop_front();
}

std::vector<PlotPanel> history_plots(const History& history) {
    using Sample = HistorySample;
    return {over_wall_time(
                history, "Times", "ms", false,
                {history_curve(0, "frame", "longest frame"), history_curve(1, "force", "one force evaluation"),
                 history_curve(2, "UI", "UI, CPU time")},
                {[](const Sample& s) { return std::optional{s.frame_ms}; }, [](const Sample& s) { return s.force_ms; },
                 [](const Sample& s) { return std::optional{s.ui_ms}; }}),
            over_wall_time(history, "Errors", "relative", true,
                           {history_curve(0, "energy", "energy: |E − E0| / |E0|"),
                            history_curve(1, "momentum", "momentum: |P − P0| / Σ m|v|"),
                            history_curve(2, "force", "force: relative RMS")},
                           {[](const Sample& s) { return s.energy; }, [](const Sample& s) { return s.momentum; },
                            [](const Sample& s) { return s.error; }})};
}

std::string history_csv(const History& history) {
    std::string text =
        "wall_seconds,scene_time,scene_serial,frame_ms,ui_cpu_ms,force_ms,energy_drift,momentum_drift,rms_error\n";
    for (const HistorySample& s : history.samples())
        text += fmt::format("{:.3f},{:.9g},{},{:.3f},{:.3f},{},{},{},{}\n", s.seconds, s.time, s.scene_serial,
                            s.frame_ms, s.ui_ms, field(s.force_ms), field(s.energy), field(s.momentum), field(s.error));
    return text;
}

DiagnosticsSample& DiagnosticsHistory::at_step(std::int64_t step, double time) {
    const auto place = std::ranges::lower_bound(samples_, step, {}, &DiagnosticsSample::step);
    if (place != samples_.end() && place->step == step) return *place;
    return *samples_.insert(place, {.step = step, .time = time});
}

void DiagnosticsHistory::add(const Status& status) {
    if (status.scene.serial != scene_) {
        *this = {};
        scene_ = status.scene.serial;
    }
    while (!samples_.empty() && samples_.back().step > status.step) samples_.pop_back();
    const StructureStatus& s = status.structure;
    if (s.now && s.serial != structure_ && s.step <= status.step) {
        DiagnosticsSample& sample = at_step(s.step, s.time);
        sample.structure = s.now;
        sample.momentum_drift = s.momentum_drift(), sample.angular_drift = s.angular_momentum_drift();
        sample.centre_drift = s.centre_drift();
        structure_ = s.serial;
    }
    if (status.energy.now && status.energy.taken != energy_ && status.energy.step <= status.step) {
        DiagnosticsSample& sample = at_step(status.energy.step, status.energy.time);
        sample.energy = status.energy.now, sample.energy_drift = status.energy.drift();
        energy_ = status.energy.taken;
    }
    if (samples_.size() <= kMost) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < samples_.size(); i += 2) samples_[kept++] = std::move(samples_[i]);
    samples_.resize(kept);
}

NumberTable diagnostics_table(const DiagnosticsHistory& history) {
    NumberTable table;
    table.columns.assign(diagnostics_columns().begin(), diagnostics_columns().end());
    for (const char* drift : {"energy_drift", "momentum_drift", "angular_drift", "centre_drift"})
        table.columns.emplace_back(drift);
    for (const DiagnosticsSample& s : history.samples()) {
        table.rows.push_back(diagnostics_values(s.step, s.time, s.energy ? &*s.energy : nullptr, s.structure.get()));
        for (const auto& drift : {s.energy_drift, s.momentum_drift, s.angular_drift, s.centre_drift})
            table.rows.back().push_back(drift);
    }
    return table;
}

std::string diagnostics_csv(const DiagnosticsHistory& history) {
    const NumberTable table = diagnostics_table(history);
    std::string text = fmt::format("{}\n", fmt::join(table.columns, ","));
    for (const auto& row : table.rows) text += csv_fields(row) + '\n';
    return text;
}

void history_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    performance_figures(ui, state);
    ImGui::Spacing();
    const std::vector<PlotPanel> plots = history_plots(state.performance.history);
    constexpr std::array kTips{
        "Times in ms over the last five minutes. Frame: the longest frame; force: one evaluation, median of 64; UI: "
        "CPU time of panels and overlays per frame, median of 64",
        "Relative errors since the scene began. Energy: |E − E0| / |E0|; momentum: |P − P0| / Σ m|v|; both in double "
        "precision. Force: relative RMS error against the double-precision reference, over sampled bodies"};
    for (std::size_t i = 0; i < plots.size(); ++i) {
        plot_canvas(ui, plots[i], kHistoryHeight, kTips[i]);
        plot_legend(plots[i], ui.scale());
        ImGui::Spacing();
    }
    const float half = column_width(2);
    if (ui.button("Export CSV",
                  "Writes all samples of these plots, four per second, as a table into the current folder", half))
        requests.ask(Command::kExportHistory);
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes these plots into the current folder", half))
        requests.ask(Command::kPlotHistory);
    if (!advanced(ui, "history", state, requests)) return;
    const Timing& timing = state.status.force.timing;
    ui.value("Spread", timing.count > 0 ? spread_text(timing) : "–",
             "10th to 90th percentile of the last 64 evaluations");
    power_figures(ui, state);
    bound_figures(ui, state, requests);
}

}  // namespace orrery
