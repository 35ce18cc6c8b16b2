// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/render/color_maps.hpp"
#include "app/render/light_image.hpp"

namespace orrery {

/// Computes DeepImage::light: linear red, green and blue as light × colour × `gain`, light, and depth. `depths`
/// contains away / (away + distance). Each block of `shrink` × `shrink` pixels becomes one, with the sum of their light
/// and their mean depth.
std::vector<float> light_and_depth(const LightImage& colors, const LightImage& depths, const ColorTable& table,
                                   double gain, double distance, int shrink);

}  // namespace orrery
