// Shaders of engine `half`.
#include "common.glsl"
#include "arguments.glsl"

#shader tiles layout(local_size_x = THREADS) in;
// The symmetric half matrix: a work group takes the tile that a thread map assigns to its block, and each pair is
// computed once for both bodies. Teams of 32 threads have K rows per thread; a team reads 32 columns from a ring in
// shared memory, one position further at each hop, while the reactions on them rotate through the team. The sums of the
// tile's rows and of its columns go to separate memory; `gather` adds them. Defines: TEAMS, THREADS (32 per
// team), K, SHUFFLE 1: reactions rotate by subgroup shuffles, else through shared memory; those of pair.glsl and
// maps.glsl.
#include "pair.glsl"
#define MAP_TABLE 4
#include "maps.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Sums { Vec4 sums[]; };    // [item of the window][2ρ]: rows, columns
layout(std430, binding = 2) writeonly buffer Places { uint places[]; };  // [tile of the triangle]: item + 1
layout(std430, binding = 3) readonly buffer Masses { Vec4 masses[]; };
#if SPLIT
layout(std430, binding = 5) readonly buffer Low { Vec4 low[]; };
shared Vec4 ring_low[TEAMS * 64];
#endif
shared Vec4 ring[TEAMS * 64];  // 32 columns of a team, twice in succession
#if !SHUFFLE
shared Real pushed_x[TEAMS * 32], pushed_y[TEAMS * 32], pushed_z[TEAMS * 32], pushed_w[TEAMS * 32];
#endif
#if TEAMS > 1
shared Vec4 column_sums[TEAMS * 32];
#endif
const uint kSide = 32 * TEAMS * K;

Vec4 body_at(uint i) { return i < count ? bodies[i] : Vec4(0); }  // padding has no mass
Vec4 low_at(uint i) {
#if SPLIT
    if (i < count) return low[i];
#endif
    return Vec4(0);
}

#if SPLIT
#define OTHER_LOW ring_low[at + hop]
#else
#define OTHER_LOW Vec4(0)
#endif
#if SHUFFLE
#define TAKE_PUSHED
#define PASS_PUSHED pushed = subgroupShuffle(pushed, (lane + 1u) % 32u);
#else
#if POTENTIAL
#define PUSHED_W pushed_w[place]
#else
#define PUSHED_W pushed.w
#endif
#define TAKE_PUSHED                                                                 \
    uint place = own + (lane + hop) % 32u;                                          \
    pushed = Vec4(pushed_x[place], pushed_y[place], pushed_z[place], PUSHED_W);
#define PASS_PUSHED                                                                 \
    pushed_x[place] = pushed.x, pushed_y[place] = pushed.y, pushed_z[place] = pushed.z; \
    PUSHED_W = pushed.w;                                                            \
    barrier();
#endif
#define ONE(k) Real(1)
#define OTHER_MASS(k) other.w
#define OWN_MASS(k) self[k].w
#if LAW
#define PULL(k, ACT, REACT)                       \
    Term term = pair_term(d, self[k].w, other.w); \
    Real act = WEIGHT(other.w) * term.pull, react = WEIGHT(self[k].w) * term.pull;
#define DEPTH(OF) WEIGHT(OF) * term.depth
#else
#define PULL(k, ACT, REACT)                    \
    Real distance2 = square(d, softening2);    \
    Real y = pair_rsqrt(distance2), cube = inverse_cube(distance2, y), act = cube * ACT(k), react = cube * REACT(k);
#define DEPTH(OF) OF * exact_rsqrt(distance2, y)
#endif
#if POTENTIAL
#define ADD_POTENTIAL(k)          \
    sum[k].w += DEPTH(other.w);   \
    pushed.w += DEPTH(self[k].w);
#else
#define ADD_POTENTIAL(k)
#endif
// DO(k, …) for each row k of a thread. NVIDIA's compiler does not unroll loops of eight or more turns, and then keeps
// arrays in memory.
#define EACH_ROW(DO, ACT, REACT)                                                        \
    DO(0, ACT, REACT) DO(1, ACT, REACT) DO(2, ACT, REACT) DO(3, ACT, REACT)             \
    DO(4, ACT, REACT) DO(5, ACT, REACT) DO(6, ACT, REACT) DO(7, ACT, REACT)             \
    DO(8, ACT, REACT) DO(9, ACT, REACT) DO(10, ACT, REACT) DO(11, ACT, REACT)
