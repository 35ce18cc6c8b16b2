// Vertices evenly spaced over a frame: sample_indices() of core/bodies/sampling.hpp.
layout(local_size_x = 128) in;
#define DOUBLE 0
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments { uint count, samples, unused_0, unused_1; };
layout(std430, binding = 0) readonly buffer Vertices { vec4 vertices[]; };
layout(std430, binding = 1) writeonly buffer Sample { vec4 found[]; };

void main() {
    uint i = thread_index();
    if (i < samples) found[i] = vertices[i * (count / samples) + i * (count % samples) / samples];
}
