// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/picture/legend.hpp"
#include "app/render/lasso.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"
#include "app/render/shared_buffer.hpp"

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

}  // namespace orrery