#define ROW(k) (k < K ? k : 0)

// The interactions of 32 columns with the rows of a thread; ACT and REACT: the masses, or 1.
#define ADD_PAIR(k, ACT, REACT)                                                    \
    if (k < K) {                                                                   \
        Vec3 d = difference(other, self[ROW(k)], other_low, self_low[ROW(k)]);     \
        PULL(ROW(k), ACT, REACT)                                                   \
        sum[ROW(k)].xyz = fma(Vec3(act), d, sum[ROW(k)].xyz);                      \
        pushed.xyz = fma(Vec3(-react), d, pushed.xyz);                             \
        ADD_POTENTIAL(ROW(k))                                                      \
    }
#define HOP(AHEAD, ACT, REACT)                              \
    {                                                       \
        uint hop = turn + AHEAD;                            \
        Vec4 other = ring[at + hop], other_low = OTHER_LOW; \
        TAKE_PUSHED                                         \
        EACH_ROW(ADD_PAIR, ACT, REACT)                      \
        PASS_PUSHED                                         \
    }
#if SHUFFLE && LAW == 0
#define HOPS(ACT, REACT)                           \
    for (uint turn = 0u; turn < 32u; turn += 4u) { \
        HOP(0u, ACT, REACT)                        \
        HOP(1u, ACT, REACT)                        \
        HOP(2u, ACT, REACT)                        \
        HOP(3u, ACT, REACT)                        \
    }
#else
#define HOPS(ACT, REACT) \
    for (uint turn = 0u; turn < 32u; ++turn) HOP(0u, ACT, REACT)
#endif

void main() {
    uint item = first_item + group_index();
    if (item >= last_item) return;
    uvec2 tile = tile_of(map, root, item % grid_x, item / grid_x, tile_rows, balanced_side);
    if (!useful(tile, tile_rows)) return;

    uint lane = gl_LocalInvocationID.x % 32u, team = gl_LocalInvocationID.x / 32u;
    uint first_row = tile.x * kSide, first_column = tile.y * kSide, own_row = team * (32 * K) + lane;
    uint out_rows = (item % window) * (2u * kSide), out_columns = out_rows + kSide;
    if (gl_LocalInvocationID.x == 0u) places[pair_count(tile.x) + tile.y] = item + 1u;

    Vec4 self[K], self_low[K], sum[K];
#define LOAD(k, ACT, REACT)                                                  \
    if (k < K) {                                                             \
        self[ROW(k)] = body_at(first_row + own_row + uint(32 * k));          \
        self_low[ROW(k)] = low_at(first_row + own_row + uint(32 * k));       \
        sum[ROW(k)] = Vec4(0);                                               \
    }
    EACH_ROW(LOAD, ONE, ONE)

    bool within = tile.x == tile.y;  // each pair is computed twice, once for each body
    Vec4 row_mass = masses[tile.x], column_mass = masses[tile.y];
    bool same_mass = LAW == 0 && POTENTIAL == 0 && !within && row_mass.y * column_mass.y == Real(1);
    // The columns from the last to the first, see direct.comp.
    for (uint chunk = kSide; chunk > 0u;) {
        chunk -= 32u;
        uint column = first_column + chunk + lane, at = team * 64u + lane;
        barrier();
        ring[at] = ring[at + 32u] = body_at(column);
#if SPLIT
        ring_low[at] = ring_low[at + 32u] = low_at(column);
#endif
#if !SHUFFLE
        uint own = team * 32u;
        pushed_x[own + lane] = pushed_y[own + lane] = pushed_z[own + lane] = pushed_w[own + lane] = Real(0);
#endif
        barrier();
        Vec4 pushed = Vec4(0);
        if (within) {
            for (uint hop = 0u; hop < 32u; ++hop) {
                Vec4 other = ring[at + hop];
#if SPLIT
                Vec4 other_low = ring_low[at + hop];
#else
                Vec4 other_low = Vec4(0);
#endif
#define ADD_WITHIN(k, ACT, REACT)                                                                                   \
    if (k < K)                                                                                                      \
        add_pull(sum[ROW(k)], difference(other, self[ROW(k)], other_low, self_low[ROW(k)]), self[ROW(k)].w, other.w, \
                 chunk + (lane + hop) % 32u != own_row + uint(32 * k));
                EACH_ROW(ADD_WITHIN, ONE, ONE)
            }
            continue;
        }
        if (same_mass) {
            HOPS(ONE, ONE)
        } else {
            HOPS(OTHER_MASS, OWN_MASS)
        }
#if !SHUFFLE
        pushed = Vec4(pushed_x[own + lane], pushed_y[own + lane], pushed_z[own + lane], pushed_w[own + lane]);
#endif
        if (same_mass) pushed.xyz *= row_mass.x;
#if TEAMS > 1
        column_sums[gl_LocalInvocationID.x] = pushed;
        barrier();
        if (team == 0u)
            for (uint other = 1u; other < TEAMS; ++other) pushed += column_sums[other * 32u + lane];
#endif
        if (team == 0u) sums[out_columns + chunk + lane] = pushed;
    }
#define STORE(k, ACT, REACT)                                                 \
    if (k < K) {                                                             \
        if (same_mass) sum[ROW(k)].xyz *= column_mass.x;                     \
        sums[out_rows + own_row + uint(32 * k)] = sum[ROW(k)];               \
    }
    EACH_ROW(STORE, ONE, ONE)
}

