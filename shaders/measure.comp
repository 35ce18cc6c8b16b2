// SPDX-License-Identifier: MIT
// shaders/measure.comp: histogram of the light in blocks of the frame, in steps of an eighth of a power of two.
//   tex 0 narrow       light of 4 × 4 pixels each, as written by shrink_light.glsl
//   uniform 0 side     of a block in texels; larger frames have larger blocks
//   ssbo 1 Histogram   zeroed before; added to
// Needs view.glsl.
#version 450 core
#include "view.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D narrow;
layout(location = 0) uniform int side;
layout(std430, binding = 1) buffer Histogram {
    uint pieces[256];
};
shared uint found[256];

void main() {
    found[gl_LocalInvocationIndex] = 0u;
    barrier();
    ivec2 size = textureSize(narrow, 0), corner = side * ivec2(gl_GlobalInvocationID.xy);
    // Blocks cut by the edge are left out: repeated texels would count twice.
    if (all(lessThanEqual(corner + side, size))) {
        float sum = 0.0;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) sum += texelFetch(narrow, corner + ivec2(x, y), 0).x;
        sum *= glow_unit / float(side * side);
        if (sum > 0.0) atomicAdd(found[clamp(int(8.0 * log2(sum) + 64.0), 0, 255)], 1u);
    }
    barrier();
    if (found[gl_LocalInvocationIndex] > 0u) atomicAdd(pieces[gl_LocalInvocationIndex], found[gl_LocalInvocationIndex]);
}
