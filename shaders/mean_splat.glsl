// SPDX-License-Identifier: MIT
// shaders/mean_splat.glsl: the same as mean_points.glsl for light added by splat.comp.
#include "view.glsl"
#include "light_splat.glsl"
#include "mean.glsl"
