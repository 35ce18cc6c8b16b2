// SPDX-License-Identifier: MIT
#include "app/window/compare_picture.hpp"

#include <algorithm>

namespace orrery {
namespace {

/// A narrow pane shows as much from side to side as a square would.
OrbitCamera of_pane(const OrbitCamera& camera, int width, int height) {
    CameraPose pose = camera.pose();
    pose.distance *= std::max(1.0, static_cast<double>(height) / std::max(width, 1));
    return OrbitCamera{pose};
}

/// Columns [from, from + width) of a picture to columns [to, …) of another.
void copy_columns(const SceneView& source, int from, int width, int height, GLuint target, int to) {
    glBlitNamedFramebuffer(source.framebuffer(), target, from, 0, from + width, height, to, 0, to + width, height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace

void ComparePicture::upload(const Frame* b) {
    if (!b) return b_.reset();
    if (!b_) b_.emplace(gl_);
    b_->upload(*b);
}

ScalarRange ComparePicture::distances() const {
    if (!b_) return {};
    constexpr double kLeastSpan = 1;  // decades
    const FrameExtent& extent = b_->extent();
    return {extent.scalar_low, std::max(extent.scalar_high, extent.scalar_low + kLeastSpan)};
}

void ComparePicture::draw(SceneView& a, int width, int height, int left, const OrbitCamera& camera,
                          const ViewSettings& settings, const CompareView& view, Pace pace) {
    if (!target_ || target_->width() != width || target_->height() != height) target_.emplace(width, height);
    const GLuint target = target_->framebuffer();
    const auto [first, divider] = compare_panes(view, width, left);
    const int of_a = divider - first, of_b = width - divider;
    constexpr GLfloat kBlack[4] = {0, 0, 0, 1};
    switch (view.mode) {
        case CompareMode::kSplit:
            a.draw(of_a, height, of_pane(camera, of_a, height), settings, pace);
            b_->draw(of_b, height, of_pane(camera, of_b, height), settings, pace);
            glClearNamedFramebufferfv(target, GL_COLOR, 0, kBlack);
            copy_columns(a, 0, of_a, height, target, first);
            copy_columns(*b_, 0, of_b, height, target, divider);
            break;
        case CompareMode::kWipe:
            a.draw(width, height, camera, settings, pace);
            b_->draw(width, height, camera, settings, pace);
            copy_columns(a, 0, divider, height, target, 0);
            copy_columns(*b_, divider, of_b, height, target, divider);
            break;
        case CompareMode::kDifference:
        case CompareMode::kFlip: {
            const bool difference = view.mode == CompareMode::kDifference;
            SceneView& shown = difference || view.show_b ? *b_ : a;
            ViewSettings chosen = settings;
            if (difference) chosen.scalar_range = distances();  // what was chosen for another quantity does not hold
            shown.draw(width, height, camera, chosen, pace);
            copy_columns(shown, 0, width, height, target, 0);
            break;
        }
    }
}

void ComparePicture::show() const {
    const int width = target_->width(), height = target_->height();
    glBlitNamedFramebuffer(target_->framebuffer(), 0, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace orrery
