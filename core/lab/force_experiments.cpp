// SPDX-License-Identifier: MIT
#include "core/lab/force_experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/random.hpp"
#include "core/physics/law.hpp"

namespace orrery {

Bodies lab_ball(std::uint32_t count) {
    Random random{1};
    Bodies bodies;
    while (bodies.position_mass.size() < count) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        if (x * x + y * y + z * z > 1) continue;
        bodies.position_mass.push_back({x, y, z, 1.0 / count});
        bodies.velocity.push_back({});
    }
    return bodies;
}

LabCheck check_forces(const Bodies& bodies, const std::vector<Vec4d>& found, double tolerance) {
    constexpr std::size_t kAll = 2048, kSome = 256;
    const std::size_t count = bodies.position_mass.size(), samples = count <= kAll ? count : kSome;
    double error = 0, size = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t i = sample * count / samples;
        const Vec4d wanted = reference_acceleration(Law::kPairs, bodies.position_mass.data(), count, i, kLabGravity);
        const Vec3d apart = xyz(found[i]) - xyz(wanted);
        error += dot(apart, apart), size += dot(xyz(wanted), xyz(wanted));
    }
    const double rms = std::sqrt(error / std::max(size, 1e-300));
    if (rms <= tolerance) return {true, {}};
    return {false, fmt::format("relative RMS error {:.2g} of the forces exceeds {:.2g}", rms, tolerance)};
}

LabTimes lab_times(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::ranges::sort(seconds);
    const auto ms = [&](std::size_t index) { return LabValue{1e3 * seconds[index]}; };
    return {ms(seconds.size() / 2), ms(0), ms(seconds.size() - 1 - seconds.size() / 10)};
}

double seconds_of_forces(BodySystem& system) {
    system.clock().start();
    const std::uint64_t items = system.begin_forces(kLabGravity, Potential::kSkip);
    system.run_forces(0, items);
    return system.clock().stop();
}

}  // namespace orrery
