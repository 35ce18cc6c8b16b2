// SPDX-License-Identifier: MIT
#include "core/analysis/subject.hpp"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace orrery
