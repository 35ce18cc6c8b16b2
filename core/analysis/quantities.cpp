// SPDX-License-Identifier: MIT
#include "core/analysis/analyses.hpp"

#include <array>
#include <cmath>

#include "core/base/pool.hpp"

namespace orrery {
namespace {

double flat_radius(Vec3d x) { return std::hypot(x.x, x.y); }

double radial_velocity(const Subject& s, std::size_t i, double) {
    const double r = length(s.position(i));
    return r > 0 ? dot(s.position(i), s.velocity(i)) / r : 0;
}
double outward_velocity(const Subject& s, std::size_t i, double) {
    const Vec3d x = s.position(i), v = s.velocity(i);
    const double flat = flat_radius(x);
    return flat > 0 ? (x.x * v.x + x.y * v.y) / flat : 0;
}
double around_velocity(const Subject& s, std::size_t i, double) {
    const Vec3d x = s.position(i), v = s.velocity(i);
    const double flat = flat_radius(x);
    return flat > 0 ? (x.x * v.y - x.y * v.x) / flat : 0;
}
double across_velocity(const Subject& s, std::size_t i, double) {
    const Vec3d x = s.position(i);
    const double r = length(x);
    return r > 0 ? length(cross(x, s.velocity(i))) / r : length(s.velocity(i));
}
Vec3d spin(const Subject& s, std::size_t i) { return cross(s.position(i), s.velocity(i)); }

using U = UnitNames;

constexpr auto kQuantities = std::to_array<QuantityEntry>({
    {"x", "x", "position along x, from the centre", "x", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return s.position(i).x; }},
    {"y", "y", "position along y, from the centre", "y", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return s.position(i).y; }},
    {"z", "z", "height along the axis, from the centre", "z", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return s.position(i).z; }},
    {"r", "Radius r", "distance from the centre", "r", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return length(s.position(i)); }, false, true},
    {"R", "Radius R", "distance from the axis", "R", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return flat_radius(s.position(i)); }, false, true},
    {"v_x", "v_x", "velocity along x", "v_x", &U::speed,
     [](const Subject& s, std::size_t i, double) { return s.velocity(i).x; }},
    {"v_y", "v_y", "velocity along y", "v_y", &U::speed,
     [](const Subject& s, std::size_t i, double) { return s.velocity(i).y; }},
    {"v_z", "v_z", "velocity along the axis", "v_z", &U::speed,
     [](const Subject& s, std::size_t i, double) { return s.velocity(i).z; }},
    {"v", "Speed v", "speed against the centre", "v", &U::speed,
     [](const Subject& s, std::size_t i, double) { return length(s.velocity(i)); }, false, true},
    {"v_r", "v_r", "velocity away from the centre", "v_r", &U::speed, radial_velocity},
    {"v_R", "v_R", "velocity away from the axis", "v_R", &U::speed, outward_velocity},
    {"v_phi", "v_φ", "velocity around the axis", "v_φ", &U::speed, around_velocity},
    {"v_t", "v_t", "speed across the direction to the centre", "v_t", &U::speed, across_velocity, false, true},
    {"mass", "Mass", "mass of the body", "mass", &U::mass_text,
     [](const Subject& s, std::size_t i, double) { return s.mass(i); }, false, true},
    {"L", "L", "angular momentum about the centre, per mass", "L", &U::angular_momentum,
     [](const Subject& s, std::size_t i, double) { return length(spin(s, i)); }, false, true},
    {"L_z", "L_z", "angular momentum about the axis, per mass", "L_z", &U::angular_momentum,
     [](const Subject& s, std::size_t i, double) { return spin(s, i).z; }},
    {"phi", "Φ", "potential, per mass", "Φ", &U::energy,
     [](const Subject&, std::size_t, double potential) { return potential; }, true},
    {"E", "Energy E", "energy against the centre, per mass: v²/2 + Φ", "E", &U::energy,
     [](const Subject& s, std::size_t i, double potential) {
         return 0.5 * dot(s.velocity(i), s.velocity(i)) + potential;
     },
     true},
});

}  // namespace

std::span<const QuantityEntry> quantities() { return kQuantities; }

std::vector<double> values_of(const QuantityEntry& quantity, const Subject& subject,
                              std::span<const double> potentials) {
    std::vector<double> values(subject.size());
    by_blocks(subject.pool(), values.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            values[i] = quantity.of(subject, i, potentials.empty() ? 0 : potentials[i]);
        return 0;
    });
    return values;
}

std::string label_of(const QuantityEntry& quantity, const UnitNames& units) {
    return with_unit(std::string{quantity.symbol}, (units.*quantity.unit)());
}

}  // namespace orrery
