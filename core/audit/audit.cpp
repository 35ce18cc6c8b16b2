// SPDX-License-Identifier: MIT
#include "core/audit/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/auto_plan.hpp"
#include "core/formats/formats.hpp"
#include "core/physics/pair_law.hpp"
#include "core/plot/plot.hpp"
#include "core/series/series.hpp"
#include "core/series/series_index.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

constexpr double kEnergyDrift = 0.01, kMomentumDrift = 1e-3;

/// A snapshot with the accelerations of its bodies; w is the potential.
struct Moment {
    TimedBodies state;
    std::vector<Vec4d> acceleration;
};

SnapshotAudit audit_snapshot(const std::filesystem::path& path, const Moment& moment) {
    SnapshotAudit found{.path = path, .time = moment.state.time};
    const Bodies& bodies = moment.state.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double m = bodies.position_mass[i].w;
        const Vec3d x = xyz(bodies.position_mass[i]), v = bodies.velocity[i];
        found.kinetic += 0.5 * m * dot(v, v);
        found.potential += 0.5 * m * moment.acceleration[i].w;
        found.momentum = found.momentum + m * v;
        found.angular_momentum = found.angular_momentum + m * cross(x, v);
        found.momentum_scale += m * std::sqrt(dot(v, v));
    }
    return found;
}

double size_of(Vec3d v) { return std::sqrt(dot(v, v)); }

double percentile_99(std::vector<double> values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(99 * (values.size() - 1) / 100);
    std::ranges::nth_element(values, at);
    return *at;
}

/// The bodies whose positions do not follow from their velocities. Masses of 0 mark bodies that a snapshot lacks.
IntervalAudit audit_interval(const Moment& from, const Moment& to, const std::vector<std::uint64_t>& ids) {
    IntervalAudit found{.from = from.state.time, .to = to.state.time};
    const double h = to.state.time - from.state.time;
    const Bodies &a = from.state.bodies, &b = to.state.bodies;
    double missed = 0, travelled = 0, off = 0, gained = 0;
    std::vector<double> distances(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a.position_mass[i].w == 0 || b.position_mass[i].w == 0) continue;
        const Vec3d a0 = xyz(from.acceleration[i]), a1 = xyz(to.acceleration[i]);
        const Vec3d way = xyz(b.position_mass[i]) - xyz(a.position_mass[i]), v0 = a.velocity[i], v1 = b.velocity[i];
        const Vec3d d = way - 0.5 * h * (v0 + v1) - h * h / 12 * (a0 - a1);
        const double length = std::max({size_of(way), h * size_of(v0), h * size_of(v1)});
        const Vec3d kick = v1 - v0 - 0.5 * h * (a0 + a1);
        const double speed = h * std::max(size_of(a0), size_of(a1));
        distances[i] = size_of(d);
        missed += dot(d, d), travelled += length * length;
        off += dot(kick, kick), gained += speed * speed;
    }
    found.position_error = travelled > 0 ? std::sqrt(missed / travelled) : 0;
    found.velocity_error = gained > 0 ? std::sqrt(off / gained) : 0;
    const double expected = percentile_99(distances);
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const double reach = h * std::max(size_of(a.velocity[i]), size_of(b.velocity[i]));
        if (distances[i] > IntervalAudit::kJumpFactor * expected && distances[i] > IntervalAudit::kResolved * reach)
            found.jumps.push_back({i, ids.empty() ? i : ids[i], distances[i], expected});
    }
    found.jumped = found.jumps.size();
    std::ranges::sort(found.jumps, std::ranges::greater{}, &AuditJump::distance);
    if (found.jumps.size() > IntervalAudit::kMostJumps) found.jumps.resize(IntervalAudit::kMostJumps);
    return found;
}

void recompute(const Moment& from, const Moment& to, const Scene& first, const AuditPlan& plan, IntervalAudit& found) {
    Scene scene = first;
    scene.bodies = from.state.bodies;
    scene.bodies.fields.clear();
    scene.time = from.state.time;
    scene.dt = (to.state.time - from.state.time) / static_cast<double>(plan.steps);
    scene.encounters = {};
    scene.adaptive = 0;
    Simulation simulation{std::move(scene), plan.engine, "leapfrog"};
    for (std::size_t k = 0; k < plan.steps; ++k) simulation.step();
    const Bodies there = simulation.system().bodies();
    double apart = 0, travelled = 0;
    for (std::size_t i = 0; i < there.size(); ++i) {
        const Vec3d d = xyz(there.position_mass[i]) - xyz(to.state.bodies.position_mass[i]);
        const Vec3d way = xyz(to.state.bodies.position_mass[i]) - xyz(from.state.bodies.position_mass[i]);
        apart += dot(d, d), travelled += dot(way, way);
    }
    found.recomputed = std::sqrt(apart / static_cast<double>(there.size()));
    found.recomputed_share = travelled > 0 ? std::sqrt(apart / travelled) : 0;
}

