// The tile of every block of a map's grid, and how often each tile of the triangle is taken. Defines: those of
// maps.glsl.
#define DOUBLE 0
layout(local_size_x = 64) in;
#include "common.glsl"
#include "arguments.glsl"
#define MAP_TABLE 2
#include "maps.glsl"
layout(std430, binding = 0) writeonly buffer Tiles { uvec2 tiles[]; };  // empty if only counted
layout(std430, binding = 1) buffer Taken { uint taken[]; };

void main() {
    uint item = first_item + thread_index();
    if (item >= last_item) return;
    uvec2 tile = tile_of(map, root, item % grid_x, item / grid_x, tile_rows, balanced_side);
    if (tiles.length() > 1) tiles[item] = tile;
    if (useful(tile, tile_rows)) atomicAdd(taken[pair_count(tile.x) + tile.y], 1u);
}
