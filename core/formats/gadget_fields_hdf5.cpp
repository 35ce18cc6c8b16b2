// SPDX-License-Identifier: MIT
// The fields of HDF5 snapshots of Gadget and related programs, with their units. Attributes of the data sets:
// Gadget-4 and AREPO (Springel et al. 2021, MNRAS 506, 2871): a_scaling, h_scaling, length_scaling, mass_scaling,
// velocity_scaling; SWIFT (Schaller et al. 2024, MNRAS 530, 2378): exponents of U_M, U_L, U_t, U_I, U_T and of a; EAGLE
// (McAlpine et al. 2016, Astron. Comput. 15, 72): aexp-scale-exponent, h-scale-exponent, CGSConversionFactor.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/gadget_species_hdf5.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {
namespace {

/// Units of the quantities that programs write without attributes.
struct KnownUnit {
    std::string_view name;
    UnitPowers powers;
};
constexpr std::array kKnownUnits{
    KnownUnit{"InternalEnergy", {.velocity = 2}},
    KnownUnit{"InternalEnergies", {.velocity = 2}},
    KnownUnit{"Density", {.length = -3, .mass = 1}},
    KnownUnit{"Densities", {.length = -3, .mass = 1}},
    KnownUnit{"SmoothingLength", {.length = 1}},
    KnownUnit{"SmoothingLengths", {.length = 1}},
    KnownUnit{"Coordinates", {.length = 1}},
    KnownUnit{"Velocities", {.velocity = 1}},
    KnownUnit{"Velocity", {.velocity = 1}},
    KnownUnit{"Masses", {.mass = 1}},
    KnownUnit{"Mass", {.mass = 1}},
    KnownUnit{"Potential", {.velocity = 2}},
    KnownUnit{"Potentials", {.velocity = 2}},
    KnownUnit{"Temperature", {.temperature = 1}},
    KnownUnit{"Temperatures", {.temperature = 1}},
    KnownUnit{"MaximumTemperature", {.temperature = 1}},
};

/// A unit with a name, in cgs.
struct Named {
    std::string_view word;
    double cgs;
};
constexpr std::array kLengths{Named{"kpc", 3.0857e21}, Named{"Mpc", 3.0857e24}, Named{"pc", 3.0857e18},
                              Named{"AU", 1.496e13},   Named{"km", 1e5},        Named{"m", 100},
                              Named{"cm", 1}};
constexpr std::array kMassesOfUnits{Named{"M☉", 1.989e33}, Named{"10¹⁰M☉", 1.989e43}, Named{"kg", 1000}, Named{"g", 1}};
constexpr std::array kSpeeds{Named{"km/s", 1e5}, Named{"m/s", 100}, Named{"cm/s", 1}};

std::string word_of(std::span<const Named> known, double cgs, std::string_view plain) {
    const auto found = std::ranges::find_if(known, [&](const Named& n) { return std::abs(cgs / n.cgs - 1) < 2e-3; });
    return found == known.end() ? fmt::format("({:.5g} {})", cgs, plain) : std::string{found->word};
}

/// The first positive number under one of the names; 0: none.
double stated_number(const Reader& file, std::initializer_list<const char*> names) {
    for (const char* group : {"Header", "Units", "Parameters", "Cosmology"}) {
        if (!file.has(group)) continue;
        for (const char* name : names)
            if (const auto value = file.number(group, name); value && *value > 0) return *value;
    }
    return 0;
}

StatedUnits unit_values(const Reader& file) {
    const auto number = [&](std::initializer_list<const char*> names) { return stated_number(file, names); };
    StatedUnits values{.length = number({"UnitLength_in_cm", "UnitLength_In_CGS", "Unit length in cgs (U_L)"}),
                       .mass = number({"UnitMass_in_g", "UnitMass_In_CGS", "Unit mass in cgs (U_M)"}),
                       .velocity = number({"UnitVelocity_in_cm_per_s", "UnitVelocity_In_CGS"}),
                       .a = number({"Scale-factor", "ExpansionFactor"}),
                       .h = number({"HubbleParam", "h"})};
    const double time = number({"Unit time in cgs (U_t)"});
    if (values.velocity == 0 && time > 0) values.velocity = values.length / time;
    if (values.a > 0 || !file.has("Header")) return values;
    if (const auto redshift = file.number("Header", "Redshift"); redshift && *redshift > -1)
        values.a = 1 / (1 + *redshift);
    return values;
}

/// The unit of these powers in cgs and K; 0 if the file does not state what is needed.
double unit_in_cgs(const UnitPowers& powers, const StatedUnits& values) {
    double cgs = 1;
    for (const auto& [unit, power] : {std::pair{values.length, powers.length},
                                      {values.mass, powers.mass},
                                      {values.velocity, powers.velocity},
                                      {values.a, powers.a},
                                      {values.h, powers.h}})
        if (power != 0) cgs *= unit > 0 ? std::pow(unit, power) : 0;
    return cgs;
}

bool is_velocity(std::string_view name) { return name == "Velocities" || name == "Velocity"; }

/// A number or text of a data set; those of an unexpected form do not matter.
std::optional<double> number_of(const SpeciesPart& part, const std::string& set, const char* name) {
    try {
        return part.file.number(set, name);
    } catch (const Error&) {
        return std::nullopt;
    }
}
std::string text_of(const SpeciesPart& part, const std::string& set, const char* name) {
    try {
        return part.file.text(set, name).value_or("");
    } catch (const Error&) {
        return {};
    }
}

std::optional<UnitPowers> powers_of(const SpeciesPart& part, const std::string& set, std::string_view name) {
    const auto number = [&](const char* attribute) { return number_of(part, set, attribute).value_or(0); };
    if (number_of(part, set, "U_L exponent")) {  // SWIFT
        const double time = number("U_t exponent");
        return UnitPowers{.length = number("U_L exponent") + time,
                          .mass = number("U_M exponent"),
                          .velocity = -time,
                          .temperature = number("U_T exponent"),
                          .a = number("a-scale exponent"),
                          .h = number("h-scale exponent")};
    }
    if (number_of(part, set, "length_scaling"))  // Gadget-4, AREPO
        return UnitPowers{.length = number("length_scaling"),
                          .mass = number("mass_scaling"),
                          .velocity = number("velocity_scaling"),
                          .a = number("a_scaling"),
                          .h = number("h_scaling")};
    const auto known = std::ranges::find(kKnownUnits, name, &KnownUnit::name);
    auto powers = known == kKnownUnits.end() ? std::nullopt : std::optional{known->powers};
    if (!powers) return powers;
    if (const auto a = number_of(part, set, "aexp-scale-exponent"))  // EAGLE
        powers->a = *a, powers->h = number("h-scale-exponent");
    else if (scale_factor_in(part.file) > 0)  // Gadget's convention; its potentials are left as they are
        powers->a = powers->length + (is_velocity(name) ? 0.5 : 0), powers->h = -powers->length - powers->mass;
    return powers;
}

std::string meaning_of(const SpeciesPart& part, const std::string& set) {
    std::string text = text_of(part, set, "Description");
    if (text.empty()) text = text_of(part, set, "VarDescription");
    std::ranges::replace(text, '\n', ' ');
    return text;
}

bool is_number(const Shape& shape) { return shape.kind == H5T_FLOAT || shape.kind == H5T_INTEGER; }

/// The shape of a data set of this species' bodies; empty if it is something else.
std::optional<Shape> shape_of(const SpeciesPart& part, const std::string& set) {
    try {
        const Shape shape = part.file.shape(set);
        return is_number(shape) && shape.rows == part.bodies ? std::optional{shape} : std::nullopt;
    } catch (const Error&) {  // not rows of numbers
        return std::nullopt;
    }
}

std::vector<FieldInfo> list(const std::filesystem::path& path) {
    std::vector<FieldInfo> all;
    for_each_species(path, [&](const SpeciesPart& part) {
        const auto k = static_cast<std::size_t>(part.species);
        for (const std::string& name : part.file.data_sets(part.group)) {
            const std::string set = fmt::format("{}/{}", part.group, name);
            const auto shape = shape_of(part, set);
            if (!shape) continue;
            auto known = std::ranges::find(all, name, &FieldInfo::name);
            if (known != all.end() && known->components != shape->columns) continue;
            if (known == all.end()) {
                const auto powers = powers_of(part, set, name);
                const StatedUnits units = unit_values(part.file);
                all.push_back({.name = name,
                               .unit = powers ? unit_text(*powers, words_of(units)) : "",
                               .what = meaning_of(part, set),
                               .components = shape->columns,
                               .bytes = shape->bytes,
                               .whole = shape->kind == H5T_INTEGER,
                               .powers = powers,
                               .cgs = powers ? unit_in_cgs(*powers, units) : 0});
                known = all.end() - 1;
            }
            known->species.set(k);
            known->bodies += part.bodies;
        }
    });
    return all;
}

void read(const std::filesystem::path& path, const FieldInfo& field, const TakeNumbers& take) {
    constexpr double kMostExact = 9007199254740992.0;  // 2^53
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> numbers;
    for_each_species(path, [&](const SpeciesPart& part) {
        const std::string set = fmt::format("{}/{}", part.group, field.name);
        std::optional<ReadColumn> column;
        if (part.file.has(set)) {
            const Shape shape = part.file.shape(set);
            if (is_number(shape) && shape.columns == field.components)
                column = part.file.column(set, part.bodies, field.components, shape.kind);
        }
        for (std::uint64_t first = 0; first < part.bodies; first += kRows) {
            const std::uint64_t now = std::min(kRows, part.bodies - first);
            numbers.assign(static_cast<std::size_t>(now * field.components), kNone);
            if (column) part.file.read(*column, first, now, Number::kDouble, numbers.data());
            if (column && field.whole && field.bytes == 8)
                for (double& number : numbers)
                    if (!(std::abs(number) < kMostExact)) number = kNone;
            take(numbers);
        }
    });
}

constexpr FieldReaders kReaders{list, read};

}  // namespace