void add_findings(Audit& audit) {
    const SnapshotAudit& first = audit.snapshots.front();
    const auto energy = std::ranges::max_element(
        audit.snapshots, {}, [&](const SnapshotAudit& each) { return std::abs(each.energy() - first.energy()); });
    const double drift = std::abs(energy->energy_change(first));
    if (drift > kEnergyDrift)
        audit.findings.push_back(
            fmt::format("energy changes by {:.3g} % from time {:g} to {:g}", 100 * drift, first.time, energy->time));
    const auto change = [&](const SnapshotAudit& each) { return size_of(each.momentum - first.momentum); };
    const auto momentum = std::ranges::max_element(audit.snapshots, {}, change);
    if (const double share = change(*momentum) / first.momentum_scale; share > kMomentumDrift)
        audit.findings.push_back(fmt::format("momentum changes by {:.3g} of Σ m|v| from time {:g} to {:g}", share,
                                             first.time, momentum->time));
    for (const IntervalAudit& each : audit.intervals) {
        for (const AuditJump& jump : each.jumps)
            audit.findings.push_back(fmt::format(
                "body {} jumps by {:.4g} from time {:g} to {:g}, where 99 % of the bodies are off by less than {:.2g}",
                jump.id, jump.distance, each.from, each.to, jump.expected));
        if (each.jumped > each.jumps.size())
            audit.findings.push_back(fmt::format("{} more bodies jump from time {:g} to {:g}",
                                                 each.jumped - each.jumps.size(), each.from, each.to));
        if (each.position_error > IntervalAudit::kResolved && each.jumps.empty())
            audit.findings.push_back(
                fmt::format("positions do not follow from velocities from time {:g} to {:g}: they are off by {:.3g} of "
                            "the distances travelled; the snapshots are too far apart, or velocities are not lengths "
                            "per time",
                            each.from, each.to, each.position_error));
        else if (each.velocity_error > IntervalAudit::kResolved && each.jumps.empty())
            audit.findings.push_back(
                fmt::format("velocities do not follow from the forces from time {:g} to {:g}: they are off by {:.3g} "
                            "of the changes; G, softening or law differ, other forces act, or the snapshots are too "
                            "far apart",
                            each.from, each.to, each.velocity_error));
    }
}

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

double SnapshotAudit::energy_change(const SnapshotAudit& first) const {
    constexpr double kCancelled = 1e-3;
    const double parts = first.kinetic + std::abs(first.potential), whole = std::abs(first.energy());
    const double scale = whole > kCancelled * parts ? whole : parts;
    return scale > 0 ? (energy() - first.energy()) / scale : 0;
}

Audit audit_series(const std::vector<std::string>& sources, const AuditPlan& plan) {
    SeriesIndex index{sources};
    const std::vector<SeriesMember> members = index.members();
    if (members.size() < 2)
        usage_error(fmt::format("{}: expected at least two snapshots at different times, found {}", sources.front(),
                                members.size()));
    if (index.by_names()) usage_error(fmt::format("{}: the files state no times", sources.front()));
    Scene first = read_snapshot(members.front().path);
    const MemberReader reader{first, {}};  // snapshots keep the units that they state
    if (plan.softening) first.gravity.softening = *plan.softening;
    if (plan.constant) first.gravity.constant = *plan.constant;
    if (first.scale_factor > 0)
        usage_error(fmt::format("{}: is a cosmological series, whose comoving motion is not checked", sources.front()));
    Audit audit{.source = sources.front(),
                .engine = describe(plan.engine),
                .law = fmt::format("{}, softening {:g}, G {:g}", pair_law(first.gravity.law).label,
                                   first.gravity.softening, first.gravity.constant),
                .bodies = first.bodies.size(),
                .notes = index.notes()};
    const std::vector<std::uint64_t> ids = reader.by_ids() ? first.bodies.ids : std::vector<std::uint64_t>{};
    FileProgress progress{"checking", members.size(), first.bodies.size()};
    std::optional<Moment> before;
    for (const SeriesMember& member : members) {
        MemberReader::Read read = reader.read(member);
        if (!read.remark.empty()) audit.notes.push_back(read.remark);
        Moment now{std::move(read.state), {}};
        now.acceleration = accelerations(plan.engine, now.state.bodies, first.gravity, Potential::kCompute);
        audit.snapshots.push_back(audit_snapshot(member.path, now));
        if (before) {
            audit.intervals.push_back(audit_interval(*before, now, ids));
            if (plan.steps > 0) recompute(*before, now, first, plan, audit.intervals.back());
        }
        before = std::move(now);
        progress.add(1);
    }
    add_findings(audit);
    return audit;
}

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
