// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "app/render/image.hpp"

namespace orrery {

double light_of_srgb(double s);  ///< 0 to 1 (IEC 61966-2-1)
double srgb_of_light(double c);  ///< its inverse

/// Linear light of an sRGB byte (IEC 61966-2-1), at most 65535. Averaging bytes instead of light would give darker
/// pixels.
const std::array<std::uint32_t, 256>& light_of_byte();
/// The sRGB byte nearest to a linear light, for 0 … 65535.
const std::vector<std::uint8_t>& byte_of_light();

/// Each pixel is the mean light of factor × factor pixels of `from`, whose size is a multiple of `factor`.
/// shaders/pack.comp does the same with the same tables and gives the same bytes.
void shrink(const Image& from, int factor, Image& into);

}  // namespace orrery
