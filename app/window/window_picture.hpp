// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "app/picture/compare_view.hpp"
#include "app/picture/legend.hpp"
#include "app/platform/surface.hpp"
#include "app/render/lasso.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/window/composed_window.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

enum class Pace {
    kNow,
    kAffordable,  ///< new bodies may wait if drawing is so slow that the window would not be smooth
};

/// The picture of the bodies, without any UI. It is drawn when something in it changes, not in every frame of the
/// window: software GL would otherwise take time from the simulation to draw identical pictures.
class SceneView {
public:
    explicit SceneView(const GlInfo& gl) : renderer_{gl}, software_{gl.software} {}

    void upload(const Frame& frame);
    /// Updates the picture. Sizes in pixels, at least 1.
    void draw(int width, int height, const OrbitCamera& camera, const ViewSettings& settings, Pace pace);
    /// Copies the picture into the window's framebuffer, and leaves that bound.
    void show(GLuint screen) const;
    std::uint64_t pictures() const { return pictures_; }  ///< drawn so far
    void read(Image& into) const { target_->read(into); }
    /// The legend of the newest frame; sizes in pixels.
    Legend legend(const OrbitCamera& camera, const ViewSettings& settings, int width, int height,
                  double longest_scale) const;
    /// The vertices of the newest frame, read back from GL if necessary.
    std::vector<Vec4f> read_bodies() const;

    /// The bodies of the frame that appear within a closed line, for a picture of this camera and size.
    BodySet within(const OrbitCamera& camera, double width, double height, const Outline& line) const;

    GLuint framebuffer() const { return target_->framebuffer(); }  ///< of the last picture
    const FrameExtent& extent() const { return extent_; }
    /// The periodic space of the last picture.
    Periodic space() const { return space_in(drawn_settings_); }
    /// The extent of a picture with these settings.
    FrameExtent extent_in(const ViewSettings& settings) const { return space_in(settings).extent(extent_); }
    const std::string& no_color() const { return no_color_; }  ///< as in Frame
    const SharedBuffer& bodies() const { return bodies_; }
    const SharedBuffer& drawn() const { return renderer_.drawn(bodies_); }  ///< part of bodies()
    DrawMode mode_used() const { return renderer_.mode_used(); }
    std::size_t cells_drawn() const { return renderer_.cells_drawn(); }
    double gpu_ms() const { return renderer_.gpu_ms(); }
    bool waits() const { return drawn().widths_due(); }  ///< for the smoothing lengths of the next picture
    Exposed exposed() const { return renderer_.exposed(); }
    /// Postpones new bodies until then, at Pace::kAffordable.
    void rest_until(std::chrono::steady_clock::time_point then) { next_affordable_ = then; }
    void expose_like(const SceneView* other) { renderer_.expose_like(other ? &other->renderer_ : nullptr); }
    void set_content_scale(double scale) { renderer_.set_content_scale(scale); }

private:
    Periodic space_in(const ViewSettings& settings) const;

    Renderer renderer_;
    SharedBuffer bodies_;
    mutable Lasso lasso_;
    std::optional<RenderTarget> target_;
    FrameExtent extent_;
    std::string no_color_;
    std::shared_ptr<const BodyMetadata> words_;
    double time_ = 0, scale_factor_ = 0, expansion_ = 0;
    bool software_, stale_ = true;
    std::uint64_t pictures_ = 0;
    std::chrono::steady_clock::time_point next_affordable_{};
    CameraPose drawn_pose_;
    glm::dvec2 drawn_shift_{0};
    ViewSettings drawn_settings_;
};

/// The picture of a comparison: A's and B's bodies seen by one camera, composed according to the user's settings.
class ComparePicture {
public:
    explicit ComparePicture(const GlInfo& gl) : gl_{gl} {}

    /// B's bodies, from the same frame as A's in their SceneView; null if there is no comparison.
    void upload(const Frame* b);
    bool ready() const { return b_.has_value(); }
    const SharedBuffer& bodies() const { return b_->bodies(); }  ///< B's, when ready
    ScalarRange distances() const;                               ///< colour range for kDifference, log10 of lengths

    /// Sizes in pixels; `left` of them are covered by the sidebar.
    void draw(SceneView& a, int width, int height, int left, const OrbitCamera& camera, const ViewSettings& settings,
              const CompareView& view, Pace pace);
    void show(GLuint screen) const;
    void rest_until(std::chrono::steady_clock::time_point then) {
        if (b_) b_->rest_until(then);
    }
    GLuint framebuffer() const { return target_->framebuffer(); }  ///< of the last picture
    std::uint64_t pictures() const { return pictures_; }           ///< number of different ones so far
    void read(Image& into) const { target_->read(into); }

private:
    const GlInfo& gl_;
    std::optional<SceneView> b_;
    std::optional<RenderTarget> target_;
    using Drawn = std::tuple<std::uint64_t, std::uint64_t, int, CompareView>;  // pictures of A and of B, left edge
    std::optional<Drawn> drawn_;
    std::uint64_t pictures_ = 0;
};

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
