// SPDX-License-Identifier: MIT
// shaders/finish_points.glsl: the final frame; see finish.glsl.
#include "view.glsl"
#include "color.glsl"
#include "trail_light.glsl"
#include "star_light.glsl"
#include "light_points.glsl"
#include "spheres.glsl"
#include "finish.glsl"
