// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/view_settings.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// A star of the background, as shaders/stars.vert reads it: two vec4.
struct Star {
    Vec3f direction;  ///< unit vector in space
    float light;      ///< brightness relative to the brightest possible star: kFaintest to 1
    Vec3f color;      ///< linear RGB, the largest component 1
    float unused;
};
static_assert(sizeof(Star) == 32);

/// The number of stars visible to the naked eye: the Yale Bright Star Catalogue has 9110 entries (Hoffleit & Jaschek
/// 1982).
inline constexpr std::size_t kSkyStars = 9000;
/// Brightness ratio of the faintest star to the brightest, 3.5 magnitudes: the dynamic range of a frame.
inline constexpr float kFaintest = 0.04f;

/// Stars of equal luminosity, uniformly distributed in space: N(m) ~ 10^(0.6 m) (Hubble 1926, ApJ 64, 321), whatever
/// their luminosities. The same seed gives the same sky on every machine, because it uses only operations that IEEE 754
/// rounds exactly.
std::vector<Star> sky(std::uint64_t seed);

/// The sky behind the bodies: a light map of the stars, in units of a body's light. Stars do not affect the automatic
/// exposure. They have the same angular size and contribute the same light at any resolution.
class StarsPass {
public:
    StarsPass() : add_{"stars.vert", "stars.frag"} {}
    /// Needs the uniform block View bound. Changes the framebuffer and leaves blending disabled.
    void add_light(const StarView& view, int width, int height);
    const GlTexture& light() const { return light_.texture(); }
    void bind_light() const { light().bind(kUnit); }  ///< for star_light.glsl
    static constexpr GLuint kUnit = 3;

private:
    void load(int seed);

    GlProgram add_;
    GlVertexArray nothing_;
    GlBuffer stars_;
    std::optional<int> seed_;  // of the stars in the buffer
    Canvas light_;
};

}  // namespace orrery
