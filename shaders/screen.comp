// SPDX-License-Identifier: MIT
// shaders/screen.comp: does the same as screen.frag without the rasteriser. Data-centre GPUs have few raster units: on
// an H200 this is several times faster.
//   image 0 shaded
#version 450 core
#include SHADE
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) writeonly uniform image2D shaded;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(shaded);
    if (any(greaterThanEqual(pixel, size))) return;
    imageStore(shaded, pixel, shade(pixel, (vec2(pixel) + 0.5) / vec2(size)));
}
