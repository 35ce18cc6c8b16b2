// SPDX-License-Identifier: MIT
#include "core/bodies/body_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/distributed_body_system.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/owned/owned_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/opening.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

ForceError BodySystem::force_error_within(double interactions, const Gravity& gravity, std::size_t samples) const {
    std::vector<std::uint32_t> which;
    for (const std::size_t i : sample_indices(count(), affordable_samples(law(), samples, count(), interactions)))
        which.push_back(static_cast<std::uint32_t>(i));
    std::vector<Vec4d> found;
    for (const BodySample& body : sample(which))
        found.push_back({body.acceleration.x, body.acceleration.y, body.acceleration.z, 0});
    return compare(found, references(gravity, which));
}

ForceError BodySystem::force_error(const Gravity& gravity, std::size_t samples) const {
    return force_error_within(kHostReferenceCost, gravity, samples);
}

std::vector<Vec4d> BodySystem::references(const Gravity& gravity, std::span<const std::uint32_t> which) const {
    const std::vector<Vec4d> state = bodies().position_mass;
    const double* charge = labels().charge.data();
    std::vector<Vec4d> all;
    for (const std::uint32_t i : which)
        all.push_back(reference_acceleration(law(), state.data(), state.size(), i, gravity, charge));
    return all;
}

std::vector<std::uint32_t> BodySystem::heavy_bodies() const {
    const std::vector<Vec4d> all = bodies().position_mass;
    double mass = 0;
    for (const Vec4d& body : all) mass += body.w;
    const double least = heavy_from(mass, static_cast<double>(all.size()));
    std::vector<std::uint32_t> heavy;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (all[i].w > 0 && all[i].w >= least) heavy.push_back(i);
    std::ranges::stable_sort(heavy, std::ranges::greater{}, [&](std::uint32_t i) { return all[i].w; });
    return heavy;
}

void BodySystem::place(std::span<const std::uint32_t> which, std::span<const BodySample> rows) {
    BodyState state = save();
    const auto write = [&]<class Real>(Real) {
        auto* const all = reinterpret_cast<Vec4<Real>*>(state.bytes.data());
        for (std::size_t k = 0; k < which.size(); ++k) {
            Vec4<Real>&x = all[which[k]], &v = all[state.count + which[k]];
            const Vec4d& at = rows[k].position_mass;
            const Vec3d& speed = rows[k].velocity;
            x = {Real(at.x), Real(at.y), Real(at.z), x.w}, v = {Real(speed.x), Real(speed.y), Real(speed.z), v.w};
        }
    };
    state.precision == Precision::kSingle ? write(0.0f) : write(0.0);
    restore(state);
}

Vec3d BodySystem::centre_of_mass() const { return orrery::centre_of_mass<double>(bodies().position_mass); }
double BodySystem::net_force() const { return orrery::net_force(bodies().position_mass, accelerations()); }

std::optional<std::size_t> BodySystem::first_not_finite() const { return orrery::first_not_finite(bodies()); }

StepPower& require_steps(BodySystem& system) {
    if (auto* steps = system.steps()) return *steps;
    throw std::logic_error{"this body system has no individual steps"};
}

namespace {

bool fits_single(double x) { return !std::isfinite(x) || std::isfinite(static_cast<float>(x)); }

/// The largest absolute value; NaN is ignored.
template <class V>
double largest(std::span<const V> vectors) {
    double most = 0;
    for (const V& v : vectors) {
        most = std::max(std::max(most, std::abs(v.x)), std::max(std::abs(v.y), std::abs(v.z)));
        if constexpr (std::is_same_v<V, Vec4d>) most = std::max(most, v.w);
    }
    return most;
}

}  // namespace

namespace {

/// `x` and `v`: the bodies from `first` on; either may be shorter. `name(i)`: how the message names the i-th.
template <class Name>
void refuse_unfit(std::span<const Vec4d> x, std::span<const Vec3d> v, Precision precision, const Name& name) {
    const bool velocities = of_state(precision) == Precision::kSingle;
    if (precision == Precision::kDouble || (fits_single(largest(x)) && (!velocities || fits_single(largest(v)))))
        return;
    for (std::size_t i = 0; i < std::max(x.size(), v.size()); ++i) {
        const auto require = [&](const char* what, double found) {
            if (!fits_single(found))
                usage_error(fmt::format("body {}: {} {:g} does not fit single precision; use --precision double",
                                        name(i), what, found));
        };
        const Vec4d p = i < x.size() ? x[i] : Vec4d{};
        const Vec3d speed = velocities && i < v.size() ? v[i] : Vec3d{};
        require("mass", p.w);
        for (const double each : {p.x, p.y, p.z}) require("position", each);
        for (const double each : {speed.x, speed.y, speed.z}) require("velocity", each);
    }
}

}  // namespace

