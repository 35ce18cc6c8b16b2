// SPDX-License-Identifier: MIT
#include "core/bodies/interpolation.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/pool.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kPart = 4096;     // bodies per task
constexpr double kLeastAgreement = 0.25;  // square of one half

/// Calls f(part, first, last) for parts of [0, count) on many threads.
template <class F>
void in_parts(Pool& pool, std::uint64_t count, const F& f) {
    const std::uint64_t parts = (count + kPart - 1) / kPart;
    pool.parallel_for(0, parts, [&](std::uint64_t part) {
        f(static_cast<std::size_t>(part), static_cast<std::size_t>(part * kPart),
          static_cast<std::size_t>(std::min(count, (part + 1) * kPart)));
    });
}

double common_box(const TimedBodies& from, const TimedBodies& to) { return from.box == to.box ? from.box : 0; }

}  // namespace

bool velocities_mislead(const TimedBodies& from, const TimedBodies& to, Pool& pool) {
    const double h = to.time - from.time, box = common_box(from, to);
    struct Sums {
        double missed = 0, length = 0;
    };
    std::vector<Sums> sums((from.bodies.velocity.size() + kPart - 1) / kPart);
    in_parts(pool, from.bodies.velocity.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3d x0 = xyz(from.bodies.position_mass[i]), x1 = xyz(to.bodies.position_mass[i]);
            const Vec3d way = (through_sides(x0, x1, box) ? nearest_image(x0, x1, box) : x1) - x0;
            const Vec3d &v0 = from.bodies.velocity[i], &v1 = to.bodies.velocity[i];
            const Vec3d missed = way - (0.5 * h) * (v0 + v1);
            sums[part].missed += dot(missed, missed);
            sums[part].length += std::max({dot(way, way), h * h * dot(v0, v0), h * h * dot(v1, v1)});
        }
    });
    Sums all;
    for (const Sums& part : sums) all.missed += part.missed, all.length += part.length;
    return all.missed > kLeastAgreement * all.length;
}

WayPoint Interpolation::at(double time) const {
    const double h = to_->time - from_->time;
    return {whole() ? 0 : (time - from_->time) / h, h, common_box(*from_, *to_), straight_};
}

/// Writes directly into the bytes of the state: frames of millions of bodies are limited by memory bandwidth, not by
/// arithmetic.
template <class Real>
BodyState Interpolation::made(double time) const {
    const Bodies &from = from_->bodies, &to = to_->bodies;
    const std::size_t count = from.size();
    const WayPoint point = at(time);
    BodyState state{.precision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble,
                    .count = count,
                    .bytes = std::vector<std::byte>(3 * count * sizeof(Vec4<Real>))};
    const auto put = [&](std::size_t column, std::size_t i, const Vec4d& value) {
        const Vec4<Real> rounded = convert<Real>(value);
        std::memcpy(state.bytes.data() + (column * count + i) * sizeof rounded, &rounded, sizeof rounded);
    };
    in_parts(pool_, count, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec4d& begin = from.position_mass[i];
            PhasePoint now{xyz(begin), from.velocity[i]};
            if (!whole()) now = interpolated(now, {xyz(to.position_mass[i]), to.velocity[i]}, point);
            put(0, i, {now.x.x, now.x.y, now.x.z, begin.w});
            put(1, i, {now.v.x, now.v.y, now.v.z, 0});
        }
    });
    return state;
}

BodyState Interpolation::at(double time, Precision precision) const {
    return precision == Precision::kSingle ? made<float>(time) : made<double>(time);
}

std::vector<BodyField> Interpolation::fields(double time) const {
    std::vector<BodyField> all = from_->bodies.fields;
    if (whole()) return all;
    const auto share = static_cast<float>((time - from_->time) / (to_->time - from_->time));
    for (BodyField& field : all) {
        const auto& later = to_->bodies.fields;
        const auto other = std::ranges::find(later, field.name, &BodyField::name);
        if (field.whole || other == later.end()) continue;
        const std::vector<float>&a = *field.values, &b = *other->values;
        std::vector<float> values(a.size());
        in_parts(pool_, a.size(), [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) values[i] = (1 - share) * a[i] + share * b[i];
        });
        field = with_values(field, std::move(values));
    }
    return all;
}

}  // namespace orrery
