// SPDX-License-Identifier: MIT
#include "core/formats/starlight_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/bodies/optics.hpp"
#include "core/formats/body_quantities.hpp"
#include "core/formats/formats.hpp"
#include "core/physics/starlight.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kSolarMassCgs = 1.98841e33;  // IAU 2015 with CODATA 2018
constexpr std::array<std::string_view, 4> kMassFormed{"GFM_InitialMass", "InitialMasses", "InitialMass", "BirthMass"};

bool has_field(const Bodies& bodies, std::string_view name) {
    return std::ranges::find(bodies.fields, name, &BodyField::name) != bodies.fields.end();
}

/// The name by which metallicities are read: the total comes first where elements follow (GIZMO).
std::optional<std::string> metals_name(const std::vector<FieldInfo>& fields) {
    const FieldInfo* const field = choose_by_name(fields, "Z");
    if (!field) return std::nullopt;
    return field->components == 1 ? field->name : fmt::format("{}[0]", field->name);
}

std::vector<float> values_of(const std::filesystem::path& path, const std::vector<FieldInfo>& fields,
                             const std::string& name, const Bodies& bodies) {
    const FieldChoice choice = choose_field(fields, name, path.string());
    const auto loaded = std::ranges::find(bodies.fields, choice.name, &BodyField::name);
    return loaded != bodies.fields.end() ? *loaded->values : read_choice(path, choice, bodies.size()).values;
}

/// Returns ages in Gyr from times of formation: NaN: unknown, infinite: the body is not a star.
class Ages {
public:
    Ages(const std::filesystem::path& path, const std::vector<FieldInfo>& fields, const Scene& scene) {
        const auto defined = std::ranges::find(scene.bodies.fields, kAgeInGyr, &BodyField::name);
        if (defined != scene.bodies.fields.end())
            values_ = *defined->values;
        else if (choose_by_name(fields, kAgeInGyr))
            values_ = values_of(path, fields, std::string{kAgeInGyr}, scene.bodies);
        if (!values_.empty()) {
            age_ = [](double age) { return age < 0 ? kUnknown : age; };
            return;
        }
        const FieldInfo* const formed = choose_by_name(fields, "age");
        if (!formed)
            usage_error(fmt::format("{}: has no time of formation of stars; define their age: --fields \"{} = ...\"",
                                    path.string(), kAgeInGyr));
        values_ = values_of(path, fields, formed->name, scene.bodies);
        wind_ = formed->name == "GFM_StellarFormationTime";  // AREPO: particles of winds have times up to 0
        const Cosmology& universe = scene.cosmology;
        const double a = scene.scale_factor > 0 ? scene.scale_factor : universe.scale_factor;
        a > 0 && formed->name != "BirthTimes" ? by_scale_factor(path, universe, a) : by_time(path, scene);
    }
    double operator()(std::size_t i) const {
        const auto value = static_cast<double>(values_[i]);
        if (wind_ && value <= 0) return std::numeric_limits<double>::infinity();
        return age_(value);
    }

private:
    void by_scale_factor(const std::filesystem::path& path, const Cosmology& universe, double present) {
        if (!universe.flat())
            usage_error(
                fmt::format("{}: times of formation are scale factors, but it states no flat universe; define ages: "
                            "--fields \"{} = ...\"",
                            path.string(), kAgeInGyr));
        const double now = age_of_universe(present, universe.omega, universe.hubble);
        age_ = [universe, now](double a) {
            const double age = a > 0 ? now - age_of_universe(a, universe.omega, universe.hubble) : kUnknown;
            return age > -1e-3 * now ? std::max(age, 0.0) : kUnknown;  // times are rounded
        };
    }
    void by_time(const std::filesystem::path& path, const Scene& scene) {
        if (!(scene.days_per_time > 0))
            usage_error(
                fmt::format("{}: states no unit of time for the ages of stars; define them: --fields \"{} = ...\"",
                            path.string(), kAgeInGyr));
        const double gyr = scene.days_per_time / (1e9 * kDaysOfYear);
        age_ = [now = scene.time, gyr](double time) {
            const double age = gyr * (now - time);
            return time != -1 && age >= 0 ? age : kUnknown;  // SWIFT: -1 for stars of the initial conditions
        };
    }

