// SPDX-License-Identifier: MIT
#include "core/physics/encounter_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

constexpr std::array kEncounters{
    EncounterEntry{"off", "Off", "bodies are points, which pass through each other", EncounterKind::kOff},
    EncounterEntry{"merge", "Merge", "bodies that touch become one, with the mass and momentum of both",
                   EncounterKind::kMerge},
    EncounterEntry{"bounce", "Bounce", "bodies that touch rebound with `restitution` times their approach speed",
                   EncounterKind::kBounce},
    EncounterEntry{"accrete", "Accrete", "bodies of the species boundary, such as black holes, absorb what they touch",
                   EncounterKind::kAccrete},
};

}  // namespace

std::span<const EncounterEntry> encounter_kinds() { return kEncounters; }
const EncounterEntry& encounter_kind(EncounterKind kind) {
    return *std::ranges::find(kEncounters, kind, &EncounterEntry::kind);
}
const EncounterEntry& encounter_kind(std::string_view id) {
    return find_in_menu(encounter_kinds(), "kind of encounters", id);
}

double radius_of(const EncounterRule& rule, double mass, bool marked) {
    if (rule.radius > 0 && (marked || rule.density == 0)) return rule.radius;
    return rule.density > 0 ? std::cbrt(3 * mass / (4 * std::numbers::pi * rule.density)) : 0;
}

double suggested_density(double mass, double softening) {
    return softening > 0 ? 3 * mass / (4 * std::numbers::pi * softening * softening * softening) : 0;
}

void validate(const EncounterRule& rule) {
    const auto length = [](const char* what, double found) {
        if (!(found >= 0) || !std::isfinite(found)) usage_error(fmt::format("{} {}: must be 0 or more", what, found));
    };
    length("density of bodies", rule.density);
    length("radius of bodies", rule.radius);
    if (!(rule.restitution >= 0 && rule.restitution <= 1))
        usage_error(fmt::format("restitution {}: must be between 0 and 1", rule.restitution));
    if (rule.on() && rule.density == 0 && rule.radius == 0)
        usage_error(fmt::format("encounters '{}' need the size of the bodies: set a density or a radius",
                                encounter_kind(rule.kind).id));
}

}  // namespace orrery
