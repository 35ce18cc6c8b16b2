// Writes where cells begin and end, by the thread of the body where they do. A cell's number is the number of cells of
// earlier levels and of those of its level that begin earlier.
#define DOUBLE 0
layout(local_size_x = 256) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
layout(std430, binding = 0) readonly buffer Levels { uint levels[]; };
layout(std430, binding = 1) readonly buffer Offsets { uint offsets[]; };     // [level][work group]
layout(std430, binding = 2) writeonly buffer Begins { uvec2 begins[]; };  // first body, first child or body with kLeaf
layout(std430, binding = 3) writeonly buffer Ends { uvec2 ends[]; };      // the same behind the last ones
shared uint masks[kTreeLevels * 8u];  // threads at whose body a cell of a level begins

uint cells_before(uint level) {
    uint lane = gl_LocalInvocationID.x, sum = offsets[level * blocks + group_number()];
    for (uint word = 0u; word < lane / 32u; ++word) sum += uint(bitCount(masks[level * 8u + word]));
    return sum + uint(bitCount(masks[level * 8u + lane / 32u] & ((1u << lane % 32u) - 1u)));
}

void main() {
    uint i = item_index(), lane = gl_LocalInvocationID.x;
    if (group_number() >= blocks) return;
    for (uint word = lane; word < kTreeLevels * 8u; word += 256u) masks[word] = 0u;
    barrier();
    uint begin = 0u, end = 0u;
    if (i <= count) {
        begin = levels[i] & 255u, end = levels[i] >> 8;
        for (uint level = begin; level < end; ++level) atomicOr(masks[level * 8u + lane / 32u], 1u << lane % 32u);
    }
    barrier();
    if (i > count) return;
    for (uint level = begin; level < end; ++level) {
        bool leaf_cell = level + 1u == end;
        begins[cells_before(level)] = uvec2(i, leaf_cell ? i | kLeaf : cells_before(level + 1u));
    }
    if (i == 0u) return;
    uint end_before = levels[i - 1u] >> 8;
    for (uint level = begin; level < end_before; ++level) {
        bool leaf_cell = level + 1u == end_before;
        ends[cells_before(level) - 1u] = uvec2(i, leaf_cell ? i : cells_before(level + 1u));
    }
}
