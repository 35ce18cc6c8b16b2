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

/// Draws bodies as light. Its GL context must be current in every member, including the destructor.
class Renderer {
public:
    explicit Renderer(const GlInfo& gl);
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;
    ~Renderer();

    /// In pixels of the framebuffer, both at least 1. Costs nothing when nothing changes.
    void resize(int width, int height);
    int width() const noexcept;
    int height() const noexcept;

    /// Overwrites `target`, whose size is that of the last resize(). Leaves blending off, and changed the viewport and
    /// the framebuffer that is bound.
    void draw(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
              const ViewSettings& settings, const RenderTarget& target);

    /// The light of bodies alone: neither trails nor stars. Waits for it.
    LightImage read_light(const SharedBuffer& bodies, const FrameExtent& extent, const OrbitCamera& camera,
                          const ViewSettings& settings, LightOf of);

    /// Of these bodies, those that the last draw() drew: all, or without hidden species.
    const SharedBuffer& drawn(const SharedBuffer& all) const noexcept;

    /// Of the frame that draw() shows next, the states that passed before it.
    void note_passed(const Frame& frame);
    /// Adds a state to the trails that draw() does not draw: between two pictures.
    void record_trails(const SharedBuffer& bodies, const ViewSettings& settings);
    /// Pictures are drawn through this lens; kStereo is what its caller makes of two flat ones.
    void set_lens(Lens lens) noexcept;
    /// Targets have so many bits in a channel: 8, 16, or 10 with a high dynamic range, as finish.glsl has it.
    void set_bits(int bits) noexcept;
    /// Smoothed pictures wait until the neighbours of their bodies are found; otherwise they have those of a moment
    /// ago.
    void set_patient(bool patient) noexcept;
    /// Content scale of the screen: minimum scale of lines and sprites.
    void set_content_scale(double scale) noexcept;

    /// Cells that draw() shows while settings.octree is on; may be null.
    void show_cells(SharedCells cells);
    std::size_t cells_drawn() const noexcept;  ///< in the last draw()

    /// Light of a pixel drawn white in a recent draw(), at exposure 0, and the stretch that goes with it; never waits.
    Exposed exposed() const noexcept;
    double white_in_bodies() const noexcept;  ///< the same white, in units of the light of one body
    /// draw() exposes as the last draw() of `other` did, beside whose picture its own is seen; null: by its own light.
    void expose_like(const Renderer* other) noexcept;
    /// The mode chosen by kAuto in the last draw().
    DrawMode mode_used() const noexcept;
    /// Time that GL took for a recent draw(), in milliseconds; never waits, 0 until the first is known. Software GL
    /// reports the time of its commands, some of which are executed later.
    double gpu_ms() const noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace orrery
