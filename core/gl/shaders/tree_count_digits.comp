// Radix sort: how often each value of a digit occurs in each work group.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_digits.glsl"
layout(std430, binding = 0) readonly buffer Keys { uvec2 keys[]; };
layout(std430, binding = 1) writeonly buffer Counts { uint counts[]; };  // [value][work group]
shared uint found[256];

void main() {
    uint block = group_number(), lane = gl_LocalInvocationID.x;
    if (block >= blocks) return;
    found[lane] = 0u;
    barrier();
    for (uint turn = 0u; turn < rounds_of(block); ++turn) {
        uint i = (block * kRounds + turn) * 256u + lane;
        if (i < count) atomicAdd(found[digit_of(keys[i])], 1u);
    }
    barrier();
    counts[lane * blocks + block] = found[lane];
}
