// SPDX-License-Identifier: MIT
#include "app/render/lens.hpp"

#include <array>

namespace orrery {

std::span<const LensEntry> lenses() {
    static constexpr auto menu = std::to_array<LensEntry>({
        {"flat", "Flat", "central perspective", Lens::kFlat},
        {"stereo", "Stereo", "two pictures side by side, the left eye's on the left; a thirtieth of the distance apart",
         Lens::kStereo},
        {"panorama", "Panorama",
         "all directions, 360 by 180 degrees (equirectangular), for frames twice as wide as high", Lens::kPanorama},
        {"dome", "Dome", "180 degrees about the direction of view as a disc (equidistant fisheye), for square frames",
         Lens::kDome},
    });
    return menu;
}

}  // namespace orrery
