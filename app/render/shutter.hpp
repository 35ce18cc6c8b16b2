// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>

#include "app/render/body_light.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/shared_buffer.hpp"

namespace orrery {

/// The mean light of several instants, in floats: motion blur in linear light.
class MeanLight {
public:
    /// The next add() is the first of `instants`.
    void begin(int instants) noexcept { instants_ = instants, added_ = 0; }
    void end() noexcept { instants_ = 0; }
    /// Adds the light that was drawn last, in the units of `view`; leaves it bound.
    void add(const BodyLight& light, Sweep sweep);
    /// Adds a light map.
    void add(const GlTexture& map, Sweep sweep);
    /// The mean, if all instants were added; otherwise null.
    const GlTexture* mean() const noexcept {
        return instants_ > 0 && added_ == instants_ ? &sums_[latest_].texture() : nullptr;
    }

private:
    void add(bool in_texture, int width, int height, Sweep sweep);

    std::optional<ScreenPass> of_texture_, of_buffer_;  // created on demand
    std::array<Canvas, 2> sums_;
    std::size_t latest_ = 0;
    int instants_ = 0, added_ = 0;
};

/// Bodies between two states of a simulation.
class BodiesBetween {
public:
    /// At this share of the straight way, 0 to 1, with the colours of `from`. Valid until the next call. Returns `from`
    /// if the two are one, and for clouds, whose bodies rest.
    const SharedBuffer& at(const SharedBuffer& from, const SharedBuffer& to, float share);

private:
    SharedBuffer between_;
    GlProgram mix_;  // created on demand
};

}  // namespace orrery
