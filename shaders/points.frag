// SPDX-License-Identifier: MIT
// shaders/points.frag: the light of one body, a Gaussian whose sum over the pixels is the body's light.
//   in  body_place   position in the colour map, 0 to 1
//   in  body_size    diameter in pixels, light
//   in  body_bands   with BANDS: as in points.vert
//   out light_added  light and its colour terms, see color.glsl; blended one to one
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(location = 0) flat in float body_place;
layout(location = 1) flat in vec2 body_size;
#ifdef BANDS
layout(location = 2) flat in vec3 body_bands;
vec4 own_light() {
    float mean = dot(body_bands, vec3(1.0 / 3.0));
    return hues == 3 ? vec4(mean, body_bands) : mean * light_of(body_place);
}
#else
vec4 own_light() { return light_of(body_place); }
#endif
layout(location = 0) out vec4 light_added;

void main() {
    // σ is a sixth of the diameter: 1 % of the peak is left at the edge of the sprite and is subtracted.
    vec2 sigmas = (gl_PointCoord - 0.5) * 6.0;
    float sigma = body_size.x / 6.0;
    float profile = max(exp(-0.5 * dot(sigmas, sigmas)) - 0.0111, 0.0);
    light_added = own_light() * (profile * body_size.y / (5.90 * sigma * sigma));
}
