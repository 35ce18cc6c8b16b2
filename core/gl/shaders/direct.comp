// Shaders of engine `direct`.
#include "common.glsl"
#include "arguments.glsl"

#shader tiles layout(local_size_x = P, local_size_y = Q) in;
// All pairs in tiles of shared memory (GPU Gems 3, ch. 31): P threads have K rows each, Q such groups share the columns
// of a tile, and work groups share the columns of the same rows in `splits` parts. Defines: P, Q, K, U (unrolling),
// those of pair.glsl.
#include "pair.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Partial { Vec4 partial[]; };  // [split][body]
#if SPLIT
layout(std430, binding = 2) readonly buffer Low { Vec4 low[]; };
shared Vec4 tile_low[P * Q];
#endif
shared Vec4 tile[P * Q];

#if SPLIT
#define LOW(place) tile_low[place]
#else
#define LOW(place) Vec4(0)
#endif

// Adds the columns of the tile. `counts`: whether the pair with the column at `place` counts.
#define ADD_TILE(counts)                                                                                 \
    for (int j = P; j > 0; j -= U) {                                                                     \
        for (int u = 1; u <= U; ++u) {                                                                   \
            uint place = others + uint(j - u);                                                           \
            Vec4 other = tile[place], other_low = LOW(place);                                            \
            for (int k = 0; k < K; ++k)                                                                  \
                add_pull(sum[k], difference(other, self[k], other_low, self_low[k]), self[k].w, other.w, \
                         counts);                                                                        \
        }                                                                                                \
    }

// Columns that a thread adds to one sum. More columns lose digits: with 256 no preset of 131 072 bodies exceeds an
// error of 3e-7 in single precision.
const uint kColumnsOfSum = 256u;

void main() {
    uint item = first_item + group_index();
    if (item >= last_item) return;
    uint split = item % splits, first_of_block = item / splits * (P * K);
    uint first_row = first_of_block + gl_LocalInvocationID.x;
    uint own = gl_LocalInvocationID.y * P + gl_LocalInvocationID.x, others = gl_LocalInvocationID.y * P;

    Vec4 self[K], self_low[K], sum[K], total[K];
    for (int k = 0; k < K; ++k) {
        uint row = min(first_row + uint(k * P), count - 1u);  // padding repeats the last row and is not stored
        self[k] = bodies[row];
#if SPLIT
        self_low[k] = low[row];
#else
        self_low[k] = Vec4(0);
#endif
        sum[k] = total[k] = Vec4(0);
    }

    // From the last column to the first: initial conditions begin with their heaviest bodies, and a sum that already
    // contains a large term loses digits of each small one.
    uint tiles = (count + P * Q - 1u) / (P * Q), first = tiles / splits * split + min(split, tiles % splits);
    uint last = first + tiles / splits + (split < tiles % splits ? 1u : 0u), columns = 0u;
    for (uint t = last; t-- > first;) {
        uint column = t * (P * Q) + own;
        barrier();
        tile[own] = column < count ? bodies[column] : Vec4(0);
#if SPLIT
        tile_low[own] = column < count ? low[column] : Vec4(0);
#endif
        barrier();
#ifdef KERNEL
        // The force of a kernel file need not vanish for the body itself or for the mass of the padding.
        if (t * (P * Q) + P * Q > first_of_block && t * (P * Q) < first_of_block + P * K ||
            t * (P * Q) + P * Q > count)
            ADD_TILE(t * (P * Q) + place != first_row + uint(k * P) && t * (P * Q) + place < count)
        else
            ADD_TILE(true)
#else
        ADD_TILE(t * (P * Q) + place != first_row + uint(k * P))
#endif
        columns += P;
        if (columns >= kColumnsOfSum || t == first) {
            columns = 0u;
            for (int k = 0; k < K; ++k) {
                total[k] += sum[k];
                sum[k] = Vec4(0);
            }
        }
    }

    for (int k = 0; k < K; ++k) {
        Vec4 all = total[k];
#if Q > 1
        barrier();
        tile[own] = all;
        barrier();
        if (gl_LocalInvocationID.y == 0u)
            for (uint group = 1u; group < Q; ++group) all += tile[group * P + gl_LocalInvocationID.x];
#endif
        uint row = first_row + uint(k * P);
        if (gl_LocalInvocationID.y == 0u && row < count) partial[split * count + row] = all;
    }
}

#shader add_splits layout(local_size_x = 128) in;
// Adds the splits of the columns of `direct`, always in the same order.
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

#shader strengths layout(local_size_x = 128) in;
// Bodies with the strengths of a law in place of their masses (core/physics/pair_law.hpp). Defines: DOUBLE.
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
