// Bodies in the order and the units of the tree, with |acceleration| of the previous evaluation. Defines: DOUBLE,
// SPLIT, NORMS.
layout(local_size_x = 256) in;
#include "common.glsl"
#include "norm.glsl"
#include "tree_arguments.glsl"
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
