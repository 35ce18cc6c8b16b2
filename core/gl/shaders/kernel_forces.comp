// A kernel of kind forces: THREADS threads compute ROWS bodies. Defines: DOUBLE, THREADS, ROWS.
layout(local_size_x = THREADS) in;
#include "common.glsl"
#include "arguments.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Accelerations { Vec4 acceleration[]; };
#include "kernel"

void main() {
    uint item = first_item + group_index();
    if (item < last_item) forces(item * uint(ROWS));
}
