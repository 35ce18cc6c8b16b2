// SPDX-License-Identifier: MIT
#include "app/window/window_picture.hpp"

namespace orrery {
namespace {

constexpr int kRest = 2;  // least pause before the next picture of moving bodies, as a multiple of the drawing time

}  // namespace

void WindowPicture::upload(const Frame& frame) {
    view_.upload(frame);
    both_.upload(frame.other.get());
}

void WindowPicture::draw(Pace pace) {
    const UiState& state = core_.state;
    if (state.picture.width < 1 || state.picture.height < 1) return;  // minimised
    began_ = std::chrono::steady_clock::now();
    const OrbitCamera camera = core_.shown_camera();
    if (comparing()) {
        const auto left = static_cast<int>(core_.covered.left);
        both_.draw(view_, state.picture.width, state.picture.height, left, camera, state.view, state.comparison.view,
                   pace);
        if (!composed_) both_.show(screen());
        return;
    }
    view_.draw(state.picture.width, state.picture.height, camera, state.view, pace);
    if (!composed_) view_.show(screen());
}

bool WindowPicture::compose(bool all, bool needed, const ImDrawData& panels) {
    const Shown now = shown_now();
    another_ = now != composed_of_;
    composed_of_ = now;
    return composed_->draw(comparing() ? both_.framebuffer() : view_.framebuffer(), core_.state.picture.width,
                           core_.state.picture.height, all || another_, needed, panels);
}

/// A frame with a new picture is drawn completely. Frames in between cost little, so panels stay smooth, and the
/// simulation, which shares the cores, gets most of the time.
void WindowPicture::shown() {
    if (!std::exchange(another_, false)) return;
    const auto now = std::chrono::steady_clock::now(), then = now + kRest * (now - began_);
    view_.rest_until(then), both_.rest_until(then);
}

void WindowPicture::read(Image& into) {
    const UiState& state = core_.state;
    const OrbitCamera& camera = core_.camera.camera();
    if (!comparing()) {
        view_.draw(state.picture.width, state.picture.height, camera, state.view, Pace::kNow);
        return view_.read(into);
    }
    both_.draw(view_, state.picture.width, state.picture.height, 0, camera, state.view, state.comparison.view,
               Pace::kNow);
    both_.read(into);
}

void WindowPicture::read_window(int width, int height, Image& into) const {
    const RenderTarget copy{width, height};
    copy_window(screen(), copy);
    copy.read(into);
}

}  // namespace orrery
