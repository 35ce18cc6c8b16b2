// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

/// How directions from the eye are mapped to places in a picture.
enum class Lens {
    kFlat,      ///< central perspective, of the camera's field of view
    kStereo,    ///< two of them side by side, for the left and the right eye
    kPanorama,  ///< all directions, longitude and latitude: equirectangular
    kDome,      ///< the half of all directions before the eye as a disc, the angle from its middle as radius
};

struct LensEntry {
    std::string_view id, label, doc;
    Lens lens;
};
std::span<const LensEntry> lenses();

/// Whether bodies, stars and trails can be drawn through it by one picture of central perspective.
constexpr bool is_flat(Lens lens) { return lens == Lens::kFlat || lens == Lens::kStereo; }

}  // namespace orrery
