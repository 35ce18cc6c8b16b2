// SPDX-License-Identifier: MIT
// shaders/trails.frag: the light of a trail, smooth at its edges. It is as bright at any zoom, a fraction of white. It
// is left out around the body, so that a small body is not lost in its own trail.
//   in  trail_place, strength, across, head   see trails.vert
//   out light_added                     light and its colour terms, see color.glsl; blended one to one
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(location = 1) uniform vec3 look;
layout(location = 0) in float trail_place;
layout(location = 1) in float strength;
layout(location = 2) in float across;
layout(location = 3) flat in vec2 head;
layout(location = 0) out vec4 light_added;

void main() {
    float weight = strength * clamp(look.x + 0.5 - abs(across), 0.0, 1.0);
    float near = max(0.5 * point_diameter, 2.0 * look.x);
    weight *= smoothstep(near, 2.0 * near + 2.0, distance(gl_FragCoord.xy, head));
    light_added = light_of(clamp(trail_place, 0.0, 1.0)) * (weight * white);
}
