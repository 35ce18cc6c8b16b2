// Shaders that run a kernel file.
#include "common.glsl"
#include "arguments.glsl"

#shader forces layout(local_size_x = THREADS) in;
// A kernel of kind forces: THREADS threads compute ROWS bodies. Defines: DOUBLE, THREADS, ROWS.
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Accelerations { Vec4 acceleration[]; };
#include "kernel"

void main() {
    uint item = first_item + group_index();
    if (item < last_item) forces(item * uint(ROWS));
}

#shader pairs layout(local_size_x = 64) in;
// A kernel of kind pair in a plain loop, for its trial. Defines: DOUBLE, KERNEL 1.
#define SOFTENED 1
#define POTENTIAL 1
#define SPLIT 0
#define LAW 0
#include "pair.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) writeonly buffer Accelerations { Vec4 acceleration[]; };

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 sum = Vec4(0);
    for (uint j = 0u; j < count; ++j)
        add_pull(sum, bodies[j].xyz - bodies[i].xyz, bodies[i].w, bodies[j].w, j != i);
    acceleration[i] = Vec4(constant * sum.xyz, -constant * sum.w);
}

#shader grid layout(local_size_x = 1) in;
// The grid of a kernel of kind map for tile_rows rows.
#include "kernel"
layout(std430, binding = 0) writeonly buffer Found { uvec2 found; };

void main() { found = kernel_grid(tile_rows); }

#shader tiles layout(local_size_x = 64) in;
// The tiles of blocks first_item … last_item−1 of the map of a kernel, whose grid is grid_x wide.
#include "kernel"
layout(std430, binding = 0) writeonly buffer Tiles { uvec2 tiles[]; };

void main() {
    uint item = first_item + thread_index();
    if (item < last_item) tiles[item - first_item] = kernel_tile(item % grid_x, item / grid_x, tile_rows);
}
