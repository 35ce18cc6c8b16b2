// SPDX-License-Identifier: MIT
// What a person changes of the bodies by hand.
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

/// Bodies to be added, or where a brush is. Lengths, masses and times in the scene's units.
struct NewBodies {
    std::uint32_t count = 1;  ///< of a cluster, a ring or a disc; 1 of a body
    double mass = 0;          ///< of all of them; of a ring that of the body in its centre
    double radius = 1;  ///< virial radius of a cluster, of a ring the distance from its centre, scale of a disc; reach
                        ///< of a brush
    Vec3d position{}, velocity{};
    Vec3d normal{0, 0,
                 1};  ///< of the plane of a ring or disc, about which it turns, or a brush stirs; any length but 0
    std::uint64_t seed = 1;  ///< of a cluster
    friend bool operator==(const NewBodies&, const NewBodies&) = default;
};

/// One change. A value, so that sessions can record it; each kind reads only its own members, see EditEntry.
struct Edit {
    EditKind kind = EditKind::kMove;
    std::vector<std::uint32_t> bodies;  ///< by index, ascending, each once
    Vec3d by{};                         ///< added to positions (move, duplicate) or velocities (throw)
    double factor = 1;  ///< of masses or velocities, 0 or more; of a brush the speed that it gives at most
    NewBodies add;
    Species species = Species::kStars;
    std::string name;          ///< of one body
    std::uint32_t stroke = 0;  ///< edits with the same number, one after the other, are undone together; 0: alone
    friend bool operator==(const Edit&, const Edit&) = default;
};

/// A line of the menu of edits: session files and the panel have them from here.
struct EditEntry {
    std::string_view id, label, doc;
    EditKind kind;
    bool adds = false;                    ///< reads `add`, and no `bodies`
    bool shifts = false, scales = false;  ///< reads `by`, `factor`
    bool orbits = false;                  ///< makes orbits, and so needs gravity
    bool brushes = false;  ///< reads place, radius and normal of `add`, and `factor`; acts on all within reach
    bool sorts = false, names = false;  ///< reads `species`, `name`
};
std::span<const EditEntry> edit_kinds();
const EditEntry& edit_kind(EditKind kind);

/// The bodies after the edit; the indices of those that are neither added nor removed keep their order, and new ones
/// come last. `gravity` sets the velocities within a cluster, of a ring, and of a circular orbit: about the body that
/// pulls most, in the plane of the motion relative to it, at v² = G (M + m) r² / (r² + ε²)^(3/2). Names of new bodies
/// are empty, ids follow the largest, species are those of stars. A brush changes velocities by f (1 − r²/R²)² d/R,
/// with f the factor, r the distance from its place, and d the way to it, from it, or across it about the normal. A
/// pinned body keeps its place; its velocity is 0. Throws Error{kUsage} in one line: an index that does not exist, none
/// left, a number that is not finite or negative, an orbit about nothing or without gravity.
Bodies edited(const Edit& edit, const Gravity& gravity, Bodies bodies);
/// The same as what becomes of some of them; that the others are finite it does not ask.
BodyChange change_of(const Edit& edit, const Gravity& gravity, const BodyReader& bodies);

}  // namespace orrery
