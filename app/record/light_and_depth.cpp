// SPDX-License-Identifier: MIT
#include "app/record/light_and_depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {
namespace {

/// The same as color_at() in shaders/color.glsl.
Vec4f color_at(const ColorTable& table, float place) {
    return table[static_cast<std::size_t>(std::clamp(place, 0.0f, 1.0f) * 255 + 0.5f)];
}

/// The same as place_of_dispersion() in shaders/color.glsl.
float place_of_dispersion(const float* sum) {
    const float mean = sum[1] / sum[0];
    return std::min(6 * std::sqrt(std::max(sum[2] / sum[0] - mean * mean, 0.0f)), 1.0f);
}

}  // namespace

std::vector<float> light_and_depth(const LightImage& colors, const LightImage& depths, const ColorTable& table,
                                   double gain, double distance, int shrink) {
    std::vector<float> all;
    const int width = colors.width / shrink, height = colors.height / shrink;
    all.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 5);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::array<double, 3> color{};
            double light = 0, depth = 0;
            for (int row = 0; row < shrink; ++row)
                for (int column = 0; column < shrink; ++column) {
                    const float* here = colors.pixel(x * shrink + column, y * shrink + row);
                    if (!(here[0] > 0)) continue;
                    light += here[0];
                    depth += depths.pixel(x * shrink + column, y * shrink + row)[1];
                    const Vec4f hue =
                        colors.hues ? Vec4f{here[1] / here[0], here[2] / here[0], here[3] / here[0], 0}
                                    : color_at(table, colors.moments ? place_of_dispersion(here) : here[1] / here[0]);
                    color[0] += here[0] * hue.x, color[1] += here[0] * hue.y, color[2] += here[0] * hue.z;
                }
            for (const double each : color) all.push_back(static_cast<float>(each * gain));
            all.push_back(static_cast<float>(light));
            const double share = light > 0 ? std::min(depth / light, 0.999999) : 0;
            all.push_back(static_cast<float>(distance * share / (1 - share)));
        }
    return all;
}

}  // namespace orrery
