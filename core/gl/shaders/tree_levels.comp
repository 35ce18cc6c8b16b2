// Cells that begin at each body of the curve. Bodies j and j + leaf are in one cell exactly if it has more than `leaf`
// bodies, so the keys of `leaf` neighbours on either side determine the deepest divided cell of a body; the preceding
// key determines the first level at which a cell begins at it. Counts cells by level and work group. The thread after
// the last body finds the end of all cells.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
layout(std430, binding = 0) readonly buffer Keys { uvec2 keys[]; };
layout(std430, binding = 1) writeonly buffer Levels { uint levels[]; };  // cells begin at levels [low, high byte)
layout(std430, binding = 2) writeonly buffer Counts { uint counts[]; };  // [level][work group], then a 0
shared uint found[kTreeLevels];

// The deepest level at which two keys are in the same cell.
int shared_level(uvec2 a, uvec2 b) {
    uvec2 differ = a ^ b;
    if (differ.y != 0u) return (30 - findMSB(differ.y)) / 3;
    return differ.x == 0u ? 21 : (62 - findMSB(differ.x)) / 3;
}

void main() {
    uint i = item_index(), lane = gl_LocalInvocationID.x, block = group_number();
    if (block >= blocks) return;
    if (lane < kTreeLevels) found[lane] = 0u;
    if (i == 0u) counts[kTreeLevels * blocks] = 0u;
    barrier();
    if (i < count) {
        int begin = 0, divided = -1;
        if (i > 0u) begin = shared_level(keys[i - 1u], keys[i]) + 1;
        for (uint j = i > leaf ? i - leaf : 0u; j <= i && j + leaf < count; ++j)
            divided = max(divided, shared_level(keys[j], keys[j + leaf]));
        int end = min(divided, 20) + 2;
        levels[i] = uint(begin) | uint(end) << 8;
        for (int level = begin; level < end; ++level) atomicAdd(found[level], 1u);
    } else if (i == count) {
        levels[i] = 0u;
    }
    barrier();
    if (lane < kTreeLevels) counts[lane * blocks + block] = found[lane];
}
