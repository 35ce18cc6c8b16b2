// SPDX-License-Identifier: MIT
// shaders/motion.frag: a disc; the nearest body of a pixel is kept.
//   in  motion
//   out way
#version 450 core
layout(location = 0) flat in vec2 motion;
layout(location = 0) out vec2 way;

void main() {
    vec2 from_middle = gl_PointCoord - 0.5;
    if (dot(from_middle, from_middle) > 0.25) discard;
    way = motion;
}
