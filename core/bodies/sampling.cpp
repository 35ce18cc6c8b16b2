// SPDX-License-Identifier: MIT
#include "core/bodies/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/vec.hpp"

namespace orrery {
namespace {

/// The value below which `fraction` of `values` lie; reorders them.
template <class T>
T quantile(std::vector<T>& values, double fraction) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

std::vector<std::size_t> sample_indices(std::size_t count, std::size_t samples) {
    samples = std::min(samples, count);
    std::vector<std::size_t> indices(samples);
    for (std::size_t k = 0; k < samples; ++k) indices[k] = k * count / samples;
    return indices;
}

std::vector<float> ranks_by_id(std::span<const std::uint64_t> ids) {
    std::vector<std::uint64_t> sorted(ids.begin(), ids.end());
    std::ranges::sort(sorted);
    std::vector<float> ranks;
    ranks.reserve(ids.size());
    for (const std::uint64_t id : ids)
        ranks.push_back(static_cast<float>(std::ranges::lower_bound(sorted, id) - sorted.begin()));
    return ranks;
}

ForceError compare(std::span<const Vec4d> found, std::span<const Vec4d> reference) {
    double difference2 = 0, reference2 = 0;
    std::vector<double> relative(found.size());
    const auto ratio = [](double d2, double r2) {
        return d2 == 0 ? 0 : r2 == 0 ? std::numeric_limits<double>::infinity() : std::sqrt(d2 / r2);
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Vec3d r = xyz(reference[i]), d = xyz(found[i]) - r;
        difference2 += dot(d, d);
        reference2 += dot(r, r);
        relative[i] = ratio(dot(d, d), dot(r, r));
    }
    if (found.empty()) return {};
    ForceError error{.rms = ratio(difference2, reference2), .samples = found.size()};
    if (std::isnan(difference2)) error.rms = std::numeric_limits<double>::infinity();  // NaN must not pass a "<="
    for (double& x : relative)
        if (std::isnan(x)) x = std::numeric_limits<double>::infinity();
    error.median = quantile(relative, 0.5);
    error.p99 = quantile(relative, 0.99);
    error.max = *std::ranges::max_element(relative);
    return error;
}

FrameExtent extent_of(std::vector<Vec4f> sample, ColorBy color_by) {
    if (sample.empty()) return {.color_by = color_by};
    std::vector<float> values(sample.size());
    const auto quantile_of = [&](auto member, double fraction) {
        std::ranges::transform(sample, values.begin(), member);
        return static_cast<double>(quantile(values, fraction));
    };
    FrameExtent extent{.color_by = color_by};
    extent.centre = {quantile_of(&Vec4f::x, 0.5), quantile_of(&Vec4f::y, 0.5), quantile_of(&Vec4f::z, 0.5)};
    extent.radius = quantile_of(
        [&](const Vec4f& v) {
            const Vec3d r = Vec3d{v.x, v.y, v.z} - extent.centre;
            return static_cast<float>(std::sqrt(dot(r, r)));
        },
        sample.size() < 100 ? 1.0 : 0.9);  // with few bodies, all of them must be in view
    if (!(extent.radius > 0)) extent.radius = 1;
    if (color_by == ColorBy::kField ||
        color_by == ColorBy::kStarlight) {  // quantiles are those of the bodies with a value
        std::erase_if(sample, [](const Vec4f& v) { return std::isnan(v.w); });
        if (sample.empty()) return extent;
        values.resize(sample.size());
    }
    extent.scalar_low = quantile_of(&Vec4f::w, 0.02);
    extent.scalar_high = quantile_of(&Vec4f::w, 0.98);
    if (!(extent.scalar_high > extent.scalar_low)) extent.scalar_high = extent.scalar_low + 1;
    return extent;
}

std::optional<std::size_t> first_not_finite(const Bodies& bodies) {
    // x − x is not 0 for both NaN and ∞.
    const auto bad = [](const auto& v) { return !((v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0); };
    const auto at = [](const auto& column, const auto body) {
        return body == column.end() ? std::nullopt : std::optional{static_cast<std::size_t>(body - column.begin())};
    };
    const auto place = at(bodies.position_mass, std::ranges::find_if(bodies.position_mass, bad));
    return place ? place : at(bodies.velocity, std::ranges::find_if(bodies.velocity, bad));
}

double net_force(std::span<const Vec4d> position_mass, std::span<const Vec4d> accelerations) {
    CompensatedSum sizes;
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
