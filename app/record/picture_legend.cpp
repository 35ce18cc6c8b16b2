// SPDX-License-Identifier: MIT
#include "app/record/picture_legend.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/legend.hpp"

namespace orrery {
namespace {

constexpr float kLeast = 11;         // pixels: smaller letters cannot be read
constexpr float kShare = 1 / 45.0f;  // of the picture's height

float letters_for(int height, int supersampling) {
    return std::round(std::max(kLeast, kShare * static_cast<float>(height))) * static_cast<float>(supersampling);
}

}  // namespace

PictureLegend::PictureLegend(int height, int supersampling)
    : letters_{letters_for(height, supersampling)}, pass_{letters_} {}

void PictureLegend::draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places,
                         const OrbitCamera& camera, const ViewSettings& view, GLuint target, int width, int height) {
    static const SceneWords kNone;
    const Legend legend = make_legend({.view = view,
                                       .extent = extent,
                                       .words = frame.words ? *frame.words : kNone,
                                       .time = frame.time,
                                       .colored = frame.no_color.empty(),
                                       .places = places,
                                       .camera = camera,
                                       .width = static_cast<double>(width),
                                       .height = static_cast<double>(height),
                                       .longest_scale = 11.0 * letters_});
    const auto right = static_cast<float>(width) - letters_, bottom = static_cast<float>(height) - letters_;
    draw_legend(pass_.begin(), pass_.font(), letters_, legend,
                {.left = letters_, .right = right, .bottom = bottom, .above_right = 0});
    pass_.draw(target, width, height);
}

}  // namespace orrery
