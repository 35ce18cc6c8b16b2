// SPDX-License-Identifier: MIT
// shaders/points.vert: one point sprite per body.
//   in  0 vertex     xyz in lengths of the scene, w = colour scalar   core/bodies/frame.hpp
//   out body_color   linear RGB
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(location = 0) in vec4 vertex;
layout(location = 0) flat out vec3 body_color;

void main() {
    gl_Position = clip_from_world * vec4(vertex.xyz, 1.0);
    gl_PointSize = point_diameter;
    body_color = color_of(vertex.w);
}