/// Values that overflow to infinity would otherwise be reported as lost bodies after the first step.
void require_fit(const Bodies& bodies, Precision precision, std::span<const std::uint32_t> rows) {
    refuse_unfit(bodies.position_mass, bodies.velocity, precision,
                 [rows](std::size_t i) { return rows.empty() ? i : rows[i]; });
}

void require_fit(std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity, Precision precision,
                 std::size_t first) {
    constexpr double kFloat = std::numeric_limits<float>::max(), kDouble = std::numeric_limits<double>::max();
    const double farthest = precision == Precision::kDouble ? kDouble : kFloat,
                 fastest = of_state(precision) == Precision::kSingle ? kFloat : kDouble;
    const auto check = [&](std::size_t from, std::size_t to) {
        bool sound = true;
        for (std::size_t i = from; i < to; ++i) {  // false for NaN too
            const Vec4d& x = position_mass[i];
            const Vec3d& v = velocity[i];
            for (const double each : {x.x, x.y, x.z, x.w}) sound = sound && std::abs(each) <= farthest;
            for (const double each : {v.x, v.y, v.z}) sound = sound && std::abs(each) <= fastest;
            sound = sound && x.w >= 0;
        }
        return sound ? 1 : 0;  // a vector of bool could not be written by several threads
    };
    Pool pool{0, false};
    if (std::ranges::all_of(by_blocks(pool, position_mass.size(), check), [](int sound) { return sound == 1; })) return;
    for (std::size_t i = 0; i < position_mass.size(); ++i)  // in order, to name the first
        validate_body("the bodies", first + i, position_mass[i], velocity[i]);
    refuse_unfit(position_mass, velocity, precision, [first](std::size_t i) { return first + i; });
}

std::unique_ptr<BodySystem> make_own_system(const EngineConfig& config, const BodySource& bodies, Urgency urgency,
                                            Ranks* ranks) {
    if (bodies.size() == 0) usage_error("a simulation needs at least one body");
    const EngineEntry& entry = engine(config.engine, config.backend);
    if (config.compensated && entry.backend != Backend::kCpu)
        usage_error(
            fmt::format("compensated summation is available only on the CPU (--backend cpu); engine '{}' is on {}",
                        config.engine, name(config.backend)));
    if (ranks && entry.backend == Backend::kGl)
        usage_error(fmt::format("engine '{}' on gl runs in one process, not in several ranks", config.engine));
    require_precision(entry, config.precision);
    require_kernel_runs(entry, config);
    if (const Bodies* all = bodies.in_memory()) require_fit(*all, config.precision);
    try {
        AnyEngine made = entry.make(config);
        switch (entry.backend) {
            case Backend::kCpu:
                return make_host_system(std::move(made), config, entry, bodies, ranks);
            case Backend::kCuda:
                return make_device_system(std::move(made), entry, bodies, config.precision, urgency, ranks);
            default:
                return make_gl_system(std::move(made), config, entry, bodies);
        }
    } catch (const std::bad_alloc&) {
        environment_error(fmt::format("{} bodies do not fit into the memory of this machine", bodies.size()));
    }
}

std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies, Urgency urgency,
                                             Ranks* ranks) {
    if (ranks && ranks->own_bodies) return make_owned_system(config, BodiesInMemory{bodies}, *ranks);
    if (ranks && ranks->leader) return make_distributed_body_system(config, bodies, urgency, *ranks);
    if (ranks) require_same_bodies(*ranks, bodies);
    return make_own_system(config, bodies, urgency, ranks);
}

std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const BodySource& bodies, Urgency urgency,
                                             Ranks* ranks) {
    if (ranks && ranks->own_bodies) return make_owned_system(config, bodies, *ranks);
    if (const Bodies* all = bodies.in_memory()) return make_body_system(config, *all, urgency, ranks);
    if (ranks) return make_body_system(config, all_bodies(bodies), urgency, ranks);
    return make_own_system(config, bodies, urgency, nullptr);
}

std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential, Ranks* ranks) {
    const auto system = make_body_system(config, bodies, Urgency::kNormal, ranks);
    const std::uint64_t items = system->begin_forces(gravity, potential);
    system->run_forces(0, items);
    system->wait();
    return system->accelerations();
}

}  // namespace orrery
