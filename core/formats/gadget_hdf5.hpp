// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/bodies/bodies.hpp"

namespace orrery::hdf5 {

// Shared by the reader and the writer of Gadget's HDF5 files.

using Counts = std::array<std::uint64_t, kSpeciesCount>;

inline constexpr double kGravityCgs = 6.6743e-8;  ///< cm³/g/s² (CODATA 2018)
inline constexpr double kSecondsPerDay = 86400;

struct LengthUnit {
    std::string_view word;
    double cm;
};
inline constexpr std::array kLengthUnits{LengthUnit{"kpc", 3.0857e21}, LengthUnit{"Mpc", 3.0857e24},
                                         LengthUnit{"pc", 3.0857e18}, LengthUnit{"AU", 1.496e13}};

inline std::string group_of(std::size_t species) { return fmt::format("PartType{}", species); }

}  // namespace orrery::hdf5
