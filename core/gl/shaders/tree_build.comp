// Shaders that build the tree.
#include "common.glsl"
#include "numbers.glsl"
#include "tree.glsl"

#shader bounds layout(local_size_x = 64) in;
// The box around the finite bodies, their mean mass, and the mean |acceleration|, of each work group. Means
// instead of sums, which may overflow. Defines: DOUBLE, NORMS 1: of |acceleration|, NORMS 2: of the estimates of a
// walk, alone.
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
#if NORMS == 2
layout(std430, binding = 1) readonly buffer Norms { Real norms[]; };
#else
layout(std430, binding = 1) readonly buffer Accelerations { Vec4 acceleration[]; };
#endif
// For each work group: the low corner with the mean mass, the high corner with the mean |acceleration|, and the numbers
// of bodies in these means.
layout(std430, binding = 2) writeonly buffer Parts { Vec4 parts[]; };
shared Vec4 least[64], most_of[64];
shared uvec2 numbers[64];

void add_to_mean(inout Real mean, uint number, Real value) { mean += (value - mean) / Real(number); }

void main() {
    uint lane = gl_LocalInvocationID.x, group = group_index();
#if DOUBLE
    const Real kFar = 1.7e308LF;
#else
    const Real kFar = 3.4e38;
#endif
    Vec4 low = Vec4(Vec3(kFar), Real(0)), high = Vec4(Vec3(-kFar), Real(0));
    uvec2 number = uvec2(0u);
    for (uint i = group * 64u + lane; i < count; i += gl_NumWorkGroups.x * 64u) {
#if NORMS != 2
        Vec4 body = bodies[i];
        if (is_finite(body)) {
            low.xyz = min(low.xyz, body.xyz), high.xyz = max(high.xyz, body.xyz);
            if (is_finite(Vec4(body.w))) add_to_mean(low.w, ++number.x, abs(body.w));
        }
#endif
#if NORMS == 1
        Real norm = norm_of(acceleration[i].xyz);
        if (is_finite(Vec4(norm))) add_to_mean(high.w, ++number.y, norm);
#elif NORMS == 2
        Real norm = norms[i];
        if (is_finite(Vec4(norm))) add_to_mean(high.w, ++number.y, norm);
#endif
    }
    least[lane] = low, most_of[lane] = high, numbers[lane] = number;
    barrier();
    if (lane != 0u) return;
    uvec2 all = uvec2(0u);
    for (uint other = 0u; other < 64u; ++other) all += numbers[other];
    Real mass = Real(0), norm = Real(0);
    for (uint other = 0u; other < 64u; ++other) {
        low.xyz = min(low.xyz, least[other].xyz), high.xyz = max(high.xyz, most_of[other].xyz);
        if (all.x > 0u) mass += least[other].w * (Real(numbers[other].x) / Real(all.x));
        if (all.y > 0u) norm += most_of[other].w * (Real(numbers[other].y) / Real(all.y));
    }
    parts[3u * group] = Vec4(low.xyz, mass);
    parts[3u * group + 1u] = Vec4(high.xyz, norm);
    parts[3u * group + 2u] = Vec4(Real(all.x), Real(all.y), Real(0), Real(0));
}

#shader keys layout(local_size_x = 256) in;
// Keys of the bodies along the Hilbert curve: core/spatial/keys.hpp, with 63 bits in two words, the lower one first.
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Keys { uvec2 keys[]; };
layout(std430, binding = 2) writeonly buffer Order { uint order[]; };
const uint kKeyCells = 1u << 21;

uint coordinate(Real offset) {
    if (!(offset > Real(0))) return 0u;
    return offset < Real(kKeyCells) ? uint(offset) : kKeyCells - 1u;
}

// Eleven bits, two zeros after each.
uint spread(uint v) {
    v = (v | v << 16) & 0x070000ffu;
    v = (v | v << 8) & 0x0700f00fu;
    v = (v | v << 4) & 0x430c30c3u;
    return (v | v << 2) & 0x49249249u;
}

uvec2 hilbert_key(uint x, uint y, uint z) {
    for (uint bit = kKeyCells >> 1; bit > 1u; bit >>= 1) {
        uint below = bit - 1u;
        if ((x & bit) != 0u) x ^= below;
        uint has = (y & bit) != 0u ? 0xffffffffu : 0u, xy = (x ^ y) & below & ~has;
        x ^= xy | (below & has), y ^= xy;
        has = (z & bit) != 0u ? 0xffffffffu : 0u;
        uint xz = (x ^ z) & below & ~has;
        x ^= xz | (below & has), z ^= xz;
    }
    y ^= x, z ^= y;  // Gray code
    uint turned = 0u;
    for (uint bit = kKeyCells >> 1; bit > 1u; bit >>= 1)
        if ((z & bit) != 0u) turned ^= bit - 1u;
    x ^= turned, y ^= turned, z ^= turned;
    uint low = spread(x & 1023u) << 2 | spread(y & 1023u) << 1 | spread(z & 1023u);  // 30 bits
    x >>= 10, y >>= 10, z >>= 10;
    return uvec2(low | (y & 1u) << 31 | (z & 1u) << 30, spread(x) | spread(y >> 1) << 2 | spread(z >> 1) << 1);
}

