// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

/// How directions from the eye are mapped to positions in a frame.
enum class Lens {
    kFlat,      ///< central perspective with the camera's field of view
    kStereo,    ///< two perspectives side by side, for the left and the right eye
    kPanorama,  ///< all directions, longitude and latitude: equirectangular
    kDome,      ///< the hemisphere in front of the eye as a disc, with the angle from its centre as radius
};

struct LensEntry {
    std::string_view id, label, doc;
    Lens lens;
};
std::span<const LensEntry> lenses();

/// True if bodies, stars and trails can be drawn in central perspective.
constexpr bool is_flat(Lens lens) { return lens == Lens::kFlat || lens == Lens::kStereo; }

}  // namespace orrery
