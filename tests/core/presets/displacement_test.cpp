// SPDX-License-Identifier: MIT
#include "core/presets/cosmology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

const std::vector<Vec3d>& some_places() {
    static const std::vector<Vec3d> places{{0, 0, 0}, {0.3, -0.2, 0.7}, {-1.1, 0.4, 0.05}, {2, 3, -1}};
    return places;
}

TEST(SecondOrder, IsZeroForParallelPlaneWaves) {
    const Vec3d k{1, 2, -0.5};
    const std::vector<Wave> waves{{k, 0.1 * k, 0.4}, {3.0 * k, -0.02 * k, 2}, {-1.7 * k, 0.05 * k, 5}};
    const SecondOrder second{waves};
    for (const Vec3d q : some_places()) {
        EXPECT_GT(length(first_order(waves, q)), 1e-3);
        EXPECT_LT(length(second.displacement(q)), 1e-16);
        EXPECT_LT(std::abs(second.source(q)), 1e-16);
    }
}

/// s = (A cos a, B cos b, 0) with a = p x + α, b = q y + β: the source is s_x,x s_y,y = A p B q sin a sin b, and ψ is
/// the source over −(p² + q²).
TEST(SecondOrder, MatchesFormulaForTwoCrossedWaves) {
    constexpr double p = 2, q = 3, a0 = 0.3, b0 = 1.1, amplitude_a = 0.07, amplitude_b = -0.04;
    const std::vector<Wave> waves{{{p, 0, 0}, {amplitude_a, 0, 0}, a0}, {{0, q, 0}, {0, amplitude_b, 0}, b0}};
    const SecondOrder second{waves};
    constexpr double w = amplitude_a * p * amplitude_b * q;
    for (const Vec3d at : some_places()) {
        const double a = p * at.x + a0, b = q * at.y + b0;
        EXPECT_NEAR(second.source(at), w * std::sin(a) * std::sin(b), 1e-15);
        const double over = -w / (p * p + q * q);
        const Vec3d s = second.displacement(at);
        EXPECT_NEAR(s.x, -3.0 / 7 * over * p * std::cos(a) * std::sin(b), 1e-15);
        EXPECT_NEAR(s.y, -3.0 / 7 * over * q * std::sin(a) * std::cos(b), 1e-15);
        EXPECT_EQ(s.z, 0);
    }
}

/// For waves in general directions, finite differences of the displacements give the source as s_i,i s_j,j − s_i,j
/// s_j,i and as −7/3 ∇·s₂.
TEST(SecondOrder, SatisfiesItsDefiningEquation) {
    const std::vector<Wave> waves{{{1, 2, 0.3}, 0.1 * Vec3d{1, 2, 0.3}, 0.2},
                                  {{-2, 0.5, 1}, 0.05 * Vec3d{-2, 0.5, 1}, 1.7},
                                  {{0.4, -0.6, 2.2}, -0.08 * Vec3d{0.4, -0.6, 2.2}, 4}};
    const SecondOrder second{waves};
    constexpr double step = 1e-4;
    const std::array<Vec3d, 3> axes{{{step, 0, 0}, {0, step, 0}, {0, 0, step}}};
    for (const Vec3d q : some_places()) {
        double s[3][3], s2[3][3];
        for (std::size_t j = 0; j < 3; ++j) {
            const Vec3d ds = first_order(waves, q + axes[j]) - first_order(waves, q - axes[j]);
            const Vec3d ds2 = second.displacement(q + axes[j]) - second.displacement(q - axes[j]);
            const double u[3] = {ds.x, ds.y, ds.z}, u2[3] = {ds2.x, ds2.y, ds2.z};
            for (int i = 0; i < 3; ++i) s[i][j] = u[i] / (2 * step), s2[i][j] = u2[i] / (2 * step);
        }
        double source = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < i; ++j) source += s[i][i] * s[j][j] - s[i][j] * s[j][i];
        EXPECT_NEAR(second.source(q), source, 1e-7);
        EXPECT_NEAR(-7.0 / 3 * (s2[0][0] + s2[1][1] + s2[2][2]), source, 1e-7);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < i; ++j) EXPECT_NEAR(s2[i][j], s2[j][i], 1e-8) << "a potential has no curl";
    }
}

/// In the middle of three equal crossed waves the infall is isotropic, as in a sphere: s₂ = −δ²/21 q (spherical
/// collapse: F. Bernardeau et al. 2002, Phys. Rep. 367, 1).
TEST(SecondOrder, MatchesSphericalCollapseForIsotropicInfall) {
    constexpr double k = 2, amplitude = 0.05;
    std::vector<Wave> waves;
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        waves.push_back({k * axis, amplitude * axis, std::numbers::pi / 2});  // −A sin k x
    const SecondOrder second{waves};
    const double contrast = 3 * amplitude * k;
    const Vec3d q{1e-4, -2e-4, 3e-4}, s = second.displacement(q), expected = -contrast * contrast / 21 * q;
    EXPECT_LT(length(s - expected), 1e-6 * length(expected));
}

