// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/camera/orbit_camera.hpp"
#include "app/render/cells_pass.hpp"
#include "app/render/exposure.hpp"
#include "app/render/gl/gl_info.hpp"
#include "app/render/lens.hpp"
#include "app/render/light_image.hpp"
#include "app/render/render_target.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Draws bodies as light. Its GL context must be current in every member function and in the destructor.
class Renderer {
public:
    explicit Renderer(const GlInfo& gl);
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;
    ~Renderer();

    /// Size of the framebuffer in pixels, both at least 1. Does nothing if the size is unchanged.
    void resize(int width, int height);
    int width() const noexcept;
    int height() const noexcept;

    /// Overwrites `target`, which has the size of the last resize(). Leaves blending disabled; changes the viewport and
    /// the bound framebuffer.
    void draw(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
              const ViewSettings& settings, const RenderTarget& target);

    /// Returns the light of bodies alone, without trails and stars. Waits for it.
    LightImage read_light(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                          const ViewSettings& settings, LightOf of);

    /// The subset of these bodies that the last draw() drew: all of them, or those of visible species.
    const SharedBuffer& drawn(const SharedBuffer& all) const noexcept;

    /// Adds to the trails the states passed since the previous frame; call before draw().
    void note_passed(const Frame& frame);
    /// Adds a state between two frames to the trails.
    void record_trails(const SharedBuffer& bodies, const ViewSettings& settings);
    /// Frames are drawn through this lens; for kStereo the caller combines two flat frames.
    void set_lens(Lens lens) noexcept;
    /// Bits per channel of the targets: 8, 16, or 10 with a high dynamic range, see finish.glsl.
    void set_bits(int bits) noexcept;
    /// If true, smoothed frames wait until the neighbours of their bodies are found; otherwise they use those of an
    /// earlier state.
    void set_patient(bool patient) noexcept;
    /// Content scale of the screen: minimum scale of lines and sprites.
    void set_content_scale(double scale) noexcept;

    /// Cells drawn while settings.octree.on; may be null.
    void show_cells(SharedCells cells);
    std::size_t cells_drawn() const noexcept;  ///< in the last draw()

    /// Light of a pixel drawn white in a recent draw() at exposure 0, and the stretch used with it; never waits.
    Exposed exposed() const noexcept;
    double white_in_bodies() const noexcept;  ///< the same white, in units of the light of one body
    /// draw() uses the exposure of the last draw() of `other`, which is displayed beside it; null: it measures its own.
    void expose_like(const Renderer* other) noexcept;
    /// The mode chosen by kAuto in the last draw().
    DrawMode mode_used() const noexcept;
    /// Duration of a recent draw() in milliseconds; never waits, 0 until the first is known. Software GL reports the
    /// time of its commands, some of which are executed later.
    double gpu_ms() const noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace orrery
