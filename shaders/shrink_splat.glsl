// SPDX-License-Identifier: MIT
// shaders/shrink_splat.glsl: the light at a quarter of the width and height; see shrink_light.glsl.
#include "view.glsl"
#include "trail_light.glsl"
#include "star_light.glsl"
#include "light_splat.glsl"
#include "shrink_light.glsl"
