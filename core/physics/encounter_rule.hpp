// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery {

/// What happens where bodies touch.
enum class EncounterKind : std::uint8_t { kOff, kMerge, kBounce, kAccrete };

/// Bodies as spheres, and what they do when they touch. Lengths and masses in the scene's units.
struct EncounterRule {
    EncounterKind kind = EncounterKind::kOff;
    double density = 0;      ///< mass by volume, from which radii follow; 0: `radius` says them
    double radius = 0;       ///< of marked bodies, and of all where no density is given; 0: by density
    double restitution = 1;  ///< of a bounce: speed of parting by speed of approach along the line of centres

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

/// Of a body of this mass: (3 m / 4πρ)^(1/3), or the one that is given. `marked` as is_marked() says.
double radius_of(const EncounterRule& rule, double mass, bool marked);

/// By which a body of this mass is as large as the softening, below which forces are not those of points anyway; 0
/// without either.
double suggested_density(double mass, double softening);

/// Throws Error{kUsage} in one line: a number out of range, or on, and neither density nor radius.
void validate(const EncounterRule& rule);

}  // namespace orrery
