// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>

#include "app/camera/orbit_camera.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Automatic exposure from the number of bodies and the area they cover, not from the frame: for sprites and for
/// ExposureBy::kBodies. Otherwise the initial value of measured exposure. One unit of light is one splatted body.
struct Brightness {
    double light;           ///< of one body, summed over all its pixels
    double white;           ///< light per pixel that gives brightness 1 at exposure 0
    double point_diameter;  ///< pixels; size of a sprite in DrawMode::kPoints
};

inline constexpr float kLoneWhite = 2;  ///< minimum white: a single body with no others around it is clearly visible

/// Scale of lines and sprites relative to a frame of 720 rows: proportional to the frame height, and at least the
/// screen's `content_scale` (1 or more for small pixels).
double picture_scale(int height, double content_scale);

/// `mode` is not kAuto; `height` is the frame's, in pixels; `scale` as returned by picture_scale().
Brightness brightness(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera, int height,
                      DrawMode mode, const ViewSettings& settings, double scale = 1);

/// The extent that controls exposure and colours in a video. It follows that of the bodies within about half a second,
/// because the latter comes from a sample, whose small jumps would flicker.
class ExtentFollower {
public:
    /// `seconds` since the last call, in video or window time. The extent of another scene or quantity is adopted at
    /// once.
    const FrameExtent& follow(const FrameExtent& extent, double seconds);
    const FrameExtent& extent() const { return seen_; }

private:
    FrameExtent seen_;
    bool begun_ = false;
};

/// Parameters of the tone curve: ViewSettings::stretch, and the light that is drawn white.
struct Exposed {
    float stretch, white;
};

/// The tone curve of a frame. Measured, it is determined from percentiles of the bodies' light, on the GPU without
/// waiting for it. The result depends only on the frame, so the same frame has the same bytes.
class Exposure {
public:
    Exposure();
    Exposure(Exposure&&) noexcept;
    Exposure& operator=(Exposure&&) noexcept;
    ~Exposure();

    /// The values of the next frame if its light is not measured.
    void set_computed(const Exposed& exposed) noexcept { computed_ = exposed; }
    /// The frame uses the computed values.
    void use_computed() noexcept { measured_ = false; }
    bool measured() const noexcept { return measured_; }  ///< in the last frame

    struct Wish {
        float stretch, gain;  ///< from the settings; gain: 2^EV
        float least_white;    ///< minimum white
        double scale;         ///< picture_scale(): a larger frame is measured in larger blocks
    };
    /// Writes `white`, `stretch` and `response` of `view`, the uniform buffer bound at 0; leaves the binding. `narrow`:
    /// light of 4 × 4 pixels each, in units of glow_unit.
    void measure(const GlTexture& narrow, const GlBuffer& view, const Wish& wish);
    /// Copies the values measured for the frame whose uniform buffer is `other`.
    void adopt(const GlBuffer& other, const GlBuffer& view);
    /// Values of a recent frame; never waits.
    Exposed exposed() const;

private:
    struct HostCopy;
    void read_back(const GlBuffer& view);

    GlProgram measure_, expose_;
    GlBuffer histogram_;
    std::unique_ptr<HostCopy> host_copy_;
    Exposed computed_{4, 1};
    bool measured_ = false;
};

}  // namespace orrery
