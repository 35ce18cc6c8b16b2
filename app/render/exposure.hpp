// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"

namespace orrery {

/// Parameters of the tone curve: ViewSettings::stretch, and the light that is drawn white.
struct Exposed {
    float stretch, white;
};

/// Determines white and response from percentiles of the bodies' light, on the GPU without waiting for it. The result
/// depends only on the frame, so the same frame has the same bytes.
class Exposure {
public:
    Exposure();
    ~Exposure();

    struct Wish {
        float stretch, gain;  ///< from the settings; gain: 2^EV
        float least_white;    ///< minimum white
        double scale;         ///< picture_scale(): a larger frame is measured in larger blocks
    };
    /// Writes `white`, `stretch` and `response` of `view`, the uniform buffer bound at 0; leaves the binding. `narrow`:
    /// light of 4 × 4 pixels each, in units of glow_unit.
    void measure(const GlTexture& narrow, const GlBuffer& view, const Wish& wish);
    /// Copies the values measured by `other`.
    void adopt(const GlBuffer& other, const GlBuffer& view);
    /// Starts copying the values to the host.
    void note(const GlBuffer& view);
    /// Values of a recent frame; never waits.
    Exposed seen() const;

private:
    struct Way;
    GlProgram measure_, expose_;
    GlBuffer histogram_;
    std::unique_ptr<Way> way_;
};

}  // namespace orrery
