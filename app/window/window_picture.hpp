// SPDX-License-Identifier: MIT
#pragma once
#include "app/platform/surface.hpp"
#include "app/window/compare_picture.hpp"
#include "app/window/scene_view.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The bodies in the window: those of the simulation, or both of a comparison. Needs the window's GL context.
class WindowPicture {
public:
    WindowPicture(const WindowCore& core, const Surface& surface)
        : core_{core}, surface_{surface}, view_{surface.gl_info()}, both_{surface.gl_info()} {}

    void upload(const Frame& frame);
    void set_content_scale(double scale) { view_.set_content_scale(scale); }
    void draw(Pace pace);    ///< brings it up to date and copies it into the window
    void read(Image& into);  ///< as it would be without panels

    const SceneView& view() const { return view_; }
    const ComparePicture& both() const { return both_; }
    /// The window as far as it is drawn, panels included. Sizes in pixels.
    void read_window(int width, int height, Image& into) const;
    GLuint screen() const { return surface_.framebuffer(); }  ///< what the window is drawn into

private:
    bool comparing() const { return both_.ready() && core_.simulation.status().compare.on; }

    const WindowCore& core_;
    const Surface& surface_;
    SceneView view_;
    ComparePicture both_;
};

}  // namespace orrery