UnitWords words_of(const StatedUnits& values) {
    UnitWords words;
    if (values.length > 0) words.length = word_of(kLengths, values.length, "cm");
    if (values.mass > 0) words.mass = word_of(kMassesOfUnits, values.mass, "g");
    if (values.velocity > 0) words.velocity = word_of(kSpeeds, values.velocity, "cm/s");
    return words;
}

double expansion_in(const Reader& file) {
    if (file.has("Cosmology") && file.number("Cosmology", "Cosmological run").value_or(0) != 0)  // SWIFT
        return stated_number(file, {"Scale-factor"});
    return scale_factor_in(file);
}

/// SWIFT states its powers, and those of other programs follow from attributes or Gadget's convention.
Cosmology cosmology_in(const SpeciesPart& part) {
    const Reader& file = part.file;
    Cosmology found{.omega = stated_number(file, {"Omega0", "Omega_m"}),
                    .lambda = stated_number(file, {"OmegaLambda", "Omega_lambda"}),
                    .hubble = stated_number(file, {"HubbleParam", "h"}),
                    .scale_factor = expansion_in(file)};
    if (!(found.scale_factor > 0)) return {};
    for (const char* const name : {"Coordinates", "Velocities"}) {
        const std::string set = fmt::format("{}/{}", part.group, name);
        const auto powers = file.has(set) ? powers_of(part, set, name) : std::nullopt;
        if (powers && is_velocity(name)) found.velocity_a = powers->a;
        if (powers && !is_velocity(name)) found.length_a = powers->a, found.length_h = powers->h;
    }
    return found;
}

StatedUnits stated_units(const std::filesystem::path& path) { return unit_values(Reader{path}); }

const FieldReaders* const kGadgetFields = &kReaders;

}  // namespace orrery::hdf5
