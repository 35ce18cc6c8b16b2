// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "core/simulation/edit.hpp"

namespace orrery {
namespace {

constexpr std::array kEdits{
    EditEntry{.id = "add-body", .label = "One", .doc = "one body", .kind = EditKind::kAddBody, .adds = true},
    EditEntry{.id = "add-cluster",
              .label = "Cluster",
              .doc = "a Plummer sphere in equilibrium",
              .kind = EditKind::kAddCluster,
              .adds = true,
              .orbits = true},
    EditEntry{.id = "add-ring",
              .label = "Ring",
              .doc = "a body, and massless ones on circular orbits about it",
              .kind = EditKind::kAddRing,
              .adds = true,
              .orbits = true},
    EditEntry{.id = "add-disc",
              .label = "Disc",
              .doc = "a disc galaxy with bulge and halo",
              .kind = EditKind::kAddDisc,
              .adds = true,
              .orbits = true},
    EditEntry{.id = "remove", .label = "Delete", .doc = "removes bodies", .kind = EditKind::kRemove},
    EditEntry{.id = "duplicate",
              .label = "Duplicate",
              .doc = "adds the same bodies, shifted",
              .kind = EditKind::kDuplicate,
              .shifts = true},
    EditEntry{.id = "move", .label = "Move", .doc = "shifts bodies", .kind = EditKind::kMove, .shifts = true},
    EditEntry{.id = "throw",
              .label = "Throw",
              .doc = "adds a velocity to that of bodies",
              .kind = EditKind::kThrow,
              .shifts = true},
    EditEntry{.id = "circular",
              .label = "Circular orbit",
              .doc = "a circular orbit about the body that pulls most",
              .kind = EditKind::kCircular,
              .orbits = true},
    EditEntry{.id = "scale-mass",
              .label = "Mass ×",
              .doc = "multiplies masses",
              .kind = EditKind::kScaleMass,
              .scales = true},
    EditEntry{.id = "scale-velocity",
              .label = "Velocity ×",
              .doc = "multiplies velocities",
              .kind = EditKind::kScaleVelocity,
              .scales = true},
    EditEntry{
        .id = "pin", .label = "Pin", .doc = "fixes bodies in place; they still attract others", .kind = EditKind::kPin},
    EditEntry{.id = "unpin", .label = "Unpin", .doc = "releases pinned bodies, from rest", .kind = EditKind::kUnpin},
    EditEntry{.id = "species",
              .label = "Species",
              .doc = "assigns one of Gadget's species, which sets the colour; species boundary accretes",
              .kind = EditKind::kSpecies,
              .sorts = true},
    EditEntry{.id = "name", .label = "Name", .doc = "names a body", .kind = EditKind::kName, .names = true},
    EditEntry{.id = "attract",
              .label = "Attract",
              .doc = "pulls bodies within reach towards a point",
              .kind = EditKind::kAttract,
              .scales = true,
              .brushes = true},
    EditEntry{.id = "repel",
              .label = "Repel",
              .doc = "pushes bodies within reach away from a point",
              .kind = EditKind::kRepel,
              .scales = true,
              .brushes = true},
    EditEntry{.id = "stir",
              .label = "Stir",
              .doc = "turns bodies within reach about a point",
              .kind = EditKind::kStir,
              .scales = true,
              .brushes = true},
};

}  // namespace

std::span<const EditEntry> edit_kinds() { return kEdits; }
const EditEntry& edit_kind(EditKind kind) { return *std::ranges::find(kEdits, kind, &EditEntry::kind); }

}  // namespace orrery