#shader gather layout(local_size_x = 32) in;
// Adds the sums of a window's tiles for each body: those of the row of tiles and of the column of tiles that contain
// it, in the order of tiles. Defines: RHO, DOUBLE.
#include "finish.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Sums { Vec4 sums[]; };
layout(std430, binding = 2) readonly buffer Places { uint places[]; };
layout(std430, binding = 3) buffer Totals { Vec4 totals[]; };  // [body], then [body]: rounding errors
layout(std430, binding = 4) writeonly buffer Accelerations { Vec4 acceleration[]; };

uint triangular(uint row) { return row * (row + 1u) / 2u; }

void main() {
    uint i = thread_index();
    if (i >= count) return;
    uint tile = i / RHO, in_tile = i % RHO;
    Vec4 sum = Vec4(0), lost = Vec4(0);
    if (first_window == 0u) sum = totals[i], lost = totals[count + i];
    for (uint other = tile_rows; other-- > 0u;) {
        uint row = max(tile, other), column = min(tile, other);
        uint item = places[triangular(row) + column] - 1u;
        if (item - first_item >= last_item - first_item) continue;  // of another window
        uint from = (item % window) * (2u * RHO) + in_tile;
        add_compensated(sum, lost, sums[other > tile ? from + RHO : from]);
    }
    if (last_window != 0u) {
        acceleration[i] = finished(sum, bodies[i].w);
    } else {
        totals[i] = sum;
        totals[count + i] = lost;
    }
}

#shader masses layout(local_size_x = 32) in;
// The mass of each body of a tile, and 1 if all its bodies have it; 0 for a tile that is not full. Defines: RHO,
// DOUBLE.
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Masses { Vec4 masses[]; };  // x: mass, y: 1 or 0
shared uint differ;

void main() {
    uint tile = group_index();
    if (tile >= tile_rows) return;
    if (gl_LocalInvocationID.x == 0u) differ = 0u;
    barrier();
    uint first = tile * RHO;
    Real mass = bodies[first].w;
    for (uint i = first + gl_LocalInvocationID.x; i < first + RHO; i += 32u)
        if (i >= count || bodies[i].w != mass) atomicOr(differ, 1u);
    barrier();
    if (gl_LocalInvocationID.x == 0u)
        masses[tile] = Vec4(mass, equal_masses != 0u && differ == 0u ? Real(1) : Real(0), Real(0), Real(0));
}
