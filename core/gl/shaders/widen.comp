// Floats as doubles.
#define DOUBLE 1
layout(local_size_x = 128) in;
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments { uint count; };
layout(std430, binding = 0) readonly buffer From { vec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { dvec4 to[]; };

void main() {
    uint i = thread_index();
    if (i < count) to[i] = dvec4(from[i]);
}
