// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/picture/format.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "core/physics/flop.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr double kLongForce = 0.5;  // seconds; longer evaluations show a progress bar

/// Median and spread have a line each: together they would sometimes wrap, and move what is below under the mouse.
std::string spread_text(const Timing& force) {
    return fmt::format("{} to {}", milliseconds_text(force.low), milliseconds_text(force.high));
}

}  // namespace

void performance_figures(Widgets& ui, const UiState& state) {
    const Status& s = state.status;
    ui.value("Window", phrase("{:.0f} fps", state.performance.ui_fps),
             "Frames per second of the window, over the last second");
    ui.value("Bodies", grouped(s.bodies));
    const std::string rate =
        s.paused ? std::string{tr("paused")} : (s.reversed ? "−" : "") + rate_text(s.steps_per_second, "/s");
    if (s.series.on)
        ui.value("Steps", "none: a series is played", "The bodies come from files, not from steps");
    else
        ui.value("Steps", phrase("{}, {} done", rate, grouped(s.step)),
                 "Steps of dt per second of wall time, and since the start of the scene");
    ui.value("Time", clock_text(s.time, s.days_per_time, s.scale_factor), "Simulated time, in the units of the scene");
    const bool timed = s.force.count > 0;
    ui.value("Force", timed ? milliseconds_text(s.force.median) : "–",
             "Time of one evaluation of all forces: median of the last 64");
    ui.value("Spread", timed ? spread_text(s.force) : "–", "10th to 90th percentile of the last 64 evaluations");
    if (sums_all_pairs(s.engine, s.engine_report))
        ui.value("Pairs", rate_text(s.pairs_per_second, "/s"),
                 phrase("N² divided by the median force time, whatever symmetry the engine exploits; {} GFLOP/s at 20 "
                        "floating-point operations a pair, as GPU Gems 3 counts",
                        short_number(gflops(s.pairs_per_second))));
    else
        ui.value("Rate",
                 timed ? phrase("{} bodies/s", short_number(static_cast<double>(s.bodies) / s.force.median)) : "–",
                 "Bodies divided by the median force time: this engine does not sum all pairs");
    // Always draw this line: what is below must not jump under the mouse.
    constexpr std::string_view tip = "Progress of the current evaluation, if it takes longer than half a second";
    if (s.force_progress > 0 && (s.force.median > kLongForce || s.force.count == 0))
        ui.progress("Progress", s.force_progress, tip);
    else
        ui.value("Progress", "–", tip);
}

}  // namespace orrery
