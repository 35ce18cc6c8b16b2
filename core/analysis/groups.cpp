// SPDX-License-Identifier: MIT
#include "core/analysis/analyses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/vec.hpp"
#include "core/spatial/friends.hpp"

namespace orrery {
namespace {

/// Properties of one group, computed relative to its first body. `members`: indices of its bodies.
BodyGroup group_of_members(std::span<const Vec4d> bodies, std::span<const Vec3d> velocities,
                           std::span<const std::uint32_t> members, double period) {
    const Vec3d base = xyz(bodies[members[0]]);
    const auto nearest = [&](double d) { return period > 0 ? d - period * std::round(d / period) : d; };
    const auto place = [&](std::uint32_t i) {
        const Vec3d d = xyz(bodies[i]) - base;
        return Vec3d{nearest(d.x), nearest(d.y), nearest(d.z)};
    };
    CompensatedSum mass, square, spread;
    VectorSum moment, momentum;
    for (const std::uint32_t i : members) {
        const double m = bodies[i].w;
        mass.add(m), moment.add(m * place(i)), momentum.add(m * velocities[i]);
    }
    BodyGroup group{.first = members[0], .bodies = members.size(), .mass = mass.value()};
    // A group of test particles uses unweighted means.
    const double all = group.mass > 0 ? group.mass : static_cast<double>(members.size());
    Vec3d centre = (1 / all) * moment.value(), velocity = (1 / all) * momentum.value();
    if (group.mass <= 0) {
        centre = velocity = {};
        for (const std::uint32_t i : members)
            centre = centre + (1 / all) * place(i), velocity = velocity + (1 / all) * velocities[i];
    }
    for (const std::uint32_t i : members) {
        const double m = group.mass > 0 ? bodies[i].w : 1;
        const Vec3d d = place(i) - centre, v = velocities[i] - velocity;
        square.add(m * dot(d, d)), spread.add(m * dot(v, v));
        group.farthest = std::max(group.farthest, length(d));
    }
    group.centre = base + centre, group.velocity = velocity;
    group.radius = std::sqrt(square.value() / all);
    group.dispersion = std::sqrt(spread.value() / (3 * all));
    return group;
}

}  // namespace

double linking_length(const Subject& subject, const AnalysisSettings& settings) {
    if (settings.link_length) return *settings.link_length;
    const auto count = static_cast<double>(subject.size());
    if (settings.period > 0) return settings.link * settings.period / std::cbrt(count);
    std::vector<double> radius2(subject.size());
    for (std::size_t i = 0; i < radius2.size(); ++i) radius2[i] = dot(subject.position(i), subject.position(i));
    const std::size_t half = (radius2.size() - 1) / 2;
    std::ranges::nth_element(radius2, radius2.begin() + static_cast<std::ptrdiff_t>(half));
    const double r = std::sqrt(radius2[half]), within = static_cast<double>(half + 1);
    const double separation = r * std::cbrt(4 * std::numbers::pi / (3 * within));
    if (!(separation > 0))
        usage_error("groups: half of the bodies are at one place: give the linking length as a length");
    return settings.link * separation;
}

std::vector<BodyGroup> list_groups(std::span<const Vec4d> bodies, std::span<const Vec3d> velocities,
                                   std::span<const std::uint32_t> group_of, std::size_t least, double period) {
    std::vector<std::uint32_t> size(bodies.size() + 1);
    for (const std::uint32_t group : group_of) ++size[group];
    // Sorts bodies by group, in their order within each group.
    std::vector<std::size_t> begin(bodies.size() + 1);
    std::exclusive_scan(size.begin(), size.end(), begin.begin(), std::size_t{0});
    std::vector<std::uint32_t> members(bodies.size());
    std::vector<std::size_t> next{begin};
    for (std::size_t i = 0; i < bodies.size(); ++i) members[next[group_of[i]]++] = static_cast<std::uint32_t>(i);
    std::vector<BodyGroup> groups;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (size[i] >= std::max<std::size_t>(least, 1))
            groups.push_back(group_of_members(bodies, velocities, {&members[begin[i]], size[i]}, period));
    std::ranges::stable_sort(groups, std::ranges::greater{}, &BodyGroup::mass);
    return groups;
}

AnalysisResult groups_of_friends(const Subject& subject, const AnalysisSettings& settings,
                                 const std::stop_token& stop) {
    const double link = linking_length(subject, settings);
    const UnitNames& units = subject.units();
    std::vector<Vec4d> bodies(subject.size());
    std::vector<Vec3d> velocities(subject.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i] = subject.scene().bodies.position_mass[subject.index(i)];
        velocities[i] = subject.scene().bodies.velocity[subject.index(i)];
    }
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    std::vector<std::uint32_t> group_of;
    if (settings.backend == Backend::kCuda) {
        DeviceFriends found = friends_on_device(std::span<const Vec4d>{bodies}, link, settings.period, 3);
        group_of = std::move(found.group_of), result.seconds = found.seconds;
    } else {
        const auto start = std::chrono::steady_clock::now();
        group_of = friends_of_friends(subject.pool(), bodies, link, settings.period, stop);
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    if (stop.stop_requested()) return {};
    result.groups =
        list_groups(bodies, velocities, group_of, static_cast<std::size_t>(settings.least), settings.period);
    result.group_of.assign(subject.scene().bodies.size(), kNoGroup);
    for (std::size_t i = 0; i < group_of.size(); ++i) result.group_of[subject.index(i)] = subject.index(group_of[i]);
    for (BodyGroup& group : result.groups) group.first = subject.index(group.first);
    const auto column = [&](const char* name, const std::string& symbol, const auto& value) {
        result.columns.push_back({name, symbol, {}});
        for (const BodyGroup& group : result.groups) result.columns.back().values.push_back(value(group));
    };
    using G = BodyGroup;
    double rank = 0;
    column("group", "groups at least as heavy", [&](const G&) { return ++rank; });
    column("mass", with_unit("mass", units.mass), [](const G& g) { return g.mass; });
    column("bodies", "bodies", [](const G& g) { return static_cast<double>(g.bodies); });
    column("x", with_unit("x", units.length), [](const G& g) { return g.centre.x; });
    column("y", with_unit("y", units.length), [](const G& g) { return g.centre.y; });
    column("z", with_unit("z", units.length), [](const G& g) { return g.centre.z; });
    column("v_x", with_unit("v_x", units.speed()), [](const G& g) { return g.velocity.x; });
    column("v_y", with_unit("v_y", units.speed()), [](const G& g) { return g.velocity.y; });
    column("v_z", with_unit("v_z", units.speed()), [](const G& g) { return g.velocity.z; });
    column("radius", with_unit("radius", units.length), [](const G& g) { return g.radius; });
    column("farthest", with_unit("farthest", units.length), [](const G& g) { return g.farthest; });
    column("dispersion", with_unit("σ", units.speed()), [](const G& g) { return g.dispersion; });
    column("first", "least index", [](const G& g) { return g.first; });
    result.note = fmt::format("{} groups of at least {} bodies; linking length {:.4g}; Davis et al. 1985, ApJ 292, 371",
                              result.groups.size(), settings.least, link);
    result.panels.push_back({.title = "Mass function of groups",
                             .x_label = result.columns[1].symbol,
                             .y_label = "groups at least as heavy",
                             .log_x = true,
                             .log_y = true,
                             .lines = {{"N(≥ M)", 1, 0}}});
    return result;
}

}  // namespace orrery
