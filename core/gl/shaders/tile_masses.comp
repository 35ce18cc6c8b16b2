// The mass of each body of a tile, and 1 if all its bodies have it; 0 for a tile that is not full. Defines: RHO,
// DOUBLE.
layout(local_size_x = 32) in;
#include "common.glsl"
#include "arguments.glsl"
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