    std::vector<float> values_;
    bool wind_ = false;
    std::function<double(double)> age_;
};

bool shines(const Bodies& bodies, std::size_t i, double age) {
    if (std::isinf(age)) return false;
    if (bodies.species.empty()) return !std::isnan(age);
    const Species species = bodies.species[i];
    return species == Species::kDisk || species == Species::kBulge || species == Species::kStars;
}

}  // namespace

bool is_derived(std::string_view name) { return name == kStarlight || adds_light(name); }

bool derivable(std::string_view name, const std::vector<FieldInfo>& fields, const Bodies& bodies) {
    if (name != kDustField)
        return has_field(bodies, kAgeInGyr) || choose_by_name(fields, kAgeInGyr) || choose_by_name(fields, "age");
    return metals_name(fields) && std::ranges::find(bodies.species, Species::kGas) != bodies.species.end();
}

std::vector<BodyField> starlight_fields(const std::filesystem::path& path, const std::vector<FieldInfo>& fields,
                                        Scene& scene) {
    const Bodies& bodies = scene.bodies;
    const Ages ages{path, fields, scene};
    std::vector<float> metals;
    if (const auto name = metals_name(fields))
        metals = values_of(path, fields, *name, bodies);
    else
        scene.notes.push_back(scene.id + ": states no metallicity; stars are drawn with that of the Sun");
    BodyQuantities quantities{bodies, fields, path};
    Quantity mass = quantities("m", {});
    for (const std::string_view name : kMassFormed)
        if (choose_by_name(fields, name)) {
            mass = quantities(std::string{name}, {});
            break;
        }
    const bool solar = quantities("m", {}).cgs > 0;
    const double solar_masses = solar ? (mass.cgs > 0 ? mass.cgs : quantities("m", {}).cgs) / kSolarMassCgs : 1;
    std::array<std::vector<float>, 3> bands;
    for (auto& band : bands) band.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double age = ages(i), z = metals.empty() ? kSolarMetals : static_cast<double>(metals[i]);
        BandLight light{};
        if (shines(bodies, i, age)) {
            const bool known = !std::isnan(age) && !std::isnan(z);
            if (known) light = starlight(age, z);
            const double formed = known ? mass.value(i) * solar_masses : kUnknown;
            light = {light.red * formed, light.green * formed, light.blue * formed};
        }
        bands[0].push_back(static_cast<float>(light.red));
        bands[1].push_back(static_cast<float>(light.green));
        bands[2].push_back(static_cast<float>(light.blue));
    }
    std::vector<BodyField> made;
    for (std::size_t k = 0; k < bands.size(); ++k)
        made.push_back(make_field(std::string{kStarlightFields[k]}, solar ? "L☉" : "", std::move(bands[k])));
    return made;
}

BodyField dust_field(const std::filesystem::path& path, const std::vector<FieldInfo>& fields, const Scene& scene) {
    const Bodies& bodies = scene.bodies;
    const auto name = metals_name(fields);
    if (!name || std::ranges::find(bodies.species, Species::kGas) == bodies.species.end())
        usage_error(
            fmt::format("{}: has no gas with a metallicity, from which dust is derived; define its absorbing "
                        "area: --fields \"{} = ...\"",
                        path.string(), kDustField));
    const std::vector<float> metals = values_of(path, fields, *name, bodies);
    BodyQuantities quantities{bodies, fields, path};
    const Quantity mass = quantities("m", {}), length = quantities("x", {});
    if (!(mass.cgs > 0) || !(length.cgs > 0))
        usage_error(
            fmt::format("{}: states no units for the column of dust; define its absorbing area: --fields "
                        "\"{} = ...\"",
                        path.string(), kDustField));
    const double per_mass = kOpacity * mass.cgs / (length.cgs * length.cgs) / kSolarMetals;
    std::vector<float> areas(bodies.size(), 0.0f);
    for (std::size_t i = 0; i < areas.size(); ++i)
        if (bodies.species[i] == Species::kGas)
            areas[i] = static_cast<float>(per_mass * mass.value(i) * static_cast<double>(metals[i]));
    return make_field(std::string{kDustField}, scene.length_unit.empty() ? "" : scene.length_unit + "^2",
                      std::move(areas));
}

}  // namespace orrery
