// Doubles that hold floats, as floats.
#define DOUBLE 1
layout(local_size_x = 128) in;
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments { uint count; };
layout(std430, binding = 0) readonly buffer From { dvec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { vec4 to[]; };

void main() {
    uint i = thread_index();
    if (i < count) to[i] = vec4(from[i]);
}
