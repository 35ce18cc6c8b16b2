// SPDX-License-Identifier: MIT
// Edits of the bodies by the user.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_change.hpp"
#include "core/bodies/body_reader.hpp"

namespace orrery {

enum class EditKind {
    kAddBody,
    kAddCluster,
    kAddRing,
    kAddDisc,
    kRemove,
    kDuplicate,
    kMove,
    kThrow,
    kCircular,
    kScaleMass,
    kScaleVelocity,
    kPin,
    kUnpin,
    kSpecies,
    kName,
    kAttract,
    kRepel,
    kStir
};

/// Bodies to be added, or the region of a brush. Lengths, masses and times in the scene's units.
struct NewBodies {
    std::uint32_t count = 1;  ///< of a cluster, a ring or a disc; 1 for a single body
    double mass = 0;          ///< total; for a ring, that of the central body
    double radius = 1;  ///< virial radius of a cluster, radius of a ring, scale length of a disc, reach of a brush
    Vec3d position{}, velocity{};
    Vec3d normal{0, 0, 1};   ///< normal of a ring or disc, or axis of a stirring brush; any non-zero length
    std::uint64_t seed = 1;  ///< for clusters and discs
    friend bool operator==(const NewBodies&, const NewBodies&) = default;
};

/// One change. A value, so that sessions can record it; each kind uses only some members, see EditEntry.
struct Edit {
    EditKind kind = EditKind::kMove;
    std::vector<std::uint32_t> bodies;  ///< indices, ascending and unique
    Vec3d by{};                         ///< added to positions (move, duplicate) or velocities (throw)
    double factor = 1;  ///< for masses or velocities, 0 or more; for a brush, the largest speed that it adds
    NewBodies add;
    Species species = Species::kStars;
    std::string name;          ///< for a single body
    std::uint32_t stroke = 0;  ///< consecutive edits with the same number are undone together; 0: alone
    friend bool operator==(const Edit&, const Edit&) = default;
};

/// An entry of the edit menu, used by session files and the panel.
struct EditEntry {
    std::string_view id, label, doc;
    EditKind kind;
    bool adds = false;                    ///< uses `add`, but not `bodies`
    bool shifts = false, scales = false;  ///< uses `by`, `factor`
    bool orbits = false;                  ///< creates orbits, and therefore needs gravity
    bool brushes = false;  ///< uses position, radius and normal of `add`, and `factor`; affects all bodies within reach
    bool sorts = false, names = false;  ///< uses `species`, `name`
};
std::span<const EditEntry> edit_kinds();
const EditEntry& edit_kind(EditKind kind);

/// The bodies after the edit. Bodies that are neither added nor removed keep their order; new ones come last. `gravity`
/// determines velocities within a cluster, in a ring, and on a circular orbit: about the body with the strongest pull,
/// in the plane of the relative motion, with v² = G (M + m) r² / (r² + ε²)^(3/2). New bodies have empty names, ids
/// above the largest, and species stars. A brush changes velocities by f (1 − r²/R²)² d/R, where f is the factor, r the
/// distance from its centre, and d the direction towards it, away from it, or around it about the normal. A pinned body
/// keeps its position and has velocity 0. Throws Error{kUsage}, one line: a non-existent index, no body left, a number
/// that is not finite or negative, an orbit about nothing or without gravity.
Bodies edited(const Edit& edit, const Gravity& gravity, Bodies bodies);
/// Same as a BodyChange; does not check that the other bodies are finite.
BodyChange change_of(const Edit& edit, const Gravity& gravity, const BodyReader& bodies);

}  // namespace orrery
