// SPDX-License-Identifier: MIT
#include "app/ui/diagnostics_history.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

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
