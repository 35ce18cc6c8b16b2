// SPDX-License-Identifier: MIT
#include "core/presets/galaxy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/presets/centre.hpp"

namespace orrery {
namespace {

constexpr double kDiscMass = 0.22, kBulgeMass = 0.08, kHaloMass = 0.70;  // fractions of the mass
constexpr double kBulgeBodies = 0.10, kHaloBodies = 0.16;                // fractions of the bodies; the rest is disc
constexpr double kDiscEdge = 3.5, kThickness = 0.06;                     // in R_d; sech² of this height
constexpr double kBulgeLength = 0.18, kBulgeEdge = 2.5;                  // in R_d
constexpr double kHaloLength = 2.5, kHaloEdge = 12;                      // in R_d
constexpr double kToomre = 1.2;                                          // Q: warm enough not to break up
constexpr double kFastest = 0.95;                                        // of the escape speed
constexpr std::size_t kCurveSteps = 128, kRadii = 256, kRings = 160, kAround = 96;

double between(const std::vector<double>& values, double place) {
    const double inside = std::clamp(place, 0.0, static_cast<double>(values.size() - 1));
    const std::size_t i = std::min(static_cast<std::size_t>(inside), values.size() - 2);
    return std::lerp(values[i], values[i + 1], inside - static_cast<double>(i));
}

/// Equal parts of (0, 1), one number in each: less noise than as many independent ones.
double stratified(std::size_t i, std::size_t count, Random& random) {
    return (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
}

/// Mass of an exponential disc within x scale lengths, of 1.
double exponential_mass(double x) { return 1 - (1 + x) * std::exp(-x); }

}  // namespace

double Galaxy::Sphere::mass_within(double r) const {
    const double inside = std::min(r, edge), all = edge / (edge + length), share = inside / (inside + length);
    return mass * share * share / (all * all);
}

double Galaxy::Sphere::density(double r) const { return r < edge ? 1 / (r * std::pow(r + length, 3)) : 0; }

double Galaxy::Sphere::radius_holding(double fraction) const {
    const double share = std::sqrt(fraction) * edge / (edge + length);
    return length * share / (1 - share);
}

Galaxy::Galaxy(GalaxyShape shape)
    : shape_{shape},
      disc_mass_{kDiscMass * shape.mass},
      bulge_{kBulgeMass * shape.mass, kBulgeLength * shape.disc_length, kBulgeEdge * shape.disc_length, {}},
      halo_{kHaloMass * shape.mass, kHaloLength * shape.disc_length, kHaloEdge * shape.disc_length, {}} {
    const double first = 1e-3 * shape.disc_length;
    for (std::size_t i = 0; i < kRadii; ++i)
        radius_.push_back(first * std::pow(halo_.edge / first, static_cast<double>(i) / (kRadii - 1)));
    make_curve();
    make_dispersion(bulge_);
    make_dispersion(halo_);
    make_escape_speed();
}

double Galaxy::disc_mass_within(double r) const {
    return disc_mass_ * exponential_mass(std::min(r / shape_.disc_length, kDiscEdge)) / exponential_mass(kDiscEdge);
}

double Galaxy::surface_density(double r) const {
    const double length = shape_.disc_length,
                 all = 2 * std::numbers::pi * length * length * exponential_mass(kDiscEdge);
    return disc_mass_ / all * std::exp(-r / length);
}

/// Towards the axis, in the plane, from rings of the disc; its thickness softens as ε does.
double Galaxy::disc_pull(double r) const {
    const double edge = kDiscEdge * shape_.disc_length, height = kThickness * shape_.disc_length;
    const double softening2 = shape_.softening * shape_.softening + height * height;
    double pull = 0;
    for (std::size_t ring = 0; ring < kRings; ++ring) {
        const double inner = edge * static_cast<double>(ring) / kRings, outer = inner + edge / kRings;
        const double s = (inner + outer) / 2, mass = disc_mass_within(outer) - disc_mass_within(inner);
        double sum = 0;
        for (std::size_t k = 0; k < kAround; ++k) {
            const double c = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / kAround);
            sum += (r - s * c) / std::pow(r * r + s * s - 2 * r * s * c + softening2, 1.5);
        }
        pull += mass * sum / kAround;
    }
    return pull;
}

double Galaxy::sphere_pull(double r) const {
    const double mass = bulge_.mass_within(r) + halo_.mass_within(r);
    return mass * r / std::pow(r * r + shape_.softening * shape_.softening, 1.5);
}

void Galaxy::make_curve() {
    for (std::size_t i = 0; i <= kCurveSteps; ++i) {
        const double r = kDiscEdge * shape_.disc_length * static_cast<double>(i) / kCurveSteps;
        curve_.push_back(std::max(0.0, r * (disc_pull(r) + sphere_pull(r))));
    }
}

/// σ² = ∫ ρ g dr / ρ from r to the edge; the disc pulls as if it were spread over spheres.
void Galaxy::make_dispersion(Sphere& sphere) const {
    const double softening2 = shape_.softening * shape_.softening;
    const auto weight = [&](double r) {
        const double g = sphere_pull(r) + disc_mass_within(r) * r / std::pow(r * r + softening2, 1.5);
        return sphere.density(r) * g;
    };
    sphere.dispersion.assign(kRadii, 0);
    double integral = 0;
    for (std::size_t i = kRadii - 1; i-- > 0;) {
        integral += (weight(radius_[i]) + weight(radius_[i + 1])) / 2 * (radius_[i + 1] - radius_[i]);
        const double density = sphere.density(radius_[i]);
        sphere.dispersion[i] = density > 0 ? std::sqrt(integral / density) : 0;
    }
}

/// Of all masses as if spread over spheres: what lies within, and the shells outside.
void Galaxy::make_escape_speed() {
    const auto within = [&](double r) { return bulge_.mass_within(r) + halo_.mass_within(r) + disc_mass_within(r); };
    escape_speed_.resize(kRadii);
    double shells = 0, outer = within(radius_.back());
    for (std::size_t i = kRadii; i-- > 0;) {
        const double inner = within(radius_[i]);
        shells += (outer - inner) / radius_[i];
        escape_speed_[i] = std::sqrt(2 * (inner / radius_[i] + shells));
        outer = inner;
    }
}

Galaxy::DiscOrbit Galaxy::disc_orbit(double r) const {
    const double step = kDiscEdge * shape_.disc_length / kCurveSteps, place = r / step;
    const double squared = between(curve_, place);
    const double slope = (between(curve_, place + 0.5) - between(curve_, place - 0.5)) / step;
    const double omega2 = squared / (r * r);
    const double kappa2 = std::max(2 * omega2 + slope / r, omega2);  // between Kepler's and a rigid disc's
    const double sigma = surface_density(r), circular = std::sqrt(squared);
    DiscOrbit orbit{};
    orbit.circular = circular;
    orbit.radial_dispersion = std::min(kToomre * 3.36 * sigma / std::sqrt(kappa2), 0.4 * circular);
    orbit.tangential_dispersion = orbit.radial_dispersion * std::sqrt(kappa2 / (4 * omega2));
    const double height = kThickness * shape_.disc_length;
    orbit.vertical_dispersion =
        std::sqrt(std::numbers::pi * sigma * height * height / std::hypot(height, shape_.softening));
    const double radial2 = orbit.radial_dispersion * orbit.radial_dispersion;
    const double drift = radial2 * (1 - kappa2 / (4 * omega2) - 2 * r / shape_.disc_length);
    orbit.mean = std::sqrt(std::max(0.0, squared + drift));
    return orbit;
}

void Galaxy::add_disc(std::size_t count, double mass, Random& random, Bodies& to) const {
    const double all = exponential_mass(kDiscEdge), length = shape_.disc_length;
    for (std::size_t i = 0; i < count; ++i) {
        const double wanted = all * stratified(i, count, random);
        double low = 0, high = kDiscEdge;
        for (int halving = 0; halving < 40; ++halving) {
            const double middle = (low + high) / 2;
            (exponential_mass(middle) < wanted ? low : high) = middle;
        }
        const double r = length * (low + high) / 2, angle = random.uniform(0, 2 * std::numbers::pi);
        const double z = kThickness * length * std::atanh(random.uniform(-1, 1));
        const DiscOrbit orbit = disc_orbit(r);
        const double out = orbit.radial_dispersion * random.normal();
        const double along = orbit.mean + orbit.tangential_dispersion * random.normal();
        const double up = orbit.vertical_dispersion * random.normal();
        const double c = std::cos(angle), s = std::sin(angle);
        to.add({r * c, r * s, z}, {out * c - along * s, out * s + along * c, up}, mass);
    }
}

void Galaxy::add_sphere(const Sphere& sphere, std::size_t count, double mass, Random& random, Bodies& to) const {
    const double per_step = (kRadii - 1) / std::log(radius_.back() / radius_.front());
    for (std::size_t i = 0; i < count; ++i) {
        const double r = sphere.radius_holding(stratified(i, count, random));
        const double place = std::log(r / radius_.front()) * per_step;
        const double dispersion = between(sphere.dispersion, place);
        const double limit = kFastest * between(escape_speed_, place);
        Vec3d v;
        do v = {dispersion * random.normal(), dispersion * random.normal(), dispersion * random.normal()};
        while (dot(v, v) > limit * limit);
        to.add(r * random.direction(), v, mass);
    }
}

void Galaxy::add(std::size_t count, Random& random, Bodies& to) const {
    const std::size_t first = to.size();
    const auto share = [&](double fraction) {
        return static_cast<std::size_t>(std::lround(fraction * static_cast<double>(count)));
    };
    // A few bodies cannot show three components: what has no body of its own adds its mass to the body in the centre.
    const std::size_t bulge = std::max<std::size_t>(1, share(kBulgeBodies)), halo = share(kHaloBodies);
    const std::size_t disc = count - std::min(count, bulge + halo);
    const double bulge_mass = bulge_.mass + (halo == 0 ? halo_.mass : 0) + (disc == 0 ? disc_mass_ : 0);
    if (disc > 0) add_disc(disc, disc_mass_ / static_cast<double>(disc), random, to);
    if (halo > 0) add_sphere(halo_, halo, halo_.mass / static_cast<double>(halo), random, to);
    if (bulge == 1)
        to.add({}, {}, bulge_mass);
    else
        add_sphere(bulge_, bulge, bulge_mass / static_cast<double>(bulge), random, to);
    centre(to, first);
}

}  // namespace orrery
