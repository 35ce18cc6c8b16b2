// Launch variants of the laboratory (core/lab/launch_variants.hpp): the tile of a work group, or the pair of a thread.
// Defines: FIND, LINE 1: groups along a line, continued along y; MAP_USED and ROOT_USED, which compilers fold; those of
// maps.glsl.
layout(std140, binding = 0) uniform Arguments {
    uint bodies, rows;    // rows of tiles
    uint width, height;   // of the launch, in work groups or, for forms in thread space, in threads
    uint balanced_side;   // of the papers' balanced grid
    uint corner_row, corner_column;  // FIND_CORNER; corner_row: the side of FIND_TRIANGLES and FIND_SQUARES
    uint pitch;           // of flags, in words
};
#define MAP_TABLE 4
#include "maps.glsl"
#define FIND_MAP 0
#define FIND_TRIANGLES 1  // of one side, along the diagonal, each as its bounding box
#define FIND_SQUARES 2    // of one level of the published recursion
#define FIND_CORNER 3     // a box with its corner at a tile
#define FIND_RB_THREADS 4
#define FIND_UTM_THREADS 5
#define FIND_UTM_EXACT 6
#define IN_THREADS (FIND >= FIND_RB_THREADS)

#if ROOT_FP64
#define RootReal double
#else
#define RootReal float
#endif
RootReal root_of(RootReal x) {
#if ROOT_FP64
    return sqrt(x);
#else
    return ROOT_USED == ROOT_NEWTON ? newton_root(x) : ROOT_USED == ROOT_RSQRT ? x * inversesqrt(x) : sqrt(x);
#endif
}

// The published thread-space form of core/maps/utm.hpp: thread k of n (n − 1) / 2, as (a, b) with 1 ≤ a < b ≤ n.
ivec2 utm_published(uint k, uint n) {
    RootReal real_n = RootReal(n);
    RootReal radicand = 4 * real_n * real_n - 4 * real_n - 8 * RootReal(k) + 1;
    RootReal root = root_of(max(radicand, RootReal(1)));
    int a = int((-(2 * real_n + 1) + root) / RootReal(-2)), last = int(n);
    // Of the two factors of (a − 1)(2n − a) one is even; half the product then fits 32 bits.
    uint half_product = a % 2 == 0 ? uint(a - 1) * (uint(2 * last - a) / 2u) : (uint(a - 1) / 2u) * uint(2 * last - a);
    int b = a + 1 + int(k - half_product);
    if (b > last) ++a, b = a + b - last;
    if (b <= a) b = last - (a - b), --a;
    return ivec2(a, b);
}

uvec3 block_of_launch() {
#if LINE
    return uvec3(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x, 0u, 0u);
#else
    return gl_WorkGroupID;
#endif
}

#if IN_THREADS
// The pair of this thread: (bodies, 0) if it has none.
uvec2 find_pair() {
    uvec3 block = block_of_launch();
    uvec2 thread = block.xy * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy;
    if (thread.x >= width || thread.y >= height) return uvec2(bodies, 0u);
#if FIND == FIND_RB_THREADS
    return tile_of(MAP_RB, ROOT_USED, thread.x, thread.y, bodies, 0u);
#elif FIND == FIND_UTM_EXACT
    return lambda_tile(pair_count(bodies) - 1u - thread.x, ROOT_USED);
#else
    ivec2 pair = utm_published(thread.x, bodies + 1u);
    return uvec2(ivec2(bodies) - pair + ivec2(0, 1));
#endif
}
#else
uvec2 find_tile() {
    uvec3 block = block_of_launch();
#if LINE
    if (block.x >= width) return uvec2(rows, 0u);
#endif
#if FIND == FIND_TRIANGLES
    return block.z * corner_row + block.yx;
#elif FIND == FIND_SQUARES
    return uvec2(2u * block.z + 1u, 2u * block.z) * corner_row + block.yx;
#elif FIND == FIND_CORNER
    return uvec2(corner_row, corner_column) + block.yx;
#else
    return tile_of(MAP_USED, ROOT_USED, block.x, block.y, rows, balanced_side);
#endif
}
#endif
