// SPDX-License-Identifier: MIT
#include "core/analysis/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/structure.hpp"
#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/base/text.hpp"
#include "core/base/vec.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

/// Name of a unit of time given in days: "Myr", "(977.8 Myr)".
std::string time_text(double days) {
    const TimeUnit& unit = time_unit_of(days);
    const double count = days / unit.days;
    return std::abs(count - 1) < 1e-9 ? std::string{unit.name} : fmt::format("({:.4g} {})", count, unit.name);
}

/// "a/b", or empty if either has no name.
std::string over(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? "" : fmt::format("{}/{}", a, b);
}

}  // namespace

UnitNames::UnitNames(const Scene& scene)
    : length{scene.length_unit},
      mass{scene.mass_unit},
      time{scene.days_per_time > 0 ? time_text(scene.days_per_time) : ""},
      kilometres{std::abs(kilometres_per_second(scene.length_unit, scene.days_per_time) - 1) < 1e-3} {}

std::string UnitNames::speed() const { return kilometres ? "km/s" : over(length, time); }
std::string UnitNames::angular_momentum() const {
    return kilometres ? length + " km/s" : over(length.empty() ? "" : length + "²", time);
}
std::string UnitNames::energy() const {
    if (kilometres) return "km²/s²";
    return length.empty() || time.empty() ? "" : fmt::format("{}²/{}²", length, time);
}
std::string UnitNames::surface_density() const { return over(mass, length.empty() ? "" : length + "²"); }
std::string UnitNames::density() const { return over(mass, length.empty() ? "" : length + "³"); }
std::string UnitNames::frequency() const { return over("1", time); }

std::string with_unit(const std::string& symbol, const std::string& unit) {
    return unit.empty() ? symbol : fmt::format("{} [{}]", symbol, unit);
}

namespace {

/// Marks the bodies named by one part of a list: "disk", "5", "100-199".
void mark(const Bodies& bodies, std::string_view part, std::vector<char>& wanted) {
    for (std::size_t i = 0; i < kSpeciesCount; ++i) {
        if (part != name(static_cast<Species>(i))) continue;
        if (bodies.species.empty()) usage_error(fmt::format("bodies '{}': this scene states no species", part));
        for (std::size_t k = 0; k < bodies.size(); ++k)
            if (bodies.species[k] == static_cast<Species>(i)) wanted[k] = 1;
        return;
    }
    const std::size_t dash = part.find('-');
    std::size_t first = 0, last = 0;
    const bool read = dash == part.npos
                          ? read_number(part, first) && (last = first, true)
                          : read_number(part.substr(0, dash), first) && read_number(part.substr(dash + 1), last);
    if (!read || first > last)
        usage_error(
            fmt::format("bodies '{}': expected a species (gas, halo, disk, bulge, stars, boundary) or a range "
                        "such as 0-99",
                        part));
    if (last >= bodies.size())
        usage_error(fmt::format("bodies '{}': there are only {}, counted from 0", part, bodies.size()));
    std::fill(wanted.begin() + static_cast<std::ptrdiff_t>(first),
              wanted.begin() + static_cast<std::ptrdiff_t>(last) + 1, char{1});
}

Vec3d unit(Vec3d v) { return (1 / length(v)) * v; }

/// Sums over the bodies within a sphere about the centre: mass, momentum and angular momentum.
struct WithinSphere {
    CompensatedSum mass;
    VectorSum momentum, spin;
};

/// Includes the body at the rim despite rounding.
WithinSphere within(Pool& pool, const std::vector<Vec4d>& place, const std::vector<Vec3d>& velocity, double radius) {
    WithinSphere all;
    for (const WithinSphere& part : by_blocks(pool, place.size(), [&](std::size_t first, std::size_t last) {
             WithinSphere sums;
             for (std::size_t i = first; i < last; ++i) {
                 const Vec3d r = xyz(place[i]);
                 if (dot(r, r) > radius * radius * (1 + 1e-9)) continue;
                 sums.mass.add(place[i].w);
                 sums.momentum.add(place[i].w * velocity[i]);
                 sums.spin.add(place[i].w * cross(r, velocity[i]));
             }
             return sums;
         }))
        all.mass.add(part.mass), all.momentum.add(part.momentum), all.spin.add(part.spin);
    return all;
}

}  // namespace

std::vector<std::uint32_t> chosen_bodies(const Bodies& bodies, const std::string& of) {
    std::vector<std::uint32_t> chosen(bodies.size());
    std::iota(chosen.begin(), chosen.end(), 0u);
    if (!of.empty()) {
        std::vector<char> wanted(bodies.size());
        for (std::size_t begin = 0; begin <= of.size();) {
            const std::size_t end = std::min(of.find(',', begin), of.size());
            mark(bodies, std::string_view{of}.substr(begin, end - begin), wanted);
            begin = end + 1;
        }
        std::erase_if(chosen, [&](std::uint32_t i) { return !wanted[i]; });
    }
    if (chosen.empty())
        usage_error(of.empty() ? "there are no bodies" : fmt::format("bodies '{}': no such bodies", of));
    return chosen;
}

