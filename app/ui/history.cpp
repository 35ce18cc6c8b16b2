// SPDX-License-Identifier: MIT
#include "app/ui/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

std::string field(std::optional<double> value) { return value ? fmt::format("{:.6g}", *value) : std::string{}; }

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

}  // namespace orrery
