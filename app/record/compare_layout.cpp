// SPDX-License-Identifier: MIT
#include "app/record/compare_layout.hpp"

#include <algorithm>

namespace orrery {
namespace {

/// Copies columns [from, from + wide) of a frame to columns [to, …) of another.
void copy_columns(GLuint source, int from, int wide, const ComparedPicture& picture, int to) {
    glBlitNamedFramebuffer(source, picture.target, from, 0, from + wide, picture.height, to, 0, to + wide,
                           picture.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace

OrbitCamera pane_camera(const OrbitCamera& camera, int width, int height) {
    CameraPose pose = camera.pose();
    pose.distance *= std::max(1.0, static_cast<double>(height) / std::max(width, 1));
    return OrbitCamera{pose};
}

ScalarRange distance_range(const FrameExtent& extent) {
    constexpr double kLeastSpan = 1;  // decades
    return {extent.scalar_low, std::max(extent.scalar_high, extent.scalar_low + kLeastSpan)};
}

void draw_compared(const ComparedPicture& picture, const DrawOne& a, const DrawOne& b) {
    const int width = picture.width, height = picture.height;
    const auto [first, divider] = compare_panes(picture.view, width, picture.left);
    const int of_a = divider - first, of_b = width - divider;
    constexpr GLfloat kBlack[4] = {0, 0, 0, 1};
    switch (picture.view.mode) {
        case CompareMode::kSplit: {
            const GLuint left = a(of_a, height, pane_camera(picture.camera, of_a, height), picture.settings);
            const GLuint right = b(of_b, height, pane_camera(picture.camera, of_b, height), picture.settings);
            glClearNamedFramebufferfv(picture.target, GL_COLOR, 0, kBlack);
            copy_columns(left, 0, of_a, picture, first);
            copy_columns(right, 0, of_b, picture, divider);
            break;
        }
        case CompareMode::kWipe: {
            const GLuint left = a(width, height, picture.camera, picture.settings);
            const GLuint right = b(width, height, picture.camera, picture.settings);
            copy_columns(left, 0, divider, picture, 0);
            copy_columns(right, divider, of_b, picture, divider);
            break;
        }
        case CompareMode::kDifference: {
            ViewSettings chosen = picture.settings;
            chosen.scalar_range = picture.distances;  // a range chosen for another quantity does not apply
            copy_columns(b(width, height, picture.camera, chosen), 0, width, picture, 0);
            break;
        }
        case CompareMode::kFlip: {
            const DrawOne& shown = picture.view.show_b ? b : a;
            copy_columns(shown(width, height, picture.camera, picture.settings), 0, width, picture, 0);
            break;
        }
    }
}

}  // namespace orrery
