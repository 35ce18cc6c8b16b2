// SPDX-License-Identifier: MIT
#include "core/analysis/units.hpp"

#include <fmt/format.h>

namespace orrery {
namespace {

/// A unit of time of so many days, in the largest of those in use that it has at least one of.
std::string time_text(double days) {
    constexpr double kYear = 365.25;
    struct Unit {
        double days;
        const char* name;
    };
    for (const Unit unit : {Unit{1e9 * kYear, "Gyr"}, Unit{1e6 * kYear, "Myr"}, Unit{kYear, "yr"}, Unit{1, "d"}})
        if (days >= 0.1 * unit.days) {
            const double count = days / unit.days;
            return count == 1 ? unit.name : fmt::format("({:.4g} {})", count, unit.name);
        }
    return fmt::format("({:.4g} s)", 86400 * days);
}

/// "a/b", and nothing if either has no name.
std::string over(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? "" : fmt::format("{}/{}", a, b);
}

}  // namespace

UnitNames::UnitNames(const Scene& scene)
    : length{scene.length_unit},
      mass{scene.mass_unit},
      time{scene.days_per_time > 0 ? time_text(scene.days_per_time) : ""} {}

std::string UnitNames::speed() const { return over(length, time); }
std::string UnitNames::angular_momentum() const { return over(length.empty() ? "" : length + "²", time); }
std::string UnitNames::energy() const {
    return length.empty() || time.empty() ? "" : fmt::format("{}²/{}²", length, time);
}
std::string UnitNames::surface_density() const { return over(mass, length.empty() ? "" : length + "²"); }
std::string UnitNames::density() const { return over(mass, length.empty() ? "" : length + "³"); }
std::string UnitNames::frequency() const { return over("1", time); }

std::string with_unit(const std::string& symbol, const std::string& unit) {
    return unit.empty() ? symbol : fmt::format("{} [{}]", symbol, unit);
}

}  // namespace orrery
