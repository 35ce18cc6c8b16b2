// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/engines/engine.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {

/// Result of an evaluation with jerks, for all bodies; those not requested keep their zeros.
struct AccelerationsAndJerks {
    std::vector<Vec4d> acceleration, jerk;  ///< w of acceleration: potential
};

/// Bodies in the precision of an engine.
template <class Real>
struct BodiesInMotion {
    std::vector<Vec4<Real>> position, velocity;

    explicit BodiesInMotion(const Bodies& bodies) {
        for (const Vec4d& x : bodies.position_mass) position.push_back(convert<Real>(x));
        for (const Vec3d& v : bodies.velocity) velocity.push_back({Real(v.x), Real(v.y), Real(v.z), 0});
    }
};

template <class Real>
std::vector<Vec4d> in_double(const std::vector<Vec4<Real>>& values) {
    std::vector<Vec4d> found;
    for (const Vec4<Real>& v : values) found.push_back(convert<double>(v));
    return found;
}

template <class Real>
AccelerationsAndJerks host_jerks(Engine<Host, Real>& engine, const Bodies& bodies, const Gravity& gravity,
                                 const std::vector<std::uint32_t>& rows) {
    const BodiesInMotion<Real> motion{bodies};
    std::vector<Vec4<Real>> acceleration(bodies.size()), jerk(bodies.size());
    const std::uint64_t items = require_jerks(engine).begin_with_jerk(
        {motion.position.data(), acceleration.data(), bodies.size()},
        {motion.velocity.data(), jerk.data(), rows.data(), rows.size()}, gravity, {});
    engine.run(0, items / 2, {});
    engine.run(items / 2, items, {});
    return {in_double(acceleration), in_double(jerk)};
}

// The same on a device: jerks_cuda.cpp. Throws in a build without CUDA.
AccelerationsAndJerks device_jerks(Engine<Device, float>& engine, const Bodies& bodies, const Gravity& gravity,
                                   const std::vector<std::uint32_t>& rows);
AccelerationsAndJerks device_jerks(Engine<Device, double>& engine, const Bodies& bodies, const Gravity& gravity,
                                   const std::vector<std::uint32_t>& rows);

/// Jerks of the bodies `rows`, by a new engine, in two slices.
inline AccelerationsAndJerks jerks_of(const EngineCase& c, const Bodies& bodies, const Gravity& gravity,
                                      const std::vector<std::uint32_t>& rows) {
    EngineConfig config = c.config();
    config.threads = 2;
    const auto ask = [&]<class Space, class Real>(const std::unique_ptr<Engine<Space, Real>>& engine) {
        if constexpr (std::is_same_v<Space, Host>)
            return host_jerks(*engine, bodies, gravity, rows);
        else if constexpr (std::is_same_v<Space, Device>)
            return device_jerks(*engine, bodies, gravity, rows);
        else
            return AccelerationsAndJerks{};  // no engine of OpenGL computes jerks
    };
    return std::visit(ask, c.entry->make(config));
}

/// The engines that compute jerks.
inline std::vector<EngineCase> every_jerk_engine() {
    std::vector<EngineCase> cases;
    for (const EngineCase& c : every_engine())
        if (c.entry->has(Capability::kJerk) && c.precision != Precision::kMixed) cases.push_back(c);
    return cases;
}

}  // namespace orrery::test
