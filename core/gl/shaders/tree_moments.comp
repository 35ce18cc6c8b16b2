// Centres of mass, bounding boxes, quadrupoles and thresholds of the cells of one level, from those of the next level.
// Defines: DOUBLE, those of tree_threshold.glsl, QUADRUPOLES, AGAIN 1: thresholds alone.
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

void main() {
    uint at = first + item_index();
    if (at >= last) return;
#if AGAIN
    Vec3 box_low = shapes[at].low.xyz, box_high = shapes[at].high.xyz;
    cells[at].threshold = threshold_of(cells[at].centre, box_low, box_high, cells[at].extent);
#else
    uint begin = begins[at].y, end = ends[at].y;
    bool is_leaf = (begin & kLeaf) != 0u;
    begin &= ~kLeaf;
    // Sums about a point of the cell: rounding errors then scale with the cell.
    Vec3 about = is_leaf ? bodies[begin].xyz : cells[begin].centre.xyz;
    Vec3 low = is_leaf ? about : shapes[begin].low.xyz, high = is_leaf ? about : shapes[begin].high.xyz;
    Vec3 weighted = Vec3(0), plain = Vec3(0);
    Real mass = Real(0);
    for (uint part = begin; part < end; ++part) {
        Vec4 p = is_leaf ? bodies[part] : cells[part].centre;
        low = min(low, is_leaf ? p.xyz : shapes[part].low.xyz);
        high = max(high, is_leaf ? p.xyz : shapes[part].high.xyz);
        Vec3 d = p.xyz - about;
        mass += p.w, weighted += p.w * d, plain += d;
    }
    // A massless cell exerts no force, but needs a position: the mean of its parts.
    Vec3 off = mass > Real(0) ? weighted / mass : plain / Real(end - begin);
    Vec4 centre = Vec4(about + off, mass);
#if QUADRUPOLES
    Vec4 q0 = Vec4(0), q1 = Vec4(0);
    for (uint part = begin; part < end; ++part) {
        Vec4 p = is_leaf ? bodies[part] : cells[part].centre;
        add_at(q0, q1, p.xyz - centre.xyz, p.w);
        if (!is_leaf) q0 += shapes[part].q0, q1 += shapes[part].q1;
    }
    shapes[at].q0 = q0, shapes[at].q1 = q1;
#endif
    Vec3 size = high - low;
    Real extent = max(size.x, max(size.y, size.z)) + blur;
    shapes[at].low = Vec4(low, Real(0)), shapes[at].high = Vec4(high, Real(0));
    cells[at] = Cell(centre, threshold_of(centre, low, high, extent), extent, begin,
                     (end - begin) | (is_leaf ? kLeaf : 0u));
#endif
}
