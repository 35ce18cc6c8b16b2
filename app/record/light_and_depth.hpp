// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/render/color_maps.hpp"
#include "app/render/light_image.hpp"

namespace orrery {

/// DeepImage::light: linear red, green and blue as light × colour × `gain`, light, and depth, of which `depths` has
/// away / (away + distance); `shrink` × `shrink` pixels become one that has their sum of light and their mean depth.
std::vector<float> light_and_depth(const LightImage& colors, const LightImage& depths, const ColorTable& table,
                                   double gain, double distance, int shrink);

}  // namespace orrery
