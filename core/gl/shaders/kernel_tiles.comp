// The tiles of blocks first_item … last_item−1 of the map of a kernel, whose grid is grid_x wide.
#define DOUBLE 0
layout(local_size_x = 64) in;
#include "common.glsl"
#include "arguments.glsl"
#include "kernel"
layout(std430, binding = 0) writeonly buffer Tiles { uvec2 tiles[]; };

void main() {
    uint item = first_item + thread_index();
    if (item < last_item) tiles[item - first_item] = kernel_tile(item % grid_x, item / grid_x, tile_rows);
}
