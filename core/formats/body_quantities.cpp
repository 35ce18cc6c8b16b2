// SPDX-License-Identifier: MIT
#include "core/formats/body_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 9> kOfMotion{"x", "y", "z", "vx", "vy", "vz", "m", "r", "v"};
constexpr std::array<std::string_view, 2> kOfLabels{"species", "id"};

}  // namespace

bool follows_motion(const Expression::Name& name) {
    if (name.component) return name.name == "r" || name.name == "v";
    return std::ranges::find(kOfMotion, name.name) != kOfMotion.end();
}

std::string field_wanted(const Expression::Name& name) {
    if (follows_motion(name)) return {};
    if (!name.component && std::ranges::find(kOfLabels, name.name) != kOfLabels.end()) return {};
    return name.component ? fmt::format("{}[{}]", name.name, *name.component) : name.name;
}

std::vector<float> satisfied(const Expression& condition, BodyQuantities quantities) {
    std::vector<float> values = condition.evaluate(quantities.bodies(), std::ref(quantities));
    for (float& value : values) value = std::isnan(value) || value == 0 ? 0.0f : 1.0f;
    return values;
}

const BodyField* BodyQuantities::loaded(std::string_view name) const {
    const auto of_name = [&](std::string_view wanted) -> const BodyField* {
        const auto found = std::ranges::find(bodies_.fields, wanted, &BodyField::name);
        return found == bodies_.fields.end() ? nullptr : &*found;
    };
    if (const BodyField* const field = of_name(name)) return field;
    if (const BodyField* const length = of_name(fmt::format("|{}|", name))) return length;
    for (const ShortName& known : short_names())
        for (const std::string_view in_file : known.name == name ? known.in_files : std::span<const std::string_view>{})
            if (const BodyField* const field = of_name(in_file)) return field;
    return nullptr;
}

std::optional<Quantity> BodyQuantities::of_sets(const std::string& name) const {
    if (!sets_.has(name)) return std::nullopt;
    if (of_bodies(name, std::nullopt) || choose_by_name(fields_, name) || loaded(name))
        usage_error(fmt::format("selection {}: the bodies have a field of this name; choose another name", name));
    return Quantity{
        [own = sets_.set(name, {bodies_.size(), bodies_.ids})](std::size_t i) { return own.holds(i) ? 1.0 : 0.0; },
        UnitPowers{}, 1};
}

Quantity BodyQuantities::operator()(const std::string& name, std::optional<int> component) {
    if (!component)
        if (auto set = of_sets(name)) return *std::move(set);
    if (auto own = of_bodies(name, component)) return *std::move(own);
    const auto of_field = [](const BodyField& field, std::optional<UnitPowers> powers, double cgs) -> Quantity {
        return {[values = field.values](std::size_t i) { return static_cast<double>((*values)[i]); }, powers, cgs};
    };
    const std::string wanted = component ? fmt::format("{}[{}]", name, *component) : name;
    if (!choose_by_name(fields_, name))
        if (const BodyField* const field = loaded(wanted)) return of_field(*field, {}, 0);
    const FieldChoice choice = choose_field(fields_, wanted, path_.empty() ? "these bodies" : path_.string());
    if (const BodyField* const field = loaded(choice.name))
        return of_field(*field, choice.field.powers, choice.field.cgs);
    if (path_.empty()) usage_error(fmt::format("field {} is not loaded; load it with --fields", choice.name));
    std::vector<float>& values = read_[choice.name];
    if (values.empty()) values = read_choice(path_, choice, bodies_.size()).values;
    return {[&values](std::size_t i) { return static_cast<double>(values[i]); }, choice.field.powers, choice.field.cgs};
}

double BodyQuantities::cgs_of(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
        if (const FieldInfo* field = choose_by_name(fields_, name)) return field->cgs;
    return 0;
}

std::optional<Quantity> BodyQuantities::of_bodies(const std::string& name, std::optional<int> component) const {
    const Bodies& bodies = bodies_;
    const auto part = [](const auto& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    const auto place = [&bodies, part](int k) -> std::function<double(std::size_t)> {
        return [&bodies, part, k](std::size_t i) { return part(bodies.position_mass[i], k); };
    };
    const auto velocity = [&bodies, part](int k) -> std::function<double(std::size_t)> {
        return [&bodies, part, k](std::size_t i) { return part(bodies.velocity[i], k); };
    };
    const UnitPowers of_length{.length = 1}, of_velocity{.velocity = 1}, of_mass{.mass = 1};
    const double length = cgs_of({"Coordinates", "Coordinate"}), speed = cgs_of({"Velocities", "Velocity"});
    if (component) {
        if (name == "r") return Quantity{place(*component), of_length, length};
        if (name == "v") return Quantity{velocity(*component), of_velocity, speed};
        return std::nullopt;
    }
    constexpr std::array<std::string_view, 3> kPlaces{"x", "y", "z"}, kVelocities{"vx", "vy", "vz"};
    for (int k = 0; k < 3; ++k) {
        if (name == kPlaces[static_cast<std::size_t>(k)]) return Quantity{place(k), of_length, length};
        if (name == kVelocities[static_cast<std::size_t>(k)]) return Quantity{velocity(k), of_velocity, speed};
    }
    if (name == "r")
        return Quantity{[&bodies](std::size_t i) {
                            const Vec3d x = xyz(bodies.position_mass[i]);
                            return std::sqrt(dot(x, x));
                        },
                        of_length, length};
    if (name == "v")
        return Quantity{[&bodies](std::size_t i) { return std::sqrt(dot(bodies.velocity[i], bodies.velocity[i])); },
                        of_velocity, speed};
    if (name == "m")
        return Quantity{[&bodies](std::size_t i) { return bodies.position_mass[i].w; }, of_mass,
                        cgs_of({"Masses", "Mass"})};
    if (name == "species")
        return Quantity{[&bodies](std::size_t i) { return static_cast<double>(bodies.species_of(i)); }, UnitPowers{},
                        1};
    if (name == "id" && !bodies.ids.empty())
        return Quantity{[&bodies](std::size_t i) { return static_cast<double>(bodies.ids[i]); }, UnitPowers{}, 1};
    return std::nullopt;
}

}  // namespace orrery
