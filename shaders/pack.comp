// SPDX-License-Identifier: MIT
// shaders/pack.comp: converts a drawn frame to the layout of files, app/render/image.hpp: rows from the top down, four
// bytes per pixel, opaque. For a frame drawn `factor` times wider and higher each pixel gets the mean light of factor ×
// factor pixels, by the tables and the rounding of app/render/image.cpp.
//   texture 0       the frame, rows from below
//   ssbo 0 Packed   a word per pixel
//   ssbo 1 Tables   light_of_byte(), then byte_of_light(), four to a word
//   uniform 0       width, height, factor
#version 450 core
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D drawn;
layout(std430, binding = 0) writeonly buffer Packed {
    uint pixels[];
};
layout(std430, binding = 1) readonly buffer Tables {
    uint light_of_byte[256];
    uint byte_of_light[16384];
};
layout(location = 0) uniform ivec3 shape;

uint byte_of(uint light) { return (byte_of_light[light >> 2] >> (8u * (light & 3u))) & 255u; }

/// The bytes written for a texel's channels.
uvec3 bytes_of(ivec2 at) { return uvec3(texelFetch(drawn, at, 0).rgb * 255.0 + 0.5); }

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = shape.xy;
    int factor = shape.z;
    if (any(greaterThanEqual(pixel, size))) return;
    ivec2 corner = ivec2(pixel.x, size.y - 1 - pixel.y) * factor;
    uvec3 color;
    if (factor == 1) {
        color = bytes_of(corner);
    } else {
        uint area = uint(factor * factor);
        uvec3 sum = uvec3(area / 2u);
        for (int y = 0; y < factor; ++y)
            for (int x = 0; x < factor; ++x) {
                uvec3 bytes = bytes_of(corner + ivec2(x, y));
                sum += uvec3(light_of_byte[bytes.r], light_of_byte[bytes.g], light_of_byte[bytes.b]);
            }
        sum /= area;
        color = uvec3(byte_of(sum.r), byte_of(sum.g), byte_of(sum.b));
    }
    pixels[pixel.y * size.x + pixel.x] = color.r | color.g << 8 | color.b << 16 | 0xff000000u;
}
