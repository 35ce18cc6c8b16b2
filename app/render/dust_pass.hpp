// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/body_light.hpp"

namespace orrery {

/// Absorbs the light of smoothed bodies by the dust in front of them. Bodies are divided by depth into slices of equal
/// amounts of dust, and one slice each before and behind all dust. From the farthest slice to the nearest, light L of
/// those behind becomes L e^(−τ), with the optical depth τ of the slice in each band. A slice adds its own light, mixed
/// with its dust: (1 − e^(−τ))/τ of it.
class DustPass {
public:
    static constexpr int kSlices = 32;  ///< with dust
    explicit DustPass(Sweep sweep);
    /// Does nothing if the size is unchanged.
    void resize(int width, int height);
    /// `smooth` draws the slices; `strength` is a factor of all optical depths. Otherwise as SmoothPass::add_light().
    void add_light(SmoothPass& smooth, const SharedBuffer& bodies, SmoothKernels kernels, const Sight& sight,
                   double strength, GlBuffer& view, Sweep sweep);
    void bind_light() const { canvases_[current_].texture().bind(0); }  ///< for light_points.glsl

private:
    void cut(const SharedBuffer& bodies, const SmoothKernels& kernels, GlBuffer& view);

    GlProgram bins_, cuts_;
    ScreenPass absorb_;
    GlBuffer dust_of_bin_, slice_of_bin_;
    Canvas canvases_[2];
    int current_ = 0;
};

}  // namespace orrery
