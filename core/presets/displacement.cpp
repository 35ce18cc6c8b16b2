// SPDX-License-Identifier: MIT
#include "core/presets/displacement.hpp"

#include <cmath>

namespace orrery {

Vec3d first_order(std::span<const Wave> waves, Vec3d q) {
    Vec3d s{};
    for (const Wave& wave : waves) s = s + std::cos(dot(wave.k, q) + wave.phase) * wave.amplitude;
    return s;
}

namespace {

/// K/|K|², or 0 if the waves cancel: such a pair has no source.
Vec3d inverse(Vec3d k) {
    const double k2 = dot(k, k);
    return k2 > 0 ? (1 / k2) * k : Vec3d{};
}

}  // namespace

/// The source of two waves is w sin a sin b = w/2 (cos(a − b) − cos(a + b)), w = k·A k'·A' (1 − μ²), where μ is the
/// cosine of the angle between them. Hence ∇ψ contains w/2 (K₋/K₋² sin(a − b) − K₊/K₊² sin(a + b)), which is expanded
/// into terms of sin a cos b and sin b cos a.
SecondOrder::SecondOrder(std::span<const Wave> waves)
    : waves_(waves.begin(), waves.end()), pairs_(waves.size() * waves.size()), gradient_(pairs_.size()) {
    for (std::size_t a = 0; a < waves.size(); ++a)
        for (std::size_t b = 0; b < waves.size(); ++b) {
            const Vec3d ka = waves[a].k, kb = waves[b].k;
            if (a == b) continue;
            const Vec3d across = cross(ka, kb);
            const double apart = dot(across, across) / (dot(ka, ka) * dot(kb, kb));
            const double w = dot(ka, waves[a].amplitude) * dot(kb, waves[b].amplitude) * apart;
            if (w == 0) continue;
            pairs_[a * waves.size() + b] = w / 2;  // counted in either order
            gradient_[a * waves.size() + b] = (w / 2) * (inverse(ka - kb) - inverse(ka + kb));
        }
}

double SecondOrder::source(Vec3d q) const {
    double sum = 0;
    for (std::size_t a = 0; a < waves_.size(); ++a)
        for (std::size_t b = 0; b < waves_.size(); ++b)
            sum += pairs_[a * waves_.size() + b] * std::sin(dot(waves_[a].k, q) + waves_[a].phase) *
                   std::sin(dot(waves_[b].k, q) + waves_[b].phase);
    return sum;
}

Vec3d SecondOrder::displacement(Vec3d q) const {
    const std::size_t count = waves_.size();
    Vec3d sum{};
    std::vector<double> cosines(count);
    for (std::size_t b = 0; b < count; ++b) cosines[b] = std::cos(dot(waves_[b].k, q) + waves_[b].phase);
    for (std::size_t a = 0; a < count; ++a) {
        const Vec3d* const row = gradient_.data() + a * count;
        Vec3d of{};
        for (std::size_t b = 0; b < count; ++b) of = of + cosines[b] * row[b];
        sum = sum + std::sin(dot(waves_[a].k, q) + waves_[a].phase) * of;
    }
    return (-3.0 / 7) * sum;
}

}  // namespace orrery