void main() {
    uint i = item_index();
    if (i >= count) return;
    Vec4 body = bodies[i];
    keys[i] = hilbert_key(coordinate((body.x - low_x) * cells_per_length),
                          coordinate((body.y - low_y) * cells_per_length),
                          coordinate((body.z - low_z) * cells_per_length));
    order[i] = i;
}

#shader gather layout(local_size_x = 256) in;
// Bodies in the order and the units of the tree, with |acceleration| of the previous evaluation. Defines: DOUBLE,
// SPLIT, NORMS.
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Order { uint order[]; };
layout(std430, binding = 2) writeonly buffer Sorted { Vec4 sorted[]; };
#if SPLIT
layout(std430, binding = 3) readonly buffer Low { Vec4 low[]; };
layout(std430, binding = 4) writeonly buffer SortedLow { Vec4 sorted_low[]; };
#endif
#if NORMS
layout(std430, binding = 5) readonly buffer Accelerations { Vec4 acceleration[]; };
layout(std430, binding = 6) writeonly buffer Norms { Real norms[]; };
#endif

void main() {
    uint i = item_index();
    if (i >= count) return;
    uint from = order[i];
    Vec4 unit = Vec4(Vec3(per_length), per_mass);
    sorted[i] = unit * bodies[from];
#if SPLIT
    sorted_low[i] = unit * low[from];
#endif
#if NORMS
    norms[i] = norm_of(norm_unit * acceleration[from].xyz);
#endif
}

#shader levels layout(local_size_x = 256) in;
// Cells that begin at each body of the curve. Bodies j and j + leaf are in one cell exactly if it has more than `leaf`
// bodies, so the keys of `leaf` neighbours on either side determine the deepest divided cell of a body; the preceding
// key determines the first level at which a cell begins at it. Counts cells by level and work group. The thread after
// the last body finds the end of all cells.
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

#shader starts layout(local_size_x = 32) in;
// For the host: the first cell of each level, the number of all cells, and whether the sort left long runs.
layout(std430, binding = 0) readonly buffer Offsets { uint offsets[]; };
layout(std430, binding = 1) writeonly buffer Starts { uint starts[]; };
layout(std430, binding = 2) readonly buffer LongRun { uint long_run; };

void main() {
    uint level = gl_LocalInvocationID.x;
    if (group_index() > 0u) return;
    if (level <= kTreeLevels) starts[level] = offsets[level * blocks];
    if (level == 0u) starts[kTreeLevels + 1u] = long_run;
}

#shader cells layout(local_size_x = 256) in;
// Writes where cells begin and end, by the thread of the body where they do. A cell's number is the number of cells of
// earlier levels and of those of its level that begin earlier.
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

#shader moments layout(local_size_x = 64) in;
// Centres of mass, bounding boxes, quadrupoles and thresholds of the cells of one level, from those of the next level.
// Eight threads load the parts of a cell, bodies or cells, and the first of them adds them in order. Defines: DOUBLE,
// those of tree_threshold.glsl, QUADRUPOLES, AGAIN 1: thresholds alone, one thread per cell.
// Acceptance criteria: core/physics/opening.hpp. Defines: RELATIVE 0: geometric, with parameter θ; 1: relative, with α;
// ORDER.
Real threshold_of(Vec4 centre, Vec3 low, Vec3 high, Real extent) {
    if (!(extent > Real(0))) return Real(0);
#if RELATIVE
    const Real kLeast = Real(1.17549435e-38);  // 0 would mark the cell as exact
    if (!(centre.w > Real(0))) return Real(0);
#if ORDER == 2
    return max(centre.w * extent * extent * extent / parameter, kLeast);
#else
    return max(centre.w * extent * extent / parameter, kLeast);
#endif
#else
    const Real kFar = Real(3.4e38);
    if (!(extent < kFar / Real(4) * parameter)) return kFar;
    return extent / parameter + length(centre.xyz - Real(0.5) * (low + high));
#endif
}

layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Begins { uvec2 begins[]; };
layout(std430, binding = 2) readonly buffer Ends { uvec2 ends[]; };
layout(std430, binding = 3) buffer Cells { Cell cells[]; };
layout(std430, binding = 4) buffer Shapes { Shape shapes[]; };

