// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery {

/// Effect of a contact of two bodies.
enum class EncounterKind : std::uint8_t { kOff, kMerge, kBounce, kAccrete };

/// Treats bodies as spheres that collide. Lengths and masses in the scene's units.
struct EncounterRule {
    EncounterKind kind = EncounterKind::kOff;
    double density = 0;      ///< mass per volume, which determines radii; 0: use `radius`
    double radius = 0;       ///< of marked bodies, and of all if there is no density; 0: from the density
    double restitution = 1;  ///< coefficient of restitution: separation speed over approach speed along the line of
                             ///< centres

    bool on() const { return kind != EncounterKind::kOff; }
    friend bool operator==(const EncounterRule&, const EncounterRule&) = default;
};

/// A line of the menu of encounters.
struct EncounterEntry {
    std::string_view id, label, doc;
    EncounterKind kind;
};
std::span<const EncounterEntry> encounter_kinds();
const EncounterEntry& encounter_kind(EncounterKind kind);
/// Throws Error{kUsage} for an id that no entry has (listing the menu).
const EncounterEntry& encounter_kind(std::string_view id);

/// Radius of a body of this mass: (3 m / 4πρ)^(1/3), or the fixed radius. `marked`: see is_marked().
double radius_of(const EncounterRule& rule, double mass, bool marked);

/// The density at which a body of this mass is as large as the softening, below which forces are not those of points
/// anyway; 0 without softening.
double suggested_density(double mass, double softening);

/// Throws Error{kUsage} if a number is out of range, or if encounters are on without a density or a radius.
void validate(const EncounterRule& rule);

}  // namespace orrery
