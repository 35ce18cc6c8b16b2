// SPDX-License-Identifier: MIT
// shaders/finish_points.frag: the picture that is seen; see finish.glsl.
#version 450 core
#include "view.glsl"
#include "color.glsl"
#include "trail_light.glsl"
#include "light_points.glsl"
#include "finish.glsl"
