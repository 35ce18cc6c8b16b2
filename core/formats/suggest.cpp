// SPDX-License-Identifier: MIT
#include "core/formats/suggest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace orrery {
namespace {

constexpr std::size_t kSample = 4096, kFew = 100, kPairs = 1024;
constexpr double kFallbackDt = 1e-3;  // the default in Scene, for a state without a time scale

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double total_mass(const Bodies& bodies) {
    double sum = 0;
    for (const Vec4d& p : bodies.position_mass) sum += p.w;
    return sum;
}

/// Root mean square speed relative to the mean velocity: a drifting system is not a hot one.
double velocity_scatter(const Bodies& bodies) {
    const double weight = 1 / static_cast<double>(bodies.size());
    Vec3d mean{};
    for (const Vec3d& v : bodies.velocity) mean = mean + weight * v;
    double square = 0;
    for (const Vec3d& v : bodies.velocity) square += weight * dot(v - mean, v - mean);
    return std::sqrt(square);
}

/// The shortest of r/v and √(r³/G(m_i + m_j)) over all pairs, distances softened.
double shortest_pair_time(const Bodies& bodies, Gravity gravity) {
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec4d &a = bodies.position_mass[i], &b = bodies.position_mass[j];
            const Vec3d d = xyz(a) - xyz(b), v = bodies.velocity[i] - bodies.velocity[j];
            const double r = std::sqrt(dot(d, d) + gravity.softening * gravity.softening);
            if (r == 0) continue;  // coincident bodies do not attract each other
            shortest =
                std::min({shortest, r / std::sqrt(dot(v, v)), std::sqrt(r * r * r / gravity.constant / (a.w + b.w))});
        }
    return shortest;
}

double typical_time(const Bodies& bodies, Gravity gravity) {
    const double radius = median_radius(bodies);
    const double between = radius / std::cbrt(static_cast<double>(bodies.size()));  // mean distance between neighbours
    const double crossing = (gravity.softening > 0 ? gravity.softening : between) / velocity_scatter(bodies);
    const double dynamical = std::sqrt(radius * radius * radius / (gravity.constant * total_mass(bodies)));
    return std::fmin(0.1 * crossing, 0.02 * dynamical);
}

}  // namespace

double median_radius(const Bodies& bodies) {
    const std::size_t stride = (bodies.size() + kSample - 1) / kSample;
    std::array<std::vector<double>, 3> axes;
    for (std::size_t i = 0; i < bodies.size(); i += stride) {
        const Vec4d& p = bodies.position_mass[i];
        axes[0].push_back(p.x), axes[1].push_back(p.y), axes[2].push_back(p.z);
    }
    const Vec3d centre{median(axes[0]), median(axes[1]), median(axes[2])};
    std::vector<double> distance;
    for (std::size_t i = 0; i < bodies.size(); i += stride) {
        const Vec3d d = xyz(bodies.position_mass[i]) - centre;
        distance.push_back(std::sqrt(dot(d, d)));
    }
    return median(std::move(distance));
}

double suggested_softening(const Bodies& bodies) {
    if (bodies.size() < kFew) return 0;
    double heaviest = 0;
    for (const Vec4d& p : bodies.position_mass) heaviest = std::max(heaviest, p.w);
    if (heaviest > 0.5 * total_mass(bodies)) return 0;
    const double softening = 0.98 * std::pow(static_cast<double>(bodies.size()), -0.26) * median_radius(bodies);
    return std::isfinite(softening) ? softening : 0;
}

double suggested_dt(const Bodies& bodies, Gravity gravity) {
    const double dt =
        bodies.size() <= kPairs ? 0.03 * shortest_pair_time(bodies, gravity) : typical_time(bodies, gravity);
    return std::isfinite(dt) && dt > 0 ? dt : kFallbackDt;
}

}  // namespace orrery
