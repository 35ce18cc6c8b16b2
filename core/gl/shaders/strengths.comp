// Bodies with the strengths of a law in place of their masses (core/physics/pair_law.hpp). Defines: DOUBLE.
layout(local_size_x = 128) in;
#include "common.glsl"
#include "arguments.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Strengths { Vec4 strength[]; };
layout(std430, binding = 2) readonly buffer Charges { Real charge[]; };

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 body = bodies[i];
    if (law == 2u) body.w = Real(1);
    if (law == 3u) body.w = charge[i];
    strength[i] = body;
}
