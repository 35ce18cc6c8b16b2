// Adds the splits of the columns of `direct`, always in the same order.
layout(local_size_x = 128) in;
#include "common.glsl"
#include "arguments.glsl"
#include "finish.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Partial { Vec4 partial[]; };
layout(std430, binding = 2) writeonly buffer Accelerations { Vec4 acceleration[]; };

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 sum = Vec4(0), lost = Vec4(0);
    for (uint split = 0u; split < splits; ++split) add_compensated(sum, lost, partial[split * count + i]);
    acceleration[i] = finished(sum, bodies[i].w);
}
