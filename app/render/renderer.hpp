// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/body_light.hpp"
#include "app/render/exposure.hpp"
#include "app/render/finish.hpp"
#include "app/render/frame_uniforms.hpp"
#include "app/render/gl/gl_info.hpp"
#include "app/render/motion_pass.hpp"
#include "app/render/render_target.hpp"
#include "app/render/scene_lines.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/render/shown_bodies.hpp"
#include "app/render/shutter.hpp"
#include "app/render/stars_pass.hpp"
#include "app/render/trails_pass.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Draws bodies as light. Its GL context must be current in every member function and in the destructor.
class Renderer {
public:
    explicit Renderer(const GlInfo& gl);

    /// Size of the framebuffer in pixels, both at least 1. Does nothing if the size is unchanged.
    void resize(int width, int height);
    int width() const noexcept { return light_.width(); }
    int height() const noexcept { return light_.height(); }

    /// Overwrites `target`, which has the size of the last resize(). Leaves blending disabled; changes the viewport and
    /// the bound framebuffer.
    void draw(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
              const ViewSettings& settings, const RenderTarget& target);

    /// Returns the light of bodies alone, without trails and stars. Waits for it.
    LightImage read_light(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                          const ViewSettings& settings, LightOf of);

    /// Motion blur: after open_shutter() and this many calls of add_instant(), draw() and read_light() use the mean
    /// light of the instants, until close_shutter(). With `depth` the instants have the light of LightOf::kDepth too.
    void open_shutter(int instants, bool depth);
    void add_instant(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                     const ViewSettings& settings);
    void close_shutter();

    /// Motion vectors in a map with a `shrink`-th of the size, see MotionPass. `next`: as there, with all bodies.
    /// Waits.
    std::vector<float> read_motion(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                                   const ViewSettings& settings, const MotionPass::Next& next, int shrink);

    /// The subset of these bodies that the last draw() drew: all of them, or those of visible species.
    const SharedBuffer& drawn(const SharedBuffer& all) const noexcept { return shown_bodies_.last(all); }

    /// Adds to the trails the states passed since the previous frame; call before draw().
    void note_passed(const Frame& frame) { trails_.note(frame); }
    /// Adds a state between two frames to the trails.
    void record_trails(const SharedBuffer& bodies, const ViewSettings& settings);
    /// Frames are drawn through this lens; for kStereo the caller combines two flat frames.
    void set_lens(Lens lens) noexcept { lens_ = lens; }
    /// Bits per channel of the targets: 8, 16, or 10 with a high dynamic range, see finish.glsl.
    void set_bits(int bits) noexcept { bits_ = bits; }
    /// If true, smoothed frames wait until the neighbours of their bodies are found; otherwise they use those of an
    /// earlier state.
    void set_patient(bool patient) noexcept { light_.set_patient(patient); }
    /// Content scale of the screen: minimum scale of lines and sprites.
    void set_content_scale(double scale) noexcept { content_scale_ = std::max(1.0, scale); }

    /// Cells drawn while settings.octree.on; may be null.
    void show_cells(SharedCells cells) { cells_.show(std::move(cells)); }
    std::size_t cells_drawn() const noexcept { return cells_drawn_; }  ///< in the last draw()

    /// Light of a pixel drawn white in a recent draw() at exposure 0, and the stretch used with it; never waits.
    Exposed exposed() const noexcept { return exposure_.exposed(); }
    double white_in_bodies() const noexcept {
        return exposed().white / light_of_body_;
    }  ///< the same white, in units of the light of one body
    /// draw() uses the exposure of the last draw() of `other`, which is displayed beside it; null: it measures its own.
    void expose_like(const Renderer* other) noexcept { like_ = other; }
    /// The mode chosen by kAuto in the last draw().
    DrawMode mode_used() const noexcept { return light_.mode(); }
    /// Duration of a recent draw() in milliseconds; never waits, 0 until the first is known. Software GL reports the
    /// time of its commands, some of which are executed later.
    double gpu_ms() const noexcept { return timer_.milliseconds(); }

private:
    Renderer(bool software, Sweep sweep);
    double scale() const { return picture_scale(height(), content_scale_); }
    double pixels_per_length(const OrbitCamera& camera) const;
    const SharedBuffer& chosen(const SharedBuffer& all, const ViewSettings& settings);
    ViewUniforms view_uniforms(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                               const ViewSettings& settings);
    SphereUniforms visible_spheres(const SharedBuffer& bodies, const OrbitCamera& camera, const ViewSettings& settings,
                                   const ViewUniforms& view) const;
    void prepare(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                 const ViewSettings& settings, LightOf of);
    bool expose(const ViewSettings& settings);
    void draw_lines(const FrameExtent& extent, const OrbitCamera& camera, const ViewSettings& settings, GLuint target);

    /// Several instants as one picture.
    struct Blur {
        MeanLight colors, depths, stars;
        bool depth = false;
    };
    /// Bodies of the next picture that are drawn, and their ways.
    struct Motion {
        ShownBodies shown;
        MotionPass pass;
    };
    MeanLight& mean_of(LightOf of) { return of == LightOf::kColors ? blur_.colors : blur_.depths; }

    ShownBodies shown_bodies_;
    FrameUniforms uniforms_;
    BodyLight light_;
    TrailsPass trails_;
    StarsPass stars_;
    Blur blur_;
    std::optional<Motion> motion_;  // created on demand
    Sweep sweep_;
    Exposure exposure_;
    const Renderer* like_ = nullptr;  // its exposure is used, if not null
    Finish finish_;
    CellsPass cells_;
    std::size_t cells_drawn_ = 0;
    LinesPass guides_;
    Lens lens_ = Lens::kFlat;
    int bits_ = 8;
    double content_scale_ = 1;
    double light_of_body_ = 1;
    GlTimer timer_;
};

}  // namespace orrery
