// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/catalogues/catalogue.hpp"

namespace orrery {

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

}  // namespace orrery
