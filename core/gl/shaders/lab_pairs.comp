// Kernels of the laboratory with a thread per pair. Defines: WORK 0: i + j is written to one address, 1: a bit per pair
// is set, 2: the distance over FEATURES features is written to a matrix; BLOCK_X and BLOCK_Y: threads of a work group;
// RHO: bodies on a side of a tile; those of lab_find.glsl.
#define DOUBLE 0
layout(local_size_x = BLOCK_X, local_size_y = BLOCK_Y) in;
#include "lab_find.glsl"
#if WORK == 2
#if FEATURES == 1
#define Features float
#elif FEATURES == 2
#define Features vec2
#else
#define Features vec4
#endif
layout(std430, binding = 0) readonly buffer Bodies { Features features[]; };
layout(std430, binding = 1) writeonly buffer Matrix { float matrix[]; };
#else
layout(std430, binding = 0) buffer Last { uint last; };
layout(std430, binding = 1) buffer Marks { uint marks[]; };  // bits, by pair
layout(std430, binding = 2) buffer Twice { uint twice; };
#endif

void work(uint i, uint j) {
#if WORK == 0
    last = i + j;
#elif WORK == 1
    uint pair = pair_count(i) + j, bit = 1u << pair % 32u;
    if ((atomicOr(marks[pair / 32u], bit) & bit) != 0u) atomicAdd(twice, 1u);
#else
    Features d = features[i] - features[j];
    matrix[i * bodies + j] = sqrt(dot(d, d));
#endif
}

void main() {
#if IN_THREADS
    uvec2 pair = find_pair();
    if (useful(pair, bodies)) work(pair.x, pair.y);
#else
    uvec2 tile = find_tile();
    if (!useful(tile, rows)) return;
    uint i = tile.x * RHO + gl_LocalInvocationID.y, j = tile.y * RHO + gl_LocalInvocationID.x;
    if (i < bodies && j <= i) work(i, j);
#endif
}
