// SPDX-License-Identifier: MIT
// shaders/shrink_points.glsl: the light at a quarter of the width and height; see shrink_light.glsl.
#include "view.glsl"
#include "trail_light.glsl"
#include "star_light.glsl"
#include "light_points.glsl"
#include "shrink_light.glsl"
