// SPDX-License-Identifier: MIT
// shaders/stars.frag: the light of one star, a Gaussian whose sum over the pixels is the star's light, as in
// points.frag.
//   uniform 0 look    σ in pixels, see stars.vert
//   in  star_light    light, light × colour
//   out light_added   its share in this pixel; blended one to one
#version 450 core
layout(location = 0) uniform vec2 look;
layout(location = 0) flat in vec4 star_light;
layout(location = 0) out vec4 light_added;

void main() {
    vec2 sigmas = (gl_PointCoord - 0.5) * 6.0;
    float profile = max(exp(-0.5 * dot(sigmas, sigmas)) - 0.0111, 0.0);
    light_added = star_light * (profile / (5.90 * look.x * look.x));
}
