// The number of tiles that are not taken exactly once.
#define DOUBLE 0
layout(local_size_x = 64) in;
#include "common.glsl"
#include "arguments.glsl"
layout(std430, binding = 0) buffer Misplaced { uint misplaced; };
layout(std430, binding = 1) readonly buffer Taken { uint taken[]; };

void main() {
    uint tile = thread_index();
    if (tile < last_item && taken[tile] != 1u) atomicAdd(misplaced, 1u);
}
