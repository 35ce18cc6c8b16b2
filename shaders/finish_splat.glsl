// SPDX-License-Identifier: MIT
// shaders/finish_splat.glsl: the final frame; see finish.glsl.
#include "view.glsl"
#include "color.glsl"
#include "trail_light.glsl"
#include "star_light.glsl"
#include "light_splat.glsl"
#include "spheres.glsl"
#include "finish.glsl"
