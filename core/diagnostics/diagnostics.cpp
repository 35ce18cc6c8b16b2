// SPDX-License-Identifier: MIT
#include "core/diagnostics/diagnostics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "core/bodies/body_system.hpp"

namespace orrery {
namespace {

/// A sum that keeps what each addition rounds away (Neumaier 1974), so that a momentum that should vanish does.
class Sum {
public:
    void add(double value) {
        const double next = sum_ + value;
        lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0, lost_ = 0;
};

struct VectorSum {
    Sum x, y, z;
    void add(Vec3d v) { x.add(v.x), y.add(v.y), z.add(v.z); }
    Vec3d value() const { return {x.value(), y.value(), z.value()}; }
};

/// W = ½ Σ m φ of pairs, ⅓ Σ m φ of triplets: each has its energy in the potentials of all its bodies. In slices of
/// about 20 ms, so that a stop is heard; 0 when stopped.
double potential_energy(const Bodies& bodies, const Gravity& gravity, const EngineConfig& config,
                        const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    constexpr double kSlice = 0.02;
    const auto system = make_body_system(config, bodies);
    const std::uint64_t items = system->begin_forces(gravity, Potential::kCompute);
    std::uint64_t slice = 1;
    for (std::uint64_t first = 0; first < items;) {
        if (stop.stop_requested()) return 0;
        const auto start = Clock::now();
        const std::uint64_t last = std::min(items, first + slice);
        system->run_forces(first, last);
        system->wait();
        const double took = std::max(1e-6, std::chrono::duration<double>(Clock::now() - start).count());
        const double fit = static_cast<double>(last - first) * std::min(kSlice / took, 16.0);
        slice = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fit));
        first = last;
    }
    const std::vector<Vec4d> field = system->accelerations();
    Sum all;
    for (std::size_t i = 0; i < field.size(); ++i) all.add(bodies.position_mass[i].w * field[i].w);
    return all.value() / (law_of(config) == Law::kGravity ? 2 : 3);
}

}  // namespace

EngineConfig energy_engine(Law law, Backend backend) {
    return {.engine = law == Law::kGravity ? "direct" : "triplet", .backend = backend, .precision = Precision::kDouble};
}

Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, Backend backend, std::stop_token stop) {
    return diagnose(bodies, gravity, energy_engine(Law::kGravity, backend), std::move(stop));
}

Diagnostics diagnose(const Bodies& bodies, const Gravity& gravity, const EngineConfig& potential_by,
                     std::stop_token stop) {
    Sum twice_kinetic, scale;
    VectorSum momentum, angular;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double mass = bodies.position_mass[i].w;
        const Vec3d position = xyz(bodies.position_mass[i]), velocity = bodies.velocity[i];
        const Vec3d impulse = mass * velocity;
        twice_kinetic.add(dot(impulse, velocity));
        scale.add(mass * std::sqrt(dot(velocity, velocity)));
        momentum.add(impulse);
        angular.add(cross(position, impulse));
    }
    Diagnostics result;
    result.kinetic = 0.5 * twice_kinetic.value();
    result.momentum = momentum.value();
    result.angular_momentum = angular.value();
    result.momentum_scale = scale.value();
    result.potential = potential_energy(bodies, gravity, potential_by, stop);
    return result;
}

double net_force(std::span<const Vec4d> position_mass, std::span<const Vec4d> accelerations) {
    Sum sizes;
    VectorSum net;
    for (std::size_t i = 0; i < accelerations.size(); ++i) {
        const Vec3d force = position_mass[i].w * xyz(accelerations[i]);
        net.add(force);
        sizes.add(std::sqrt(dot(force, force)));
    }
    const Vec3d left = net.value();
    return sizes.value() > 0 ? std::sqrt(dot(left, left)) / sizes.value() : 0;
}

}  // namespace orrery
