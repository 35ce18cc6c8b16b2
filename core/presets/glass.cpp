// SPDX-License-Identifier: MIT
#include "core/presets/glass.hpp"

namespace orrery {
namespace {

constexpr std::string_view kTile =
#include "core/presets/glass_tile.inc"
    ;
static_assert(kTile.size() == kGlassBodies * 3 * 2);

}  // namespace

std::vector<Vec3d> glass_tile() {
    std::vector<Vec3d> places(kGlassBodies);
    std::size_t at = 0;
    const auto next = [&] {
        const std::size_t high = kGlassDigits.find(kTile[at]), low = kGlassDigits.find(kTile[at + 1]);
        at += 2;
        return (static_cast<double>(64 * high + low) + 0.5) * kGlassSide / kGlassSteps;
    };
    for (Vec3d& place : places) {
        place.x = next();
        place.y = next();
        place.z = next();
    }
    return places;
}

}  // namespace orrery
