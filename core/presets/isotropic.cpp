// SPDX-License-Identifier: MIT
#include "core/presets/isotropic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/presets/placement.hpp"

namespace orrery {
namespace {

constexpr std::size_t kIsotropicRadii = 1024, kEnergies = 600, kSpeeds = 64, kQuantiles = 1 << 14;

double at(const std::vector<double>& values, double place) {
    const double inside = std::clamp(place, 0.0, static_cast<double>(values.size() - 1));
    const std::size_t i = std::min(static_cast<std::size_t>(inside), values.size() - 2);
    return values[i] + (inside - static_cast<double>(i)) * (values[i + 1] - values[i]);
}

/// Fractional index of `value` among ascending `values`.
double place_among(const std::vector<double>& values, double value) {
    const auto above = std::ranges::upper_bound(values, value);
    if (above == values.begin()) return 0;
    if (above == values.end()) return static_cast<double>(values.size() - 1);
    const double low = *(above - 1), high = *above;
    return static_cast<double>(above - values.begin() - 1) + (value - low) / (high - low);
}

}  // namespace

IsotropicSphere::IsotropicSphere(const Profile& density, double first, double last, const Profile& acceleration)
    : EnclosedMass{density, first, last} {
    acceleration ? integrate(acceleration) : make_potential(density);
    make_distribution();
    make_bounds();
    for (std::size_t i = 0; i < kQuantiles; ++i)
        quantile_.push_back(place_among(mass_, static_cast<double>(i) / (kQuantiles - 1)));
}

/// M(r) by Simpson's rule between radii; then everything is scaled to mass 1.
EnclosedMass::EnclosedMass(const Profile& density, double first, double last) {
    for (std::size_t i = 0; i < kIsotropicRadii; ++i)
        radius_.push_back(first * std::pow(last / first, static_cast<double>(i) / (kIsotropicRadii - 1)));
    const auto shell = [&](double r) { return 4 * std::numbers::pi * r * r * density(r); };
    mass_ = {radius_.front() / 3 * shell(radius_.front())};
    for (std::size_t i = 1; i < kIsotropicRadii; ++i) {
        const double a = radius_[i - 1], b = radius_[i];
        mass_.push_back(mass_.back() + (b - a) / 6 * (shell(a) + 4 * shell((a + b) / 2) + shell(b)));
    }
    const double all = mass_.back();
    for (double& mass : mass_) mass /= all;
    for (const double r : radius_) density_.push_back(density(r) / all);
}

/// Ψ(r) = M(r)/r + ∫ 4π ρ r dr from r to the edge.
void IsotropicSphere::make_potential(const Profile& density) {
    const double scale = density_.front() / density(radius_.front());
    const auto shell = [&](double r) { return 4 * std::numbers::pi * r * density(r) * scale; };
    potential_.assign(kIsotropicRadii, 0);
    double outside = 0;
    for (std::size_t i = kIsotropicRadii; i-- > 0;) {
        if (i + 1 < kIsotropicRadii) {
            const double a = radius_[i], b = radius_[i + 1];
            outside += (b - a) / 6 * (shell(a) + 4 * shell((a + b) / 2) + shell(b));
        }
        potential_[i] = mass_[i] / radius_[i] + outside;
    }
}

/// Ψ(r) = ∫ g dr from r to the edge.
void IsotropicSphere::integrate(const Profile& acceleration) {
    potential_.assign(kIsotropicRadii, 0);
    for (std::size_t i = kIsotropicRadii - 1; i-- > 0;) {
        const double a = radius_[i], b = radius_[i + 1];
        potential_[i] =
            potential_[i + 1] + (b - a) / 6 * (acceleration(a) + 4 * acceleration((a + b) / 2) + acceleration(b));
    }
}

/// f(E) = 1/(√8 π²) d/dE ∫ dρ/√(E - Ψ) over 0 < Ψ < E, with energies and potentials relative to the edge. Between two
/// radii ρ is taken as linear in Ψ, so that the integral becomes a sum of square roots.
void IsotropicSphere::make_distribution() {
    const double edge = potential_.back(), deepest = potential_.front() - edge;
    std::vector<double> integral, slopes;
    for (std::size_t i = 0; i + 1 < kIsotropicRadii; ++i)
        slopes.push_back((density_[i] - density_[i + 1]) / (potential_[i] - potential_[i + 1]));
    for (std::size_t k = 0; k <= kEnergies; ++k) {
        // Dense at both ends, to resolve the outskirts and the cusp.
        const double part = static_cast<double>(k) / kEnergies;
        energy_.push_back(deepest * (1 - std::cos(std::numbers::pi * part)) / 2);
        double sum = 0, above_low = std::sqrt(energy_.back());
        for (std::size_t i = kIsotropicRadii - 1; i-- > 0;) {
            const double low = potential_[i + 1] - edge, high = std::min(potential_[i] - edge, energy_.back());
            if (high <= low) break;
            const double above_high = std::sqrt(energy_.back() - high);
            sum += 2 * slopes[i] * (above_low - above_high);
            above_low = above_high;
        }
        // A density that ends in a step has bodies that just reach the edge.
        integral.push_back(sum);
    }
    const double scale = 1 / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
    for (std::size_t k = 0; k <= kEnergies; ++k) {
        const std::size_t low = k == 0 ? 0 : k - 1, high = std::min(k + 1, kEnergies);
        const double slope = (integral[high] - integral[low]) / (energy_[high] - energy_[low]);
        distribution_.push_back(std::max(0.0, scale * slope));
    }
}

double IsotropicSphere::distribution(double energy) const {
    if (!(energy > 0)) return 0;
    // Inverts the spacing of the energies.
    const double part = std::clamp(1 - 2 * energy / energy_.back(), -1.0, 1.0);
    return at(distribution_, std::acos(part) / std::numbers::pi * kEnergies);
}

void IsotropicSphere::make_bounds() {
    for (const double potential : potential_) {
        const double depth = potential - potential_.back();
        double most = 0;
        for (std::size_t k = 1; k < kSpeeds; ++k) {
            const double q = static_cast<double>(k) / kSpeeds;
            most = std::max(most, q * q * distribution(depth * (1 - q * q)));
        }
        bound_.push_back(1.1 * most);
    }
}

double EnclosedMass::place_of(double r) const {
    return std::log(r / radius_.front()) / std::log(radius_.back() / radius_.front()) * (kIsotropicRadii - 1);
}

double EnclosedMass::mass_within(double r) const { return r <= 0 ? 0 : at(mass_, place_of(r)); }
double IsotropicSphere::potential(double r) const { return at(potential_, place_of(std::max(r, radius_.front()))); }

/// Rejection sampling from v² f.
double IsotropicSphere::speed(double place, Random& random) const {
    const double depth = at(potential_, place) - potential_.back();
    const std::size_t i = std::min(static_cast<std::size_t>(place), kIsotropicRadii - 2);
    const double bound = std::max(bound_[i], bound_[i + 1]);
    if (!(bound > 0)) return 0;
    for (;;) {
        const double q = random.uniform();
        if (random.uniform() * bound < q * q * distribution(depth * (1 - q * q))) return q * std::sqrt(2 * depth);
    }
}

void IsotropicSphere::add(std::size_t count, double mass, Random& random, Placement& to) const {
    const double step = std::log(radius_.back() / radius_.front()) / (kIsotropicRadii - 1);
    to.add_in_blocks(count, mass, random, [sphere = *this, step, count](std::size_t i, Random& own) {
        // One body in each of equal parts of the mass: less noise than independent samples.
        const double place = at(sphere.quantile_, stratified(i, count, own) * (kQuantiles - 1));
        const double r = sphere.radius_.front() * std::exp(step * place);
        const double v = sphere.speed(place, own);
        const Vec3d out = own.direction(), along = own.direction();
        return NewBody{r * out, v * along};
    });
}

}  // namespace orrery