void add_at(inout Vec4 q0, inout Vec4 q1, Vec3 d, Real mass) {
    Vec3 m = Real(3) * mass * d;
    q0 += Vec4(m * d, m.x * d.y);
    q1.xy += m.xy * d.z;
}

#if AGAIN
void main() {
    uint at = first + item_index();
    if (at >= last) return;
    Vec3 box_low = shapes[at].low.xyz, box_high = shapes[at].high.xyz;
    cells[at].threshold = threshold_of(cells[at].centre, box_low, box_high, cells[at].extent);
}
#else
shared Vec4 part_centre[gl_WorkGroupSize.x];
shared Vec3 part_low[gl_WorkGroupSize.x], part_high[gl_WorkGroupSize.x];
#if QUADRUPOLES
shared Vec4 part_q0[gl_WorkGroupSize.x];
shared Vec2 part_q1[gl_WorkGroupSize.x];
#endif
shared uint most_rounds;

void load_part(uint part, bool is_leaf) {
    uint lane = gl_LocalInvocationID.x;
    Vec4 p = is_leaf ? bodies[part] : cells[part].centre;
    part_centre[lane] = p;
    part_low[lane] = is_leaf ? p.xyz : shapes[part].low.xyz;
    part_high[lane] = is_leaf ? p.xyz : shapes[part].high.xyz;
#if QUADRUPOLES
    part_q0[lane] = is_leaf ? Vec4(0) : shapes[part].q0;
    part_q1[lane] = is_leaf ? Vec2(0) : shapes[part].q1.xy;
#endif
}

void main() {
    uint lane = gl_LocalInvocationID.x, own = lane % 8u, at = first + group_number() * 8u + lane / 8u;
    bool there = at < last;
    uint begin = there ? begins[at].y : 0u, end = there ? ends[at].y : 0u;
    bool is_leaf = (begin & kLeaf) != 0u;
    begin &= ~kLeaf;
    if (lane == 0u) most_rounds = 0u;
    barrier();
    atomicMax(most_rounds, (end - begin + 7u) / 8u);
    barrier();
    uint rounds = most_rounds;
    // Sums about a point of the cell: rounding errors then scale with the cell.
    Vec3 about = !there ? Vec3(0) : is_leaf ? bodies[begin].xyz : cells[begin].centre.xyz;
    Vec3 low = Vec3(0), high = Vec3(0), weighted = Vec3(0), plain = Vec3(0);
    Real mass = Real(0);
    for (uint turn = 0u; turn < rounds; ++turn) {
        uint from = begin + turn * 8u;
        if (from + own < end) load_part(from + own, is_leaf);
        barrier();
        if (own == 0u)
            for (uint k = 0u; k < 8u && from + k < end; ++k) {
                Vec4 p = part_centre[lane + k];
                low = turn + k == 0u ? part_low[lane] : min(low, part_low[lane + k]);
                high = turn + k == 0u ? part_high[lane] : max(high, part_high[lane + k]);
                Vec3 d = p.xyz - about;
                mass += p.w, weighted += p.w * d, plain += d;
            }
        barrier();
    }
    // A massless cell exerts no force, but needs a position: the mean of its parts.
    Vec3 off = mass > Real(0) ? weighted / mass : plain / Real(max(end - begin, 1u));
    Vec4 centre = Vec4(about + off, mass);
#if QUADRUPOLES
    Vec4 q0 = Vec4(0), q1 = Vec4(0);
    for (uint turn = 0u; turn < rounds; ++turn) {
        uint from = begin + turn * 8u;
        if (rounds > 1u) {
            if (from + own < end) load_part(from + own, is_leaf);
            barrier();
        }
        if (own == 0u)
            for (uint k = 0u; k < 8u && from + k < end; ++k) {
                Vec4 p = part_centre[lane + k];
                add_at(q0, q1, p.xyz - centre.xyz, p.w);
                if (!is_leaf) q0 += part_q0[lane + k], q1.xy += part_q1[lane + k];
            }
        if (rounds > 1u) barrier();
    }
#endif
    if (own != 0u || !there) return;
    Vec3 size = high - low;
    Real extent = max(size.x, max(size.y, size.z)) + blur;
    shapes[at].low = Vec4(low, Real(0)), shapes[at].high = Vec4(high, Real(0));
#if QUADRUPOLES
    shapes[at].q0 = q0, shapes[at].q1 = q1;
#endif
    cells[at] = Cell(centre, threshold_of(centre, low, high, extent), extent, begin,
                     (end - begin) | (is_leaf ? kLeaf : 0u));
}
#endif

