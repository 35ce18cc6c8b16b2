// SPDX-License-Identifier: MIT
// shaders/points.vert: one point sprite per body.
//   in  0 vertex     xyz in lengths of the scene, w = colour scalar   core/bodies/frame.hpp
//   out body_place   0 to 1, in the colour map
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(location = 0) in vec4 vertex;
layout(location = 0) flat out float body_place;

void main() {
    gl_Position = clip_from_world * vec4(vertex.xyz, 1.0);
    // A vertex that is not a number goes where nothing is drawn.
    if (!(dot(abs(gl_Position), vec4(1.0)) < 3e38)) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    gl_PointSize = point_diameter;
    body_place = place_in_map(vertex.w);
}
