// SPDX-License-Identifier: MIT
#include "core/series/interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace orrery {
namespace {

constexpr std::uint64_t kPart = 4096;     // bodies that a thread takes at a time
constexpr double kLeastAgreement = 0.25;  // the square of one half

/// Calls f(part, first, last) for stretches of [0, count), on many threads.
template <class F>
void in_parts(Pool& pool, std::uint64_t count, const F& f) {
    const std::uint64_t parts = (count + kPart - 1) / kPart;
    pool.parallel_for(0, parts, [&](std::uint64_t part) {
        f(static_cast<std::size_t>(part), static_cast<std::size_t>(part * kPart),
          static_cast<std::size_t>(std::min(count, (part + 1) * kPart)));
    });
}

struct Moved {
    Vec3d x, v;
};

/// s = (t − t₀)/h, in (0, 1).
Moved on_cubic(const Vec3d& x0, const Vec3d& v0, const Vec3d& x1, const Vec3d& v1, double s, double h) {
    const Vec3d mean = (1 / h) * (x1 - x0);
    const Vec3d quadratic = 3.0 * mean - 2.0 * v0 - v1, cubic = v0 + v1 - 2.0 * mean;
    return {x0 + (s * h) * (v0 + s * (quadratic + s * cubic)), v0 + s * (2.0 * quadratic + (3 * s) * cubic)};
}

bool inside(double x, double box) { return x >= 0 && x <= box; }
bool inside(const Vec4d& x, double box) { return inside(x.x, box) && inside(x.y, box) && inside(x.z, box); }

/// The image of `to` that is nearest to `from`.
double image(double from, double to, double box) { return to - box * std::round((to - from) / box); }

double wrapped(double x, double box) { return x - box * std::floor(x / box); }

Moved on_line(const Vec3d& x0, const Vec3d& v0, const Vec3d& x1, const Vec3d& v1, double s) {
    return {x0 + s * (x1 - x0), v0 + s * (v1 - v0)};
}

}  // namespace

Interpolation::Interpolation(const SeriesState& from, const SeriesState& to, Pool& pool)
    : from_{from}, to_{to}, pool_{pool}, box_{from.box == to.box ? from.box : 0} {
    const double h = to.time - from.time;
    struct Sums {
        double missed = 0, length = 0;
    };
    std::vector<Sums> sums((from.bodies.velocity.size() + kPart - 1) / kPart);
    in_parts(pool, from.bodies.velocity.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3d way = end_of(i) - xyz(from.bodies.position_mass[i]);
            const Vec3d &v0 = from.bodies.velocity[i], &v1 = to.bodies.velocity[i];
            const Vec3d missed = way - (0.5 * h) * (v0 + v1);
            sums[part].missed += dot(missed, missed);
            sums[part].length += std::max({dot(way, way), h * h * dot(v0, v0), h * h * dot(v1, v1)});
        }
    });
    Sums all;
    for (const Sums& part : sums) all.missed += part.missed, all.length += part.length;
    straight_ = all.missed > kLeastAgreement * all.length;
}

/// A body outside of the box is not moved by its sides: some programs state a box in which they only look for bodies.
bool Interpolation::within(std::size_t body) const {
    return box_ > 0 && inside(from_.bodies.position_mass[body], box_) && inside(to_.bodies.position_mass[body], box_);
}

Vec3d Interpolation::end_of(std::size_t body) const {
    const Vec3d from = xyz(from_.bodies.position_mass[body]), to = xyz(to_.bodies.position_mass[body]);
    if (!within(body)) return to;
    return {image(from.x, to.x, box_), image(from.y, to.y, box_), image(from.z, to.z, box_)};
}

BodyState Interpolation::at(double time, Precision precision) const {
    return precision == Precision::kSingle ? made<float>(time) : made<double>(time);
}

/// Straight into the bytes of the state: a frame of millions of bodies is held up by memory more than by numbers.
template <class Real>
BodyState Interpolation::made(double time) const {
    const std::size_t count = from_.bodies.size();
    const double h = to_.time - from_.time, s = (time - from_.time) / h;
    BodyState state{.precision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble,
                    .count = count,
                    .bytes = std::vector<std::byte>(3 * count * sizeof(Vec4<Real>))};
    const auto put = [&](std::size_t column, std::size_t i, const Vec4d& value) {
        const Vec4<Real> rounded = convert<Real>(value);
        std::memcpy(state.bytes.data() + (column * count + i) * sizeof rounded, &rounded, sizeof rounded);
    };
    in_parts(pool_, count, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec4d& p0 = from_.bodies.position_mass[i];
            const Vec3d x1 = end_of(i), &v0 = from_.bodies.velocity[i], &v1 = to_.bodies.velocity[i];
            Moved at = straight_ ? on_line(xyz(p0), v0, x1, v1, s) : on_cubic(xyz(p0), v0, x1, v1, s, h);
            if (within(i)) at.x = {wrapped(at.x.x, box_), wrapped(at.x.y, box_), wrapped(at.x.z, box_)};
            put(0, i, {at.x.x, at.x.y, at.x.z, p0.w});
            put(1, i, {at.v.x, at.v.y, at.v.z, 0});
        }
    });
    return state;
}

}  // namespace orrery
