// SPDX-License-Identifier: MIT
// shaders/motion.vert: the way of each body on the picture until the next one, drawn where its light is, an instance for each copy of a periodic box.
//   in  0 vertex     as in points.vert
//   in  1 later      the body in the next picture
//   in  2 mass       as in points.vert
//   in  3 width      distance to the k-th neighbour, for smoothed bodies
//   uniform 0 later_clip    clip_from_world of the next picture
//   uniform 1 later_eye     its eye_from_world
//   uniform 2 size          of the picture, pixels
//   uniform 3 shape         pixels per length at distance 1 · σ over width of smoothed bodies, or 0;
//                           1 for sprites, or 0; pixels of this picture per pixel of the view
//   uniform 4 middle        distance with half of the depth range
//   out motion       pixels, to the right and up
#version 450 core
#include "view.glsl"
#include "spheres.glsl"
layout(location = 0) in vec4 vertex;
layout(location = 1) in vec4 later;
layout(location = 2) in float mass;
layout(location = 3) in float width;
layout(location = 0) uniform mat4 later_clip;
layout(location = 1) uniform mat4 later_eye;
layout(location = 2) uniform vec2 size;
layout(location = 3) uniform vec3 shape;
layout(location = 4) uniform float middle;
layout(location = 0) flat out vec2 motion;

vec2 pixel_of(vec4 clip) { return (clip.xy / clip.w * 0.5 + 0.5) * size; }

void main() {
    vec3 at = placed(vertex.xyz, gl_InstanceID);
    vec4 clip = clip_of(at), to = vec4(nearest_image(later.xyz, at), 1.0);
    vec4 then = lens == 0 ? later_clip * to : clip_of_eye((later_eye * to).xyz);
    motion = then.w > 0.0 ? pixel_of(then) - pixel_of(clip) : vec2(0.0);
    if (lens == 2) motion.x -= size.x * round(motion.x / size.x);  // the way round is shorter
    float away = depth_of(at, clip);
    // Two σ around the middle of the light: there it is brighter than an eighth of its peak.
    float diameter = 1.0;
    if (shape.y > 0.0) {
        float share = mass_power > 0.0 ? mass_share * pow(mass, mass_power) : 1.0;
        diameter = clamp(point_diameter * sqrt(share), 2.5, max(96.0, point_diameter)) * (2.0 / 3.0);
    } else if (shape.x > 0.0) {
        diameter = 4.0 * width * shape.x / max(away, 1e-30);
    }
    gl_PointSize = max(diameter * shape.z, 1.0);
    gl_Position = vec4(clip.xy, clip.w * (2.0 * away / (away + middle) - 1.0), clip.w);
    bool drawn = clip.z >= -clip.w && dot(abs(clip), vec4(1.0)) < 3e38 && dot(abs(motion), vec2(1.0)) < 3e38;
    if (!drawn || sliced_off(at) || (has_spheres() && hidden(at))) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
}
