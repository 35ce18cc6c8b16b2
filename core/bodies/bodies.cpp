// SPDX-License-Identifier: MIT
#include "core/bodies/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"

namespace orrery {

std::string_view name(Species species) {
    static constexpr std::array<std::string_view, kSpeciesCount> names{"gas",   "halo",  "disk",
                                                                       "bulge", "stars", "boundary"};
    return names[static_cast<std::size_t>(species)];
}

namespace {

void refuse(const std::string& source, std::size_t index, const char* what, double found) {
    usage_error(fmt::format("{}: body {} has {} {}", source, index, what, found));
}

}  // namespace

BodyField make_field(std::string name, std::string unit, std::vector<float> values, bool whole) {
    std::size_t missing = 0;
    for (float& value : values)
        if (!std::isfinite(value)) value = std::numeric_limits<float>::quiet_NaN(), ++missing;
    return {std::move(name), std::move(unit), std::make_shared<const std::vector<float>>(std::move(values)), missing,
            whole};
}

void validate_body(const std::string& source, std::size_t index, const Vec4d& p, const Vec3d& v) {
    if (!(p.w >= 0) || !std::isfinite(p.w)) refuse(source, index, "mass", p.w);
    for (const double x : {p.x, p.y, p.z})
        if (!std::isfinite(x)) refuse(source, index, "position", x);
    for (const double x : {v.x, v.y, v.z})
        if (!std::isfinite(x)) refuse(source, index, "velocity", x);
}

void validate(const Bodies& bodies, const std::string& source) {
    if (bodies.size() == 0) usage_error(fmt::format("{}: holds no bodies", source));
    if (bodies.velocity.size() != bodies.size())
        usage_error(fmt::format("{}: {} positions but {} velocities", source, bodies.size(), bodies.velocity.size()));
    const auto one_each = [&](std::size_t found, const char* what) {
        if (found != 0 && found != bodies.size())
            usage_error(fmt::format("{}: {} bodies but {} {}", source, bodies.size(), found, what));
    };
    one_each(bodies.names.size(), "names");
    one_each(bodies.species.size(), "species");
    one_each(bodies.ids.size(), "ids");
    one_each(bodies.charge.size(), "charges");
    one_each(bodies.pinned.size(), "pins");
    for (const BodyField& field : bodies.fields)
        if (field.values->size() != bodies.size())
            usage_error(fmt::format("{}: {} bodies but {} values of {}", source, bodies.size(), field.values->size(),
                                    field.name));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.charge.empty() && !std::isfinite(bodies.charge[i])) refuse(source, i, "charge", bodies.charge[i]);
        validate_body(source, i, bodies.position_mass[i], bodies.velocity[i]);
    }
    if (std::ranges::none_of(bodies.position_mass, [](const Vec4d& p) { return p.w > 0; }))
        usage_error(fmt::format("{}: no body has a mass", source));
}

}  // namespace orrery
