// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/catalogues/catalogue.hpp"

namespace orrery {

class Pool;
struct AnalysisSettings;

/// How the bodies of a halo were found.
enum class MembersBy : std::uint8_t {
    kRanges,  ///< by the order of the bodies in the snapshot, as Subfind states it
    kIds,     ///< by ids that a file beside the catalogue lists
    kRadius,  ///< the catalogue lists none: those within the radius of the halo
};
std::string_view name(MembersBy by);  ///< "by offsets", "by ids", "within the radius"

struct HaloMembers {
    std::vector<std::uint32_t> bodies;  ///< indices, ascending
    MembersBy by = MembersBy::kRanges;
};

/// The bodies of a halo in its snapshot. `catalogue` is in the units of the bodies; distances are those of the nearest
/// images in its box. Throws Error{kUsage} if it lists bodies that the snapshot does not have, or if it lists none and
/// states no radius.
HaloMembers members_of(const HaloCatalogue& catalogue, std::uint32_t halo, const Bodies& bodies);

/// A halo of a catalogue, and the group of friends of friends that shares most bodies with it.
struct HaloMatch {
    std::uint32_t halo = kNoHalo;      ///< index
    std::size_t members = 0;           ///< of the halo, in the snapshot
    std::optional<std::size_t> group;  ///< rank by mass, from 1; empty: none shares a body
    std::size_t group_bodies = 0;
    std::size_t shared = 0;  ///< bodies of both
    double distance = 0;     ///< between the centres, nearest images
    double mass_ratio = 0;   ///< of the group to the halo
};

/// Finds groups of friends of friends in the scene, as the analysis `groups` does, and matches the `most` heaviest
/// haloes of a time with them. `catalogue` is in the units of the scene. Throws Error as members_of() and analyse() do.
std::vector<HaloMatch> match_halos(Pool& pool, const Scene& scene, const HaloCatalogue& catalogue, std::size_t time,
                                   AnalysisSettings settings, std::size_t most);

}  // namespace orrery
