// SPDX-License-Identifier: MIT
#include "core/live/inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/law.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kInspectionPeriod{0.05};
constexpr double kInspectionShare = 20;  // time between inspections is at least this multiple of the time one takes
constexpr double kReferenceCost = 2e8;   // interactions, below a second; only triplets reach it

std::optional<double> force_error(const Simulation& simulation, std::uint32_t id, Vec3d found) {
    const auto count = static_cast<double>(simulation.system().count());
    const Law law = law_of(simulation.engine_config());
    const double cost = law == Law::kPairs ? count : count * count / 2;
    if (!simulation.forces().fresh() || cost > kReferenceCost) return std::nullopt;
    const Vec3d reference = simulation.system().reference(simulation.scene().gravity, id);
    const double size = length(reference);
    return size > 0 ? std::optional{length(found - reference) / size} : std::nullopt;
}

BodyFigures figures_of(const Simulation& simulation, std::uint32_t id, const BodySample& body) {
    const auto& names = simulation.system().labels().names;
    return {.id = id,
            .name = id < names.size() ? names[id] : "",
            .mass = body.position_mass.w,
            .position = xyz(body.position_mass),
            .velocity = body.velocity,
            .acceleration = body.acceleration,
            .distance = length(xyz(body.position_mass) - simulation.system().centre_of_mass()),
            .error = force_error(simulation, id, body.acceleration)};
}

GroupFigures figures_of(const std::vector<BodySample>& bodies) {
    GroupFigures g{.count = bodies.size()};
    for (const BodySample& body : bodies) g.mass += body.position_mass.w;
    // A group of test particles is weighted by number.
    const auto weight = [&](const Vec4d& x) { return g.mass > 0 ? x.w : 1; };
    const double all = g.mass > 0 ? g.mass : static_cast<double>(bodies.size());
    for (const auto& [x, v, a] : bodies) {
        g.centre = g.centre + weight(x) * xyz(x);
        g.velocity = g.velocity + weight(x) * v;
    }
    g.centre = (1 / all) * g.centre;
    g.velocity = (1 / all) * g.velocity;
    double spread = 0, moving = 0;
    for (const auto& [x, v, a] : bodies) {
        const Vec3d off = xyz(x) - g.centre, past = v - g.velocity;
        spread += weight(x) * dot(off, off), moving += weight(x) * dot(past, past);
    }
    g.radius = std::sqrt(spread / all);
    g.dispersion = std::sqrt(moving / (3 * all));
    return g;
}

/// The radius of Laplace's sphere of influence about a mass m is proportional to m^(2/5): the body is in that of the
/// heavier body with the smallest distance / m^(2/5) (Bate, Mueller & White 1971, §7.4).
std::optional<OrbitFigures> orbit_of(const Simulation& simulation, std::uint32_t id) {
    const Gravity& gravity = simulation.scene().gravity;
    if (gravity.law != PairLaw::kGravity || simulation.system().count() > InspectionMonitor::kMostForOrbit ||
        law_of(simulation.engine_config()) != Law::kPairs)
        return std::nullopt;
    const Bodies bodies = simulation.system().bodies();
    const Vec4d own = bodies.position_mass[id];
    std::optional<std::uint32_t> about;
    double least = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const Vec4d& other = bodies.position_mass[i];
        if (i == id || !(other.w > own.w)) continue;
        const double reach = length(xyz(other) - xyz(own)) / std::pow(other.w, 0.4);
        if (!about || reach < least) about = i, least = reach;
    }
    if (!about) return std::nullopt;
    const Vec4d& other = bodies.position_mass[*about];
    const auto orbit = kepler_orbit(xyz(own) - xyz(other), bodies.velocity[id] - bodies.velocity[*about],
                                    gravity.constant * (own.w + other.w));
    if (!orbit) return std::nullopt;
    const auto& names = bodies.names;
    return OrbitFigures{*about, *about < names.size() ? names[*about] : "", xyz(other), *orbit};
}

std::vector<BodyMotion> motions_of(const std::vector<std::uint32_t>& ids, const std::vector<BodySample>& samples) {
    std::vector<BodyMotion> motions;
    for (const std::size_t k : sample_indices(samples.size(), InspectionMonitor::kMostWatched))
        motions.push_back({ids[k], xyz(samples[k].position_mass), samples[k].velocity, samples[k].acceleration});
    return motions;
}

}  // namespace

void InspectionMonitor::set(const Simulation& simulation, Bodies bodies) {
    const std::size_t count = simulation.system().count();
    if (bodies)
        for (const std::uint32_t id : *bodies)
            if (id >= count) usage_error(fmt::format("body {}: there are {} bodies, counted from 0", id, count));
    bodies_ = bodies && !bodies->empty() ? std::move(bodies) : nullptr;
    ids_.clear();
    const auto& ids = simulation.system().labels().ids;
    if (bodies_ && !ids.empty())
        for (const std::uint32_t i : *bodies_) ids_.push_back(ids[i]);
    watch_some();
}

void InspectionMonitor::watch_some() {
    watched_.clear();
    if (bodies_)
        for (const std::size_t k : sample_indices(bodies_->size(), kMostWatched)) watched_.push_back((*bodies_)[k]);
    next_ = Clock::now();
}

void InspectionMonitor::follow(const Simulation& simulation) {
    if (!bodies_) return;
    const auto& ids = simulation.system().labels().ids;
    std::unordered_map<std::uint64_t, std::uint32_t> index;
    index.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) index.emplace(ids[i], static_cast<std::uint32_t>(i));
    const auto& met = simulation.encounters().log().last;
    std::vector<std::uint32_t> there;
    for (std::uint64_t& id : ids_) {
        for (const Encounter& each : met)  // in order: the absorbing body may itself have been absorbed later
            if (each.second == id && each.kind != EncounterKind::kBounce && !index.contains(id)) id = each.first;
        if (const auto at = index.find(id); at != index.end()) there.push_back(at->second);
    }
    std::ranges::sort(there);
    there.erase(std::unique(there.begin(), there.end()), there.end());
    bodies_ = there.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(there));
    ids_.clear();
    if (bodies_)
        for (const std::uint32_t i : *bodies_) ids_.push_back(ids[i]);
    watch_some();
}

void InspectionMonitor::take(const Simulation& simulation, std::optional<Inspection>& inspection, bool now) {
    if (!bodies_) return inspection.reset();
    const auto start = Clock::now();
    if ((!now && start < next_) || simulation.within_step()) return;
    inspection = look(simulation);
    const auto end = Clock::now();
    const Seconds gap = std::max(kInspectionPeriod, kInspectionShare * Seconds{end - start});
    next_ = end + std::chrono::duration_cast<Clock::duration>(gap);
}

Inspection InspectionMonitor::look(const Simulation& simulation) const {
    const std::vector<BodySample> samples = simulation.system().sample(*bodies_);
    Inspection found{.step = simulation.now().steps, .time = simulation.now().time};
    found.motions = motions_of(*bodies_, samples);
    if (samples.size() == 1) {
        found.body = figures_of(simulation, bodies_->front(), samples.front());
        found.orbit = orbit_of(simulation, bodies_->front());
    } else {
        found.group = figures_of(samples);
    }
    return found;
}

void InspectionMonitor::fill(const Simulation& simulation, Frame& frame) const {
    frame.watched.clear();
    frame.picked = bodies_;
    for (const BodySample& body : simulation.system().sample(watched_)) frame.watched.push_back(body.position_mass);
    frame.centre_of_mass = mass_centre_ ? std::optional{simulation.system().centre_of_mass()} : std::nullopt;
}

}  // namespace orrery
