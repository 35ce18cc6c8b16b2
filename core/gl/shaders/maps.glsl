// The thread maps of core/maps in GLSL, for up to kNarrowRows rows of tiles, so that all indices fit 32 bits. A map is
// chosen by its number in the list core/maps/any_map.hpp; `MAP_*`, `ROOT_*` and TILE_OF_MAPS, the maps' own GLSL, are
// defined from that list. Defines: ROOT_FP64 1 if the root in double is used.
#ifdef KERNEL_MAP
#include "kernel"
#endif
layout(std430, binding = MAP_TABLE) readonly buffer Table { uvec2 table[]; };  // for lut: row, column

#include "../maps/exact/exact_maps.glsl"
uint bit_width(uint x) { return uint(findMSB(x) + 1); }
uint bit_floor(uint x) { return 1u << findMSB(x); }

float newton_root(float x) {
    precise float y = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(x) >> 1));
    for (int turn = 0; turn < 3; ++turn) y *= 1.5 - 0.5 * x * y * y;
    precise float root = x * y;
    return root;
}

// √x by the chosen root, less `less`, as a row: rounded down. GLSL has one square root, so sqrt-approx is the same as
// sqrt. `precise`: the rounding must be the same in every shader, because the maps that have no correction depend on it.
// Drivers compute √x as x/√x, and would contract its product with the difference in some shaders and not in others.
uint root_less(uint root, uint twice, float less) {
#if ROOT_FP64
    if (root == ROOT_FP64_ID) {
        precise double exact = sqrt(double(twice) + 0.25LF);
        precise double row = exact - double(less);
        return uint(row);
    }
#endif
    float x = float(twice) + 0.25;
    precise float y = root == ROOT_NEWTON ? newton_root(x) : root == ROOT_RSQRT ? x * inversesqrt(x) : sqrt(x);
    precise float row = y - less;
    return uint(row);
}

// Tile k in row order: x is the row, y the column. Integers correct the root's proposal, from any within a factor of
// two.
uvec2 lambda_tile(uint k, uint root) {
    uint row = row_of(k, root_less(root, 2u * k, 0.5));
    return uvec2(row, k - pair_count(row));
}

// Without the correction, as published. The exact range is that of the device's root.
uvec2 published_tile(uint k, uint root) {
    bool exact_root = root == ROOT_SQRT || root == ROOT_FP64_ID;
    uint row = root_less(root, 2u * k, exact_root ? 0.5 : 0.5 - 1e-4);
    return uvec2(row, k - pair_count(row));
}
uvec2 offset_tile(uint k, uint root) {
    uint row = root_less(root, 2u * k, 0.4999);
    return uvec2(row, k - pair_count(row));
}

uint rec_begin(uint level, uint rows) {
    uint side = 1u << level;
    return (rows >> level) * pair_count(side) + pair_count(rows & (side - 1u));
}
uvec2 rec_tile(uint k, uint rows) {
    if (k < rows) return uvec2(k, k);
    uint reach = 2u * k - rows;
    int level = int(bit_width(reach)) - int(bit_width(rows));
    if ((rows << level) > reach) --level;
    if (rec_begin(uint(level) + 1u, rows) <= k) ++level;
    uint in_level = k - rec_begin(uint(level), rows), mask = (1u << level) - 1u;
    uint nth = in_level >> level, corner = (nth >> level) << (level + 1);
    return uvec2(corner + mask + 1u + (nth & mask), corner + (in_level & mask));
}

uvec2 hadouken_core(uint x, uint y, uint n) {
    if (y >= n - 1u) return uvec2(x + (y - (n - 1u)) * (n / 2u));
    ++y;
    uint b = bit_floor(y), qb = x & ~(b - 1u);
    return uvec2(y + 2u * qb, x + qb);
}
uvec2 hadouken_tile(uint x, uint y, uint rows) {
    if (rows > 1u && (rows & (rows - 1u)) == 0u) return hadouken_core(x, y, rows);
    uint k = x, above = 0u, side = bit_floor(rows);
    while (k >= pair_count(above + side)) {
        above += side;
        side = bit_floor(rows - above);
    }
    k -= pair_count(above);
    uint log_side = bit_width(side) - 1u;
    if (k < (above << log_side)) return uvec2(above + (k & (side - 1u)), k >> log_side);
    k -= above << log_side;
    if (side == 1u) return uvec2(above, above);
    return uvec2(above) + hadouken_core(k & (side / 2u - 1u), k >> (log_side - 1u), side);
}

// The tile of block (x, y): row and column. A block without work gives a tile outside col <= row < rows.
uvec2 tile_of(uint map, uint root, uint x, uint y, uint rows, uint balanced_side) {
#ifdef KERNEL_MAP
    return kernel_tile(x, y, rows);
#endif
    TILE_OF_MAPS
    return uvec2(rows, 0u);
}
bool useful(uvec2 tile, uint rows) { return tile.y <= tile.x && tile.x < rows; }
