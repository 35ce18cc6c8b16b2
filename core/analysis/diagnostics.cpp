// SPDX-License-Identifier: MIT
#include "core/analysis/diagnostics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/owned/part_rows.hpp"
#include "core/engines/menu.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Pauses in proportion to the time worked; a stop request ends the pause.
void rest(Leisure& leisure, double worked, const std::stop_token& stop) {
    constexpr double kNap = 0.01;
    const auto start = Clock::now();
    for (double left = leisure.rests * worked; left > 0 && !stop.stop_requested();
         left = leisure.rests * worked - seconds_since(start))
        std::this_thread::sleep_for(std::chrono::duration<double>{std::min(left, kNap)});
    leisure.rested += seconds_since(start);
}

/// W = ½ Σ m φ for pairs, ⅓ Σ m φ for triplets, whose energy is in the potentials of all their bodies. Works in slices
/// of about 20 ms, or those of `leisure`, so that a stop takes effect soon; returns 0 when stopped.
double potential_energy(const Bodies& bodies, const Gravity& gravity, const EngineConfig& config,
                        const std::stop_token& stop, Leisure* leisure) {
    const double enough = leisure ? leisure->slice : 0.02;
    const auto system = make_body_system(config, bodies, leisure ? Urgency::kLow : Urgency::kNormal);
    const std::uint64_t items = system->begin_forces(gravity, Potential::kCompute);
    std::uint64_t slice = 1;
    double rate = 0;  // items per second; at leisure the best so far, since other work on the device slows slices
    for (std::uint64_t first = 0; first < items;) {
        if (stop.stop_requested()) return 0;
        const auto start = Clock::now();
        const std::uint64_t last = std::min(items, first + slice);
        system->run_forces(first, last);
        system->wait();
        const auto done = static_cast<double>(last - first);
        const double now = done / std::max(1e-6, seconds_since(start));
        rate = leisure ? std::max(rate, now) : now;
        slice = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(enough * rate, 16 * done)));
        first = last;
        if (leisure && first < items) rest(*leisure, done / rate, stop);
    }
    const std::vector<Vec4d> field = system->accelerations();
    CompensatedSum all;
    for (std::size_t i = 0; i < field.size(); ++i) all.add(bodies.position_mass[i].w * field[i].w);
    return all.value() / (law_of(config) == Law::kPairs ? 2 : 3);
}

}  // namespace

EngineConfig energy_engine(Law law, Backend backend) {
    return {.engine = law == Law::kPairs ? "direct" : "triplet", .backend = backend, .precision = Precision::kDouble};
}

Motion motion_of(Pool& pool, const Bodies& bodies) {
    struct Part {
        CompensatedSum mass, twice_kinetic, scale, angular_scale;
        VectorSum moment, momentum, angular;
    };
    Part all;
    for (const Part& part : by_blocks(pool, bodies.size(), [&](std::size_t first, std::size_t last) {
             Part p;
             for (std::size_t i = first; i < last; ++i) {
                 const double mass = bodies.position_mass[i].w;
                 const Vec3d position = xyz(bodies.position_mass[i]), velocity = bodies.velocity[i];
                 const Vec3d impulse = mass * velocity;
                 p.mass.add(mass);
                 p.moment.add(mass * position);
                 p.twice_kinetic.add(dot(impulse, velocity));
                 p.scale.add(mass * std::sqrt(dot(velocity, velocity)));
                 p.momentum.add(impulse);
                 const Vec3d turning = cross(position, impulse);
                 p.angular.add(turning);
                 p.angular_scale.add(std::sqrt(dot(turning, turning)));
             }
             return p;
         })) {
        all.mass.add(part.mass), all.twice_kinetic.add(part.twice_kinetic), all.scale.add(part.scale);
        all.moment.add(part.moment), all.momentum.add(part.momentum), all.angular.add(part.angular);
        all.angular_scale.add(part.angular_scale);
    }
    const double mass = all.mass.value(), per_mass = mass > 0 ? 1 / mass : 0;
    return {.mass = mass,
            .centre_of_mass = per_mass * all.moment.value(),
            .kinetic = 0.5 * all.twice_kinetic.value(),
            .momentum = all.momentum.value(),
            .angular_momentum = all.angular.value(),
            .momentum_scale = all.scale.value(),
            .angular_scale = all.angular_scale.value()};
}

Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, Backend backend, std::stop_token stop) {
    return diagnose(bodies, gravity, energy_engine(Law::kPairs, backend), std::move(stop));
}

Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, const EngineConfig& potential_by,
                     std::stop_token stop, Leisure* leisure) {
    Pool pool{potential_by.threads, potential_by.background};
    Diagnostics result{motion_of(pool, bodies), 0};
    result.potential = potential_energy(bodies, gravity, potential_by, stop, leisure);
    return result;
}

Diagnostics diagnose(Pool& pool, PartPower& part, const Gravity& gravity) {
    Diagnostics all;
    Vec3d moment{0, 0, 0};
    for (const Motion& each : from_all(part.ranks(), motion_of(pool, part.own_bodies()))) {
        all.mass += each.mass, all.kinetic += each.kinetic;
        moment = moment + each.mass * each.centre_of_mass;
        all.momentum = all.momentum + each.momentum,
        all.angular_momentum = all.angular_momentum + each.angular_momentum;
        all.momentum_scale += each.momentum_scale, all.angular_scale += each.angular_scale;
    }
    if (all.mass > 0) all.centre_of_mass = (1 / all.mass) * moment;
    all.potential = part.potential_energy(gravity);
    return all;
}

}  // namespace orrery
