// Overlaps among spheres: a flag of one byte per pair below the diagonal, or per overlap, and their number. GLSL writes
// words: a thread that has a whole row or four adjacent columns writes words, others clear bits of a byte that is 1 or
// more. Defines: SPAN 4: a thread has 4 rows × 4 columns of a tile of 4ρ × 4ρ, 1: one pair, 8: a row of 8ρ columns and
// writes only overlaps; DIMENSIONS; BLOCK_X, BLOCK_Y, RHO; those of lab_find.glsl.
#define DOUBLE 0
layout(local_size_x = BLOCK_X, local_size_y = BLOCK_Y) in;
#include "lab_find.glsl"
layout(std430, binding = 0) readonly buffer Bodies { vec4 spheres[]; };  // padded to whole tiles
layout(std430, binding = 1) buffer Flags { uint flags[]; };
layout(std430, binding = 2) buffer Slots { uint slots[]; };
const uint kSlots = 1024u;  // several counters, to reduce contention
shared uint found_in_group;

// Negative if two spheres overlap: d² − (r₁ + r₂)²; rounded as on a host, so that flags agree.
bool overlap(vec4 a, vec4 b) {
    precise float reach = a.w + b.w, x = a.x - b.x;
    precise float d2 = x * x;
#if DIMENSIONS == 3
    precise float y = a.y - b.y, z = a.z - b.z;
    precise float yy = y * y;
    precise float xy = yy + d2;
    precise float zz = z * z;
    d2 = zz + xy;
#endif
    precise float reach2 = reach * reach;
    precise float gap = d2 - reach2;
    return gap < 0;
}

void write_byte(uint i, uint j, uint flag) {
    uint shift = 8u * (j % 4u);
    atomicAnd(flags[i * pitch + j / 4u], ~(255u << shift) | flag << shift);
}

#if IN_THREADS
void main() {
    uvec2 pair = find_pair();
    if (!useful(pair, bodies) || pair.x == pair.y) return;
    bool collides = overlap(spheres[pair.x], spheres[pair.y]);
    if (SPAN != 8 || collides) write_byte(pair.x, pair.y, collides ? 1u : 0u);
    if (collides) atomicAdd(slots[(pair.x + pair.y) % kSlots], 1u);
}
#else
const uint kSide = RHO * SPAN;
shared vec4 row_sphere[kSide], column_sphere[kSide];

void main() {
    uint thread = gl_LocalInvocationIndex, threads = BLOCK_X * BLOCK_Y, found = 0u;
    uvec2 tile = find_tile();
    if (!useful(tile, rows)) return;
    uint first = tile.x * kSide, left = tile.y * kSide;
    if (thread == 0u) found_in_group = 0u;
    for (uint k = thread; k < kSide; k += threads) {
        row_sphere[k] = spheres[first + k];
        column_sphere[k] = spheres[left + k];
    }
    barrier();
#if SPAN == 8
    uint i = first + thread, below = min(kSide, i - left);
    vec4 self = row_sphere[thread];
    for (uint c = 0u; c < below; ++c)
        if (overlap(self, column_sphere[c])) {
            uint at = i * pitch + (left + c) / 4u, shift = 8u * (c % 4u);
            flags[at] = (flags[at] & ~(255u << shift)) | 1u << shift;
            ++found;
        }
#elif SPAN == 4
    for (uint a = 0u; a < 4u; ++a) {
        uint r = gl_LocalInvocationID.y + a * BLOCK_Y, c = 4u * gl_LocalInvocationID.x, four = 0u;
        for (uint b = 0u; b < 4u; ++b)
            if (left + c + b < first + r && overlap(row_sphere[r], column_sphere[c + b])) four |= 1u << 8u * b;
        found += uint(bitCount(four));
        flags[(first + r) * pitch + (left + c) / 4u] = four;
    }
#else
    uint i = first + gl_LocalInvocationID.y, j = left + gl_LocalInvocationID.x;
    bool collides = j < i && overlap(row_sphere[gl_LocalInvocationID.y], column_sphere[gl_LocalInvocationID.x]);
    if (j < i) write_byte(i, j, collides ? 1u : 0u);
    found = collides ? 1u : 0u;
#endif
    if (found > 0u) atomicAdd(found_in_group, found);
    barrier();
    if (thread == 0u && found_in_group > 0u) atomicAdd(slots[(tile.x * 31u + tile.y * 8u) % kSlots], found_in_group);
}
#endif
