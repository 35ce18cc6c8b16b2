// SPDX-License-Identifier: MIT
#include "app/ui/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

std::optional<double> size(std::optional<double> value) {
    return value ? std::optional{std::abs(*value)} : std::nullopt;
}

std::string field(std::optional<double> value) { return value ? fmt::format("{:.6g}", *value) : std::string{}; }

}  // namespace

void History::add(double seconds, double frame_ms, double ui_ms, const Status& status) {
    longest_ms_ = std::max(longest_ms_, frame_ms);
    if (!samples_.empty() && seconds - samples_.back().seconds < kPeriod) return;
    HistorySample sample{.seconds = seconds, .frame_ms = longest_ms_, .ui_ms = ui_ms};
    if (status.force.timing.count > 0) sample.force_ms = 1e3 * status.force.timing.median;
    sample.energy = size(status.energy.drift());
    sample.momentum = size(status.structure.momentum_drift());
    if (status.force.error) sample.error = status.force.error->rms;
    sample.time = status.time;
    sample.scene_serial = status.scene.serial;
    samples_.push_back(sample);
    longest_ms_ = 0;
    while (seconds - samples_.front().seconds > kSpan) samples_.pop_front();
}

std::string history_csv(const History& history) {
    std::string text =
        "wall_seconds,scene_time,scene_serial,frame_ms,ui_cpu_ms,force_ms,energy_drift,momentum_drift,rms_error\n";
    for (const HistorySample& s : history.samples())
        text += fmt::format("{:.3f},{:.9g},{},{:.3f},{:.3f},{},{},{},{}\n", s.seconds, s.time, s.scene_serial,
                            s.frame_ms, s.ui_ms, field(s.force_ms), field(s.energy), field(s.momentum), field(s.error));
    return text;
}

}  // namespace orrery
