// Centres of mass, bounding boxes, quadrupoles and thresholds of the cells of one level, from those of the next level.
// Eight threads load the parts of a cell, bodies or cells, and the first of them adds them in order. Defines: DOUBLE,
// those of tree_threshold.glsl, QUADRUPOLES, AGAIN 1: thresholds alone, one thread per cell.
layout(local_size_x = 64) in;
#include "common.glsl"
#include "tree_arguments.glsl"
#include "tree_data.glsl"
#include "tree_threshold.glsl"
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
