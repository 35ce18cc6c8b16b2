// SPDX-License-Identifier: MIT
// shaders/points.frag: the light of one body, a Gaussian whose sum over the pixels is `light`.
//   in  body_place   0 to 1, in the colour map
//   out light_added  light, light × place; blended one to one
#version 450 core
#include "view.glsl"
layout(location = 0) flat in float body_place;
layout(location = 0) out vec2 light_added;

void main() {
    // σ is a sixth of the diameter: at the edge of the sprite 1 % of the peak is left, which is taken off.
    vec2 sigmas = (gl_PointCoord - 0.5) * 6.0;
    float sigma = point_diameter / 6.0;
    float profile = max(exp(-0.5 * dot(sigmas, sigmas)) - 0.0111, 0.0);
    light_added = vec2(1.0, body_place) * (profile * light / (5.90 * sigma * sigma));
}