TEST(ZeldovichSphere, SupportsSecondOrderWithVelocities) {
    const PresetConfig first{2000, 3};
    PresetConfig second = first;
    second.displacements = Displacements::kSecond;
    const Bodies one = make_preset("zeldovich", first).bodies, two = make_preset("zeldovich", second).bodies;
    double largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const Vec3d place = xyz(two.position_mass[i]) - xyz(one.position_mass[i]);
        const Vec3d velocity = two.velocity[i] - one.velocity[i];
        ASSERT_LT(length(velocity - 3 * std::numbers::sqrt2 * place), 1e-13) << "H (1 + 2) s₂";
        largest = std::max(largest, length(place));
    }
    EXPECT_GT(largest, 1e-3);
    EXPECT_LT(largest, 0.05);
}

/// |Σ exp(i k·x)|² / N of the tile, for k = 2π/side · (a, b, c), each from −most to most; a from 0.
template <class Each>
void spectrum(const std::vector<Vec3d>& places, double side, int most, const Each& each) {
    using Wavelet = std::complex<double>;
    const auto width = static_cast<std::size_t>(2 * most + 1);
    std::vector<Wavelet> sums(width * width * width);
    std::vector<Wavelet> powers[3];
    for (auto& axis : powers) axis.resize(width);
    for (const Vec3d& at : places) {
        const double x[3] = {at.x, at.y, at.z};
        for (int axis = 0; axis < 3; ++axis)
            for (int n = -most; n <= most; ++n)
                powers[axis][static_cast<std::size_t>(n + most)] = std::polar(1.0, kTurn / side * n * x[axis]);
        for (std::size_t a = width / 2; a < width; ++a)
            for (std::size_t b = 0; b < width; ++b) {
                const Wavelet ab{powers[0][a].real() * powers[1][b].real() - powers[0][a].imag() * powers[1][b].imag(),
                                 powers[0][a].real() * powers[1][b].imag() + powers[0][a].imag() * powers[1][b].real()};
                for (std::size_t c = 0; c < width; ++c) {
                    const Wavelet z = powers[2][c];
                    sums[(a * width + b) * width + c] += Wavelet{ab.real() * z.real() - ab.imag() * z.imag(),
                                                                 ab.real() * z.imag() + ab.imag() * z.real()};
                }
            }
    }
    for (int a = 0; a <= most; ++a)
        for (int b = -most; b <= most; ++b)
            for (int c = -most; c <= most; ++c) {
                if (a == 0 && b == 0 && c == 0) continue;
                const std::size_t i =
                    (static_cast<std::size_t>(a + most) * width + static_cast<std::size_t>(b + most)) * width +
                    static_cast<std::size_t>(c + most);
                each(a * a + b * b + c * c, std::norm(sums[i]) / static_cast<double>(places.size()));
            }
}

TEST(Glass, IsMuchSmootherThanPoissonAndHasNoLattice) {
    const auto tile = glass_tile();
    ASSERT_EQ(tile.size(), kGlassBodies);
    double smooth = 0, largest = 0;
    spectrum(tile, kGlassSide, 18, [&](int n2, double power) {
        if (n2 <= 16) smooth = std::max(smooth, power);  // wavelengths of four spacings and more
        largest = std::max(largest, power);
    });
    EXPECT_LT(smooth, 1e-3) << "independent bodies have 1";
    EXPECT_GT(largest, 1) << "at the spacing of neighbours";
    EXPECT_LT(largest, 60) << "a lattice has " << kGlassBodies;
}

TEST(Glass, HasNoClosePairs) {
    const auto tile = glass_tile();
    const auto image = [](double d) { return d - kGlassSide * std::round(d / kGlassSide); };
    double nearest = 1e9;
    for (std::size_t i = 0; i < tile.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3d d{image(tile[i].x - tile[j].x), image(tile[i].y - tile[j].y), image(tile[i].z - tile[j].z)};
            nearest = std::min(nearest, dot(d, d));
        }
    EXPECT_GT(std::sqrt(nearest), 0.6) << "independent bodies have about 0.05";
}

/// A uniform set of sites samples both sides of a wave equally.
TEST(Glass, DisplacementsSumToZero) {
    constexpr double unit = kTurn / kGlassSide;
    const std::vector<Wave> waves{{unit * Vec3d{1, 0, 0}, {0.2, 0, 0}, 0.3}, {unit * Vec3d{0, 1, 1}, {0, 0.1, 0.1}, 2}};
    const SecondOrder second{waves};
    Vec3d sum{}, sum2{};
    double size = 0, size2 = 0;
    for (const Vec3d& q : glass_tile()) {
        const Vec3d s = first_order(waves, q), s2 = second.displacement(q);
        sum = sum + s, sum2 = sum2 + s2;
        size += length(s), size2 += length(s2);
    }
    EXPECT_LT(length(sum), 1e-3 * size);
    EXPECT_LT(length(sum2), 1e-3 * size2);
}

TEST(ZeldovichSphere, FromAGlassIsUniform) {
    for (const std::size_t count : {1u, 2u, 17u, 5000u, 60000u}) {
        const Bodies bodies = make_preset("zeldovich", {count, 5, Sites::kGlass, Displacements::kSecond}).bodies;
        ASSERT_EQ(bodies.size(), count);
        if (count < 5000) continue;
        std::size_t inside = 0;
        for (const Vec4d& body : bodies.position_mass) inside += length(xyz(body)) < 0.5 ? 1 : 0;
        EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(count), 0.125, 0.05);
    }
    EXPECT_EQ(make_preset("zeldovich", {3000, 5, Sites::kGlass}).bodies.position_mass,
              make_preset("zeldovich", {3000, 5, Sites::kGlass}).bodies.position_mass);
}

}  // namespace
}  // namespace orrery::test
