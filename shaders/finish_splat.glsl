// SPDX-License-Identifier: MIT
// shaders/finish_splat.glsl: the picture that is seen; see finish.glsl.
#include "view.glsl"
#include "color.glsl"
#include "trail_light.glsl"
#include "star_light.glsl"
#include "light_splat.glsl"
#include "spheres.glsl"
#include "finish.glsl"
