// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "app/platform/surface.hpp"
#include "app/window/comparison/compare_picture.hpp"
#include "app/window/composed_window.hpp"
#include "app/window/scene_view.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The bodies in the window: those of the simulation, or both of a comparison. Needs the window's GL context.
class WindowPicture {
public:
    WindowPicture(const WindowCore& core, const Surface& surface)
        : core_{core}, surface_{surface}, view_{surface.gl_info()}, both_{surface.gl_info()} {
        if (surface.gl_info().software && surface.framebuffer() == 0) composed_.emplace();
    }

    void upload(const Frame& frame);
    void set_content_scale(double scale) { view_.set_content_scale(scale); }
    void draw(Pace pace);    ///< updates the picture and copies it into the window, unless that is composed
    void read(Image& into);  ///< the picture without panels

    /// True if compose() draws picture and panels, only where they have changed.
    bool composed() const {
        return composed_.has_value() && core_.state.picture.width > 0 && core_.state.picture.height > 0;
    }
    /// Call after draw(); see ComposedWindow.
    bool compose(bool all, bool needed, const ImDrawData& panels);
    /// Call after the composed window has been shown.
    void shown();

    const SceneView& view() const { return view_; }
    const ComparePicture& both() const { return both_; }
    /// Reads the window as drawn so far, with panels. Sizes in pixels.
    void read_window(int width, int height, Image& into) const;
    GLuint screen() const { return surface_.framebuffer(); }  ///< framebuffer of the window

private:
    using Shown = std::pair<const void*, std::uint64_t>;  // the source, and the number of its pictures
    Shown shown_now() const { return comparing() ? Shown{&both_, both_.pictures()} : Shown{&view_, view_.pictures()}; }
    bool comparing() const { return both_.ready() && core_.simulation.status().compare.on; }

    const WindowCore& core_;
    const Surface& surface_;
    SceneView view_;
    ComparePicture both_;
    std::optional<ComposedWindow> composed_;
    Shown composed_of_{};
    std::chrono::steady_clock::time_point began_{};  // when drawing of this frame's picture began
    bool another_ = false;                           // differs from the previous frame's picture
};

}  // namespace orrery
