// SPDX-License-Identifier: MIT
#include "core/formats/suggest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/bodies/owned/part_rows.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSample = 4096, kFew = 100;
constexpr double kFallbackDt = 1e-3;  // the default in Scene, for a state without a time scale

double valid_dt(double dt) { return std::isfinite(dt) && dt > 0 ? dt : kFallbackDt; }

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
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

BodySurvey survey_of(const Bodies& bodies) {
    BodySurvey survey{bodies.size()};
    survey.add(0, bodies.position_mass, bodies.velocity);
    return survey;
}

std::uint64_t stride_of(std::uint64_t bodies) { return (bodies + kSample - 1) / kSample; }

}  // namespace

void BodySurvey::add(std::uint64_t first, std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity) {
    for (std::size_t from = 0; from < position_mass.size(); from += kBlock) {
        const std::size_t count = std::min(kBlock, position_mass.size() - from);
        Block block{.count = static_cast<double>(count), .mass = 0, .heaviest = 0, .square = 0, .mean = {}};
        for (const Vec4d& p : position_mass.subspan(from, count))
            block.mass += p.w, block.heaviest = std::max(block.heaviest, p.w);
        const double weight = 1 / block.count;
        for (const Vec3d& v : velocity.subspan(from, count)) block.mean = block.mean + weight * v;
        for (const Vec3d& v : velocity.subspan(from, count))
            block.square += weight * dot(v - block.mean, v - block.mean);
        blocks_.push_back(block);
    }
    if (position_mass.empty()) return;
    const std::uint64_t stride = stride_of(bodies_), end = first + position_mass.size();
    for (std::uint64_t i = (first + stride - 1) / stride * stride; i < end; i += stride) {
        const auto at = static_cast<std::size_t>(i - first);
        sample_.push_back({position_mass[at], velocity[at]});
    }
}

void BodySurvey::join(Ranks& ranks) {
    blocks_ = lists_of_all<Block>(ranks, blocks_);
    sample_ = lists_of_all<Row>(ranks, sample_);
}

double BodySurvey::mass() const {
    double sum = 0;
    for (const Block& block : blocks_) sum += block.mass;
    return sum;
}

double BodySurvey::heaviest() const {
    double most = 0;
    for (const Block& block : blocks_) most = std::max(most, block.heaviest);
    return most;
}

/// Root mean square speed relative to the mean velocity: a drifting system is not a hot one.
double BodySurvey::velocity_scatter() const {
    const auto all = static_cast<double>(bodies_);
    Vec3d mean{};
    for (const Block& block : blocks_) mean = mean + (block.count / all) * block.mean;
    double square = 0;
    for (const Block& block : blocks_)
        square += block.count / all * (block.square + dot(block.mean - mean, block.mean - mean));
    return std::sqrt(square);
}

double BodySurvey::median_radius() const {
    std::array<std::vector<double>, 3> axes;
    for (const Row& row : sample_) {
        const Vec4d& p = row.position_mass;
        axes[0].push_back(p.x), axes[1].push_back(p.y), axes[2].push_back(p.z);
    }
    const Vec3d centre{median(axes[0]), median(axes[1]), median(axes[2])};
    std::vector<double> distance;
    for (const Row& row : sample_) {
        const Vec3d d = xyz(row.position_mass) - centre;
        distance.push_back(std::sqrt(dot(d, d)));
    }
    return median(std::move(distance));
}

double BodySurvey::softening() const {
    if (bodies_ < kFew) return 0;
    if (heaviest() > 0.5 * mass()) return 0;
    const double softening = 0.98 * std::pow(static_cast<double>(bodies_), -0.26) * median_radius();
    return std::isfinite(softening) ? softening : 0;
}

double BodySurvey::dt(Gravity gravity) const {
    const double radius = median_radius();
    const double between = radius / std::cbrt(static_cast<double>(bodies_));  // mean distance between neighbours
    const double crossing = (gravity.softening > 0 ? gravity.softening : between) / velocity_scatter();
    const double dynamical = std::sqrt(radius * radius * radius / (gravity.constant * mass()));
    return valid_dt(std::fmin(0.1 * crossing, 0.02 * dynamical));
}

Bodies BodySurvey::sample() const {
    Bodies some;
    for (const Row& row : sample_) some.add(xyz(row.position_mass), row.velocity, row.position_mass.w);
    return some;
}

double median_radius(const Bodies& bodies) { return survey_of(bodies).median_radius(); }

double suggested_softening(const Bodies& bodies) { return survey_of(bodies).softening(); }

double suggested_dt(const Bodies& bodies, Gravity gravity) {
    return bodies.size() <= BodySurvey::kFewest ? valid_dt(0.03 * shortest_pair_time(bodies, gravity))
                                                : survey_of(bodies).dt(gravity);
}

}  // namespace orrery
