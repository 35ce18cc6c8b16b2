// Shaders of the laboratory. Launch variants (core/lab/launch_variants.hpp): the tile of a work group, or the pair of a
// thread. Defines: BLOCK_X and BLOCK_Y: threads of a work group; FIND, LINE 1: groups along a line, continued along y;
// MAP_USED and ROOT_USED, which compilers fold; those of maps.glsl.
layout(local_size_x = BLOCK_X, local_size_y = BLOCK_Y) in;
#include "common.glsl"
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

// The published thread-space form of core/maps/lambda.hpp: thread k of n (n − 1) / 2, as (a, b) with 1 ≤ a < b ≤ n.
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

#shader pairs
// Kernels of the laboratory with a thread per pair. Defines: WORK 0: i + j is written to one address, 1: a bit per pair
// is set, 2: the distance over FEATURES features is written to a matrix; RHO: bodies on a side of
// a tile.
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

#shader collision
// Overlaps among spheres: a flag of one byte per pair below the diagonal, or per overlap, and their number. GLSL writes
// words: a thread that has a whole row or four adjacent columns writes words, others clear bits of a byte that is 1 or
// more. Defines: SPAN 4: a thread has 4 rows × 4 columns of a tile of 4ρ × 4ρ, 1: one pair, 8: a row of 8ρ columns and
// writes only overlaps; DIMENSIONS; RHO.
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

#shader exactness
// The first row, or the first number of threads on a side, at which a form without integer correction is wrong.
// Defines: UTM 0: rows of a λ in row order, 1: the thread-space UTM.
layout(std430, binding = 0) buffer First { uint first_wrong; };

#if UTM
bool places_row(uint a, uint n) {
    uint k = a % 2u == 0u ? (a - 1u) * ((2u * n - a) / 2u) : (a - 1u) / 2u * (2u * n - a);
    return utm_published(k, n) == ivec2(a, a + 1u) && utm_published(k + n - a - 1u, n) == ivec2(a, n);
}

// A work group for each n from corner_row on.
void main() {
    uint n = corner_row + group_index();
    if (n >= corner_column) return;
    for (uint a = 1u + gl_LocalInvocationID.x; a < n; a += 64u)
        if (!places_row(a, n)) {
            atomicMin(first_wrong, n);
            return;
        }
}
#else
void main() {
    uint row = thread_index();
    if (row >= rows) return;
    uint k = pair_count(row);
    if (tile_of(MAP_USED, ROOT_USED, k, 0u, rows, balanced_side) != uvec2(row, 0u) ||
        tile_of(MAP_USED, ROOT_USED, k + row, 0u, rows, balanced_side) != uvec2(row, row))
        atomicMin(first_wrong, row);
}
#endif
