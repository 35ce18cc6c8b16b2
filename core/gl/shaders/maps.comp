// Checks of thread maps.
layout(local_size_x = 64) in;
#include "common.glsl"
#include "arguments.glsl"

#shader tiles
// The tile of every block of a map's grid, and how often each tile of the triangle is taken. Defines: those of
// maps.glsl.
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

#shader misplaced
// The number of tiles that are not taken exactly once.
layout(std430, binding = 0) buffer Misplaced { uint misplaced; };
layout(std430, binding = 1) readonly buffer Taken { uint taken[]; };

void main() {
    uint tile = thread_index();
    if (tile < last_item && taken[tile] != 1u) atomicAdd(misplaced, 1u);
}

#shader exact
// The number of indices that exact_maps.glsl maps to a wrong element: an element must lie in the domain and have the
// index. Defines: ORDER 2 for pairs, 3 for triples, 4 for quadruples.
#include "../maps/exact/exact_maps.glsl"
layout(std430, binding = 0) buffer Misplaced { uint misplaced; };

bool right(uint k) {
#if ORDER == 2
    uvec2 p = pair_at(k), c = condensed_pair_at(k, tile_rows);  // tile_rows: n of the condensed order
    uint end = pair_count(tile_rows - 1u);
    return p.y <= p.x && pair_count(p.x) + p.y == k &&
           (k >= end || (c.x < c.y && c.y < tile_rows && end - pair_count(tile_rows - 1u - c.x) + c.y - c.x - 1u == k));
#elif ORDER == 3
    uvec3 t = triple_at(k);
    return t.x <= t.y && t.y <= t.z && six_triples(t.z) / 6u + pair_count(t.y) + t.x == k;
#else
    uvec4 q = quadruple_at(k);
    return q.x <= q.y && q.y <= q.z && q.z <= q.w &&
           twenty_four_quadruples(q.w) / 24u + six_triples(q.z) / 6u + pair_count(q.y) + q.x == k;
#endif
}

void main() {
    uint k = first_item + thread_index();
    if (k < last_item && !right(k)) atomicAdd(misplaced, 1u);
}
