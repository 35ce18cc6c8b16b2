// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"

namespace orrery {

/// What measured light is developed with: ViewSettings::stretch and the light that is drawn white.
struct Exposed {
    float stretch, white;
};

/// White and response from percentiles of the light of bodies, where it lies: nothing waits for the GPU. The result
/// depends on the picture alone, so the same picture has the same bytes.
class Exposure {
public:
    Exposure();
    ~Exposure();

    struct Wish {
        float stretch, gain;  ///< of the settings; 2^EV
        float least_white;    ///< however little light there is
        double scale;         ///< picture_scale(): a larger picture is measured in larger pieces
    };
    /// Writes `white`, `stretch` and `response` of `view`, the uniform buffer bound at 0, of which it leaves the
    /// binding. `narrow`: light of 4 × 4 pixels each, in units of glow_unit.
    void measure(const GlTexture& narrow, const GlBuffer& view, const Wish& wish);
    /// The same values as `other` has measured.
    void adopt(const GlBuffer& other, const GlBuffer& view);
    /// Starts to bring them to the host.
    void note(const GlBuffer& view);
    /// Of a recent picture; never waits.
    Exposed seen() const;

private:
    struct Way;
    GlProgram measure_, expose_;
    GlBuffer histogram_;
    std::unique_ptr<Way> way_;
};

}  // namespace orrery
