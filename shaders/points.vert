// SPDX-License-Identifier: MIT
// shaders/points.vert: one point sprite per body, an instance for each copy of a periodic box.
//   in  0 vertex     xyz in lengths of the scene, w = colour scalar   core/bodies/frame.hpp
//   in  1 mass       relative to the mean of all; 1 if all are equal
//   in  2 band_light with BANDS: as in bands.glsl
//   out body_place   position in the colour map, 0 to 1
//   out body_size    diameter in pixels, light
//   out body_bands   with BANDS: light in red, green, blue over the mean
#version 450 core
#include "view.glsl"
#include "color.glsl"
#include "spheres.glsl"
layout(location = 0) in vec4 vertex;
layout(location = 1) in float mass;
#ifdef BANDS
layout(location = 2) in vec4 band_light;
layout(location = 2) flat out vec3 body_bands;
#endif
layout(location = 0) flat out float body_place;
layout(location = 1) flat out vec2 body_size;

const float kLeast = 2.5, kMost = 96.0;  // pixels: smaller ones are fainter instead, larger ones brighter

void main() {
    vec3 at = placed(vertex.xyz, gl_InstanceID);
    gl_Position = clip_of(at);
    // NaN vertices are moved out of the frame.
    if (!(dot(abs(gl_Position), vec4(1.0)) < 3e38)) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    if (sliced_off(at) || (has_spheres() && hidden(at))) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    body_size = vec2(point_diameter, light);
    if (mass_power > 0.0) {
        float share = mass_share * pow(mass, mass_power);
        body_size = vec2(clamp(point_diameter * sqrt(share), kLeast, max(kMost, point_diameter)), light * share);
    }
#ifdef BANDS
    body_bands = band_light.rgb;
    body_size.x *= clamp(sqrt(dot(body_bands, vec3(1.0 / 3.0))), 0.5, 3.0);
#endif
    gl_PointSize = body_size.x;
    body_place = place_of(vertex, gl_Position);
}
