// SPDX-License-Identifier: MIT
#include "app/window/comparison/compare_picture.hpp"

#include "app/record/compare_layout.hpp"

namespace orrery {

void ComparePicture::upload(const Frame* b) {
    if (!b) return b_.reset();
    if (!b_) b_.emplace(gl_), drawn_.reset();
    b_->upload(*b);
}

ScalarRange ComparePicture::distances() const { return b_ ? distance_range(b_->extent()) : ScalarRange{}; }

void ComparePicture::draw(SceneView& a, int width, int height, int left, const OrbitCamera& camera,
                          const ViewSettings& settings, const CompareView& view, Pace pace) {
    if (!target_ || target_->width() != width || target_->height() != height)
        target_.emplace(width, height), drawn_.reset();
    const bool beside = view.mode == CompareMode::kSplit || view.mode == CompareMode::kWipe;
    b_->expose_like(beside ? &a : nullptr);
    const auto with = [pace](SceneView& shown) {
        return [&shown, pace](int wide, int high, const OrbitCamera& eye, const ViewSettings& chosen) {
            shown.draw(wide, high, eye, chosen, pace);
            return shown.framebuffer();
        };
    };
    draw_compared({.target = target_->framebuffer(),
                   .width = width,
                   .height = height,
                   .left = left,
                   .camera = camera,
                   .settings = settings,
                   .view = view,
                   .distances = distances()},
                  with(a), with(*b_));
    const Drawn now{a.pictures(), b_->pictures(), left, view};
    if (drawn_ == now) return;
    drawn_ = now;
    ++pictures_;
}

void ComparePicture::show(GLuint screen) const {
    const int width = target_->width(), height = target_->height();
    glBlitNamedFramebuffer(target_->framebuffer(), screen, 0, 0, width, height, 0, 0, width, height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
}

}  // namespace orrery
