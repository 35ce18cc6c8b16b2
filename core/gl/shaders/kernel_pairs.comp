// A kernel of kind pair in a plain loop, for its trial. Defines: DOUBLE, KERNEL 1.
layout(local_size_x = 64) in;
#define SOFTENED 1
#define POTENTIAL 1
#define SPLIT 0
#define LAW 0
#include "common.glsl"
#include "arguments.glsl"
#include "pair.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Accelerations { Vec4 acceleration[]; };

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 sum = Vec4(0);
    for (uint j = 0u; j < count; ++j)
        add_pull(sum, bodies[j].xyz - bodies[i].xyz, bodies[i].w, bodies[j].w, j != i);
    acceleration[i] = Vec4(constant * sum.xyz, -constant * sum.w);
}
