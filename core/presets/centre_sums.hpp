// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>

#include "core/presets/presets.hpp"

namespace orrery {

class Ranks;

/// The sums over the bodies of a preset that put their centre of mass at rest at the origin. From `by_blocks_from`
/// bodies on, all threads add up blocks of bodies, shared by the ranks that make the same preset, if any; below it one
/// thread adds body by body. Neither the number of threads nor that of ranks changes the bits.
struct CentreSums {
    std::size_t by_blocks_from = std::size_t{1} << 27;
    Ranks* ranks = nullptr;
};

Scene make_preset(std::string_view id, const PresetConfig& config, const CentreSums& sums);
PresetInStretches make_preset_in_stretches(std::string_view id, const PresetConfig& config, const CentreSums& sums);

}  // namespace orrery
