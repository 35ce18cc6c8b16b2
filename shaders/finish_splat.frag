// SPDX-License-Identifier: MIT
// shaders/finish_splat.frag: the picture that is seen; see finish.glsl.
#version 450 core
#include "view.glsl"
#include "color.glsl"
#include "trail_light.glsl"
#include "light_splat.glsl"
#include "finish.glsl"
