// SPDX-License-Identifier: MIT
#include "app/window/window_picture.hpp"

namespace orrery {

void WindowPicture::upload(const Frame& frame) {
    view_.upload(frame);
    both_.upload(frame.other.get());
}

void WindowPicture::draw(Pace pace) {
    const UiState& state = core_.state;
    if (state.width < 1 || state.height < 1) return;  // minimised
    const OrbitCamera camera = core_.shown_camera();
    if (comparing()) {
        const auto left = static_cast<int>(core_.covered.left);
        both_.draw(view_, state.width, state.height, left, camera, state.view, state.compare_view, pace);
        return both_.show(screen());
    }
    view_.draw(state.width, state.height, camera, state.view, pace);
    view_.show(screen());
}

void WindowPicture::read(Image& into) {
    const UiState& state = core_.state;
    const OrbitCamera& camera = core_.camera.camera();
    if (!comparing()) {
        view_.draw(state.width, state.height, camera, state.view, Pace::kNow);
        return view_.read(into);
    }
    both_.draw(view_, state.width, state.height, 0, camera, state.view, state.compare_view, Pace::kNow);
    both_.read(into);
}

void WindowPicture::read_window(int width, int height, Image& into) const {
    const RenderTarget copy{width, height};
    copy_window(screen(), copy);
    copy.read(into);
}

}  // namespace orrery
