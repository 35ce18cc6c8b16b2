// SPDX-License-Identifier: MIT
#include "app/window/scene_view.hpp"

namespace orrery {

void SceneView::upload(const Frame& frame) {
    bodies_.upload(frame);
    extent_ = frame.extent;
    stale_ = true;
}

void SceneView::draw(int width, int height, const OrbitCamera& camera, const ViewSettings& settings) {
    if (!target_ || target_->width() != width || target_->height() != height) {
        target_.emplace(width, height);
        stale_ = true;
    }
    if (!stale_ && camera.pose() == drawn_pose_ && settings == drawn_settings_) return;
    renderer_.resize(width, height);
    renderer_.draw(bodies_, extent_, camera, settings, target_->framebuffer());
    stale_ = false;
    drawn_pose_ = camera.pose();
    drawn_settings_ = settings;
}

void SceneView::show() const {
    const int width = target_->width(), height = target_->height();
    glBlitNamedFramebuffer(target_->framebuffer(), 0, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace orrery
