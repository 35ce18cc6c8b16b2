// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "core/audit/audit.hpp"
#include "core/plot/plot.hpp"

namespace orrery {
namespace {

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string{c};
    return safe;
}

double length_of(Vec3d v) { return std::sqrt(dot(v, v)); }

std::string figures(const Audit& audit) {
    const SnapshotAudit& first = audit.snapshots.front();
    PlotPanel drift{.title = "Drift since the first snapshot", .x_label = "time", .y_label = "relative change"};
    drift.reference.reset(), drift.log_y = true, drift.x_from_zero = false;
    PlotCurve energy{.label = "energy", .color = okabe_ito::kBlue},
        momentum{.label = "momentum over Σ m|v|", .color = okabe_ito::kVermilion};
    for (const SnapshotAudit& each : audit.snapshots) {
        energy.points.push_back({each.time, std::abs(each.energy_change(first))});
        momentum.points.push_back({each.time, length_of(each.momentum - first.momentum) / first.momentum_scale});
    }
    drift.curves = {energy, momentum};
    PlotPanel errors{.title = "Between snapshots", .x_label = "time", .y_label = "share that is not explained"};
    errors.reference = IntervalAudit::kResolved, errors.log_y = true, errors.x_from_zero = false;
    PlotCurve positions{.label = "positions by velocities", .color = okabe_ito::kBlue},
        velocities{.label = "velocities by forces", .color = okabe_ito::kVermilion},
        recomputed{.label = "recomputed motion", .color = okabe_ito::kGreen};
    for (const IntervalAudit& each : audit.intervals) {
        const double middle = 0.5 * (each.from + each.to);
        positions.points.push_back({middle, each.position_error});
        velocities.points.push_back({middle, each.velocity_error});
        if (each.recomputed_share) recomputed.points.push_back({middle, *each.recomputed_share});
    }
    errors.curves = {positions, velocities};
    if (!recomputed.points.empty()) errors.curves.push_back(recomputed);
    return plot("", "", {drift, errors}, 2);
}

}  // namespace

std::string audit_html(const Audit& audit) {
    std::string html =
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Audit</title><style>body{font:15px/1.5 "
        "sans-serif;max-width:72em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}td,th{padding:.2em "
        ".7em;text-align:right;border-bottom:1px solid #ccc}.bad{color:#b00020}svg{max-width:100%}</style>";
    html += fmt::format("<h1>Audit of {}</h1><p>{} bodies, {} snapshots. Forces: {}; {}.</p>", escaped(audit.source),
                        audit.bodies, audit.snapshots.size(), escaped(audit.engine), escaped(audit.law));
    html += audit.findings.empty() ? "<p>Nothing found.</p>" : "<h2>Findings</h2><ul class=\"bad\">";
    for (const std::string& finding : audit.findings) html += "<li>" + escaped(finding) + "</li>";
    if (!audit.findings.empty()) html += "</ul>";
    html += figures(audit);
    html += "<h2>Snapshots</h2><table><tr><th>file<th>time<th>K<th>W<th>E<th>|P|<th>|L|</tr>";
    for (const SnapshotAudit& each : audit.snapshots)
        html += fmt::format("<tr><td>{}<td>{:g}<td>{:.6g}<td>{:.6g}<td>{:.8g}<td>{:.3g}<td>{:.6g}</tr>",
                            escaped(each.path.filename().string()), each.time, each.kinetic, each.potential,
                            each.energy(), length_of(each.momentum), length_of(each.angular_momentum));
    html +=
        "</table><h2>Between snapshots</h2><table><tr><th>from<th>to<th>positions<th>velocities<th>jumps<th>"
        "recomputed</tr>";
    for (const IntervalAudit& each : audit.intervals)
        html += fmt::format("<tr><td>{:g}<td>{:g}<td>{:.3g}<td>{:.3g}<td>{}<td>{}</tr>", each.from, each.to,
                            each.position_error, each.velocity_error, each.jumped,
                            each.recomputed ? fmt::format("{:.3g}", *each.recomputed) : "");
    html += "</table>";
    if (!audit.notes.empty()) html += "<h2>Notes</h2><ul>";
    for (const std::string& note : audit.notes) html += "<li>" + escaped(note) + "</li>";
    if (!audit.notes.empty()) html += "</ul>";
    return html + "\n</html>\n";
}

}  // namespace orrery