Subject::Subject(Pool& pool, const Scene& scene, const AnalysisSettings& settings, AnalysisAxis axis)
    : pool_{pool}, scene_{scene}, units_{scene}, chosen_{chosen_bodies(scene.bodies, settings.of)} {
    const std::size_t count = chosen_.size();
    position_mass_.resize(count), velocity_.resize(count);
    by_blocks(pool_, count, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            position_mass_[i] = scene.bodies.position_mass[chosen_[i]];
            velocity_[i] = scene.bodies.velocity[chosen_[i]];
        }
        return 0;
    });
    if (settings.centre == AnalysisCentre::kDensity) centre_ = density_centre(pool_, position_mass_).place;
    if (settings.centre == AnalysisCentre::kMass) {
        CompensatedSum mass;
        VectorSum moment, momentum;
        for (std::size_t i = 0; i < count; ++i) {
            const double m = position_mass_[i].w;
            mass.add(m), moment.add(m * xyz(position_mass_[i])), momentum.add(m * velocity_[i]);
        }
        if (const double all = mass.value(); all > 0)
            centre_ = (1 / all) * moment.value(), drift_ = (1 / all) * momentum.value();
    }
    for (Vec4d& b : position_mass_) b.x -= centre_.x, b.y -= centre_.y, b.z -= centre_.z;
    if (settings.centre == AnalysisCentre::kDensity) {
        const WithinSphere core = within(pool_, position_mass_, velocity_, radius_of(0.1, false));
        if (core.mass.value() > 0) drift_ = (1 / core.mass.value()) * core.momentum.value();
    }
    for (Vec3d& v : velocity_) v = v - drift_;

    if (settings.axis != AnalysisAxis::kAuto) axis = settings.axis;
    if (axis == AnalysisAxis::kX) x_ = {0, 1, 0}, y_ = {0, 0, 1}, z_ = {1, 0, 0};
    if (axis == AnalysisAxis::kY) x_ = {0, 0, 1}, y_ = {1, 0, 0}, z_ = {0, 1, 0};
    if (axis == AnalysisAxis::kSpin) {
        const Vec3d spin = within(pool_, position_mass_, velocity_, radius_of(0.5, false)).spin.value();
        if (const double size = length(spin); size > 0) {
            z_ = unit(spin);
            const Vec3d other = std::abs(z_.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
            y_ = unit(cross(z_, other)), x_ = cross(y_, z_);
        }
    }
    if (z_ == Vec3d{0, 0, 1}) return;
    by_blocks(pool_, count, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3d r = from_scene(xyz(position_mass_[i]));
            position_mass_[i] = {r.x, r.y, r.z, position_mass_[i].w};
            velocity_[i] = from_scene(velocity_[i]);
        }
        return 0;
    });
}

Vec3d Subject::direction_in_scene(Vec3d d) const { return d.x * x_ + d.y * y_ + d.z * z_; }
Vec3d Subject::in_scene(Vec3d point) const { return centre_ + direction_in_scene(point); }
Vec3d Subject::from_scene(Vec3d d) const { return {dot(d, x_), dot(d, y_), dot(d, z_)}; }

double Subject::radius_of(double share, bool cylindrical) const {
    struct Shell {
        double radius2, mass;
    };
    std::vector<Shell> shells(size());
    CompensatedSum all;
    for (std::size_t i = 0; i < size(); ++i) {
        const Vec4d& b = position_mass_[i];
        shells[i] = {b.x * b.x + b.y * b.y + (cylindrical ? 0 : b.z * b.z), b.w};
        all.add(b.w);
    }
    // Selects by bisection of the interval that contains the radius, without a full sort.
    double wanted = share * all.value() * (1 - 1e-12);
    std::size_t low = 0, high = shells.size();
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        std::nth_element(shells.begin() + static_cast<std::ptrdiff_t>(low),
                         shells.begin() + static_cast<std::ptrdiff_t>(middle),
                         shells.begin() + static_cast<std::ptrdiff_t>(high),
                         [](const Shell& a, const Shell& b) { return a.radius2 < b.radius2; });
        double below = 0;
        for (std::size_t i = low; i < middle; ++i) below += shells[i].mass;
        if (below >= wanted)
            high = middle;
        else
            wanted -= below, low = middle;
    }
    return shells.empty() ? 0 : std::sqrt(shells[low].radius2);
}

}  // namespace orrery