#shader group_marks layout(local_size_x = 64) in;
// Marks the first body of each group: cells of at most `most` bodies, merged with siblings while they have no more.
// Siblings in a cell of many bodies are not merged: the box of their group could contain all of these, and one work
// group would open every cell in it while all others have ended.
layout(std430, binding = 0) readonly buffer Begins { uvec2 begins[]; };
layout(std430, binding = 1) readonly buffer Ends { uvec2 ends[]; };
layout(std430, binding = 2) writeonly buffer Marks { uint marks[]; };  // all 0

const uint kMostAround = 1024u;

void main() {
    uint at = item_index();
    if (at >= last) return;
    uvec2 begin = begins[at], end = ends[at];
    if (at == 0u && end.x - begin.x <= most) marks[0] = 1u;
    if (end.x - begin.x <= most) return;
    if ((begin.y & kLeaf) != 0u) {
        for (uint body = begin.x; body < end.x; body += most) marks[body] = 1u;
        return;
    }
    bool merges = end.x - begin.x <= kMostAround;
    uint bodies = most;  // of the group so far
    for (uint child = begin.y; child < end.y; ++child) {
        uint first_body = begins[child].x, more = ends[child].x - first_body;
        if (more > most) {
            bodies = most;
        } else if (!merges || bodies + more > most) {
            marks[first_body] = 1u;
            bodies = more;
        } else {
            bodies += more;
        }
    }
}

#shader group_starts layout(local_size_x = 256) in;
// The first bodies of all groups, and the number of bodies behind them; the number of groups for the host.
layout(std430, binding = 0) readonly buffer Marks { uint marks[]; };
layout(std430, binding = 1) readonly buffer Places { uint places[]; };
layout(std430, binding = 2) writeonly buffer Starts { uint starts[]; };
layout(std430, binding = 3) writeonly buffer Groups { uint groups; };

void main() {
    uint i = item_index();
    if (i == count || (i < count && marks[i] != 0u)) starts[places[i]] = i;
    if (i == count) groups = places[i];
}

#shader groups layout(local_size_x = 64) in;
// The box and the reference acceleration of each group: group_acceleration() and heavy_acceleration() of
// core/physics/opening.hpp. 32 threads read the bodies of a group. Defines: DOUBLE, RELATIVE.
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Starts { uint starts[]; };
layout(std430, binding = 2) writeonly buffer Groups { Group groups[]; };
#if RELATIVE
layout(std430, binding = 3) readonly buffer Norms { Real norms[]; };
#endif

shared Vec3 lows[64], highs[64];
#if RELATIVE
shared Vec4 norms_of[64];  // the weakest, the sum, a quarter of the weakest of heavy bodies; w: 1 if all are finite
#endif

void main() {
    uint lane = gl_LocalInvocationID.x, own = lane % 32u, group = group_number() * 2u + lane / 32u;
    bool there = group < last;
    uint begin = there ? starts[group] : 0u, end = there ? starts[group + 1u] : 0u;
    const Real kFar = Real(3.4e38);
    Vec3 low = Vec3(kFar), high = Vec3(-kFar);
    Real weakest = kFar, of_heavy = kFar, sum = Real(0);
    bool finite = true;
    for (uint i = begin + own; i < end; i += 32u) {
        Vec4 body = bodies[i];
        low = min(low, body.xyz), high = max(high, body.xyz);
#if RELATIVE
        Real norm = norms[i];
        finite = finite && is_finite(Vec4(norm));
        weakest = min(weakest, norm), sum += norm;
        if (body.w >= heavy) of_heavy = min(of_heavy, Real(0.25) * norm);
#endif
    }
    lows[lane] = low, highs[lane] = high;
#if RELATIVE
    norms_of[lane] = Vec4(weakest, sum, of_heavy, finite ? Real(1) : Real(0));
#endif
    barrier();
    if (own != 0u || !there) return;
    for (uint k = lane + 1u; k < lane + min(32u, end - begin); ++k) {
        low = min(low, lows[k]), high = max(high, highs[k]);
#if RELATIVE
        Vec4 other = norms_of[k];
        weakest = min(weakest, other.x), sum += other.y, of_heavy = min(of_heavy, other.z);
        finite = finite && other.w > Real(0);
#endif
    }
    Real least = max(weakest, max(Real(0.1) * sum / Real(end - begin), Real(1e-6) * mean_norm));
    // If a body is not finite, neither are the forces: do not open every cell.
    Real reference = finite && is_finite(Vec4(least)) ? min(least, of_heavy) : kFar;
    groups[group] = Group(Vec4(Real(0.5) * (low + high), reference), Vec4(Real(0.5) * (high - low), Real(0)), begin,
                          end - begin, 0u, 0u);
}
