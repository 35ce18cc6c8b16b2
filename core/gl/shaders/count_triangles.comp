// Triples of points, counted by the bins of their sides; a work group has the triples of one triple of tiles, found by
// an exact map. A table has a byte per pair of points of two tiles, [point of the upper tile][point of the lower tile]:
// the bin of the distance, or `none`, also for points that are not in ascending order. Defines: CLASSES.
layout(local_size_x = 256) in;
#include "common.glsl"
#include "../maps/exact/exact_maps.glsl"
layout(std140, binding = 0) uniform Arguments { uint first, last, none; };
layout(std430, binding = 0) readonly buffer Tables { uint tables[]; };    // by pair of tiles, 256 words each
layout(std430, binding = 1) readonly buffer Groups { uint group_of[]; };  // by tile
layout(std430, binding = 2) readonly buffer Classes { uint class_of[]; };  // by cell: bins jk, ik, ij
layout(std430, binding = 3) buffer Sums { uint sums[]; };  // [triple of groups][class], low and high 32 bits
shared uint counters[CLASSES];

// The word with the first of eight words of bins of a point of the upper tile.
uint row_at(uint upper, uint lower, uint point) { return 256u * (pair_count(upper) + lower) + 8u * point; }
uint byte_of(uint word, uint at) { return bitfieldExtract(word, int(8u * at), 8); }

void add_to_sum(uint at, uint value) {
    uint before = atomicAdd(sums[2u * at], value);
    if (before + value < before) atomicAdd(sums[2u * at + 1u], 1u);
}

void main() {
    uint index = first + group_index(), thread = gl_LocalInvocationID.x;
    if (index >= last) return;
    for (uint kind = thread; kind < uint(CLASSES); kind += 256u) counters[kind] = 0u;
    barrier();
    uvec3 t = triple_at(index);
    // An invocation has point c of tile k, four points of tile j and all of tile i.
    uint c = thread % 32u, quarter = thread / 32u, n = none + 1u;
    uint jk = tables[row_at(t.z, t.y, c) + quarter];
    for (uint b = 0u; b < 4u; ++b) {
        uint bin_jk = byte_of(jk, b);
        if (bin_jk == none) continue;
        for (uint w = 0u; w < 8u; ++w) {
            uint ij = tables[row_at(t.y, t.x, 4u * quarter + b) + w], ik = tables[row_at(t.z, t.x, c) + w];
            for (uint a = 0u; a < 4u; ++a) {
                uint bin_ij = byte_of(ij, a), bin_ik = byte_of(ik, a);
                if (bin_ij != none && bin_ik != none)
                    atomicAdd(counters[class_of[(bin_jk * n + bin_ik) * n + bin_ij]], 1u);
            }
        }
    }
    barrier();
    uint groups = six_triples(group_of[t.z]) / 6u + pair_count(group_of[t.y]) + group_of[t.x];
    for (uint kind = thread; kind < uint(CLASSES); kind += 256u)
        if (counters[kind] != 0u) add_to_sum(groups * uint(CLASSES) + kind, counters[kind]);
}
