// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "app/render/image.hpp"

namespace orrery {

/// Linear light of a byte of sRGB (IEC 61966-2-1), 65535 at most. The mean of bytes would be darker than that of their
/// light.
const std::array<std::uint32_t, 256>& light_of_byte();
/// The byte of sRGB that is nearest to a light, for 0 … 65535.
const std::vector<std::uint8_t>& byte_of_light();

/// Each pixel has the mean light of factor × factor pixels of `from`, whose size is a multiple of it. shaders/pack.comp
/// does the same by the same tables, to the same bytes.
void shrink(const Image& from, int factor, Image& into);

}  // namespace orrery
