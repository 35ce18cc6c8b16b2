// Adds the sums of a window's tiles for each body: those of the row of tiles and of the column of tiles that contain
// it, in the order of tiles. Defines: RHO, DOUBLE.
layout(local_size_x = 32) in;
#include "common.glsl"
#include "arguments.glsl"
#include "finish.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Sums { Vec4 sums[]; };
layout(std430, binding = 2) readonly buffer Places { uint places[]; };
layout(std430, binding = 3) buffer Totals { Vec4 totals[]; };  // [body], then [body]: rounding errors
layout(std430, binding = 4) writeonly buffer Accelerations { Vec4 acceleration[]; };

uint triangular(uint row) { return row * (row + 1u) / 2u; }

void main() {
    uint i = thread_index();
    if (i >= count) return;
    uint tile = i / RHO, in_tile = i % RHO;
    Vec4 sum = Vec4(0), lost = Vec4(0);
    if (first_window == 0u) sum = totals[i], lost = totals[count + i];
    for (uint other = tile_rows; other-- > 0u;) {
        uint row = max(tile, other), column = min(tile, other);
        uint item = places[triangular(row) + column] - 1u;
        if (item - first_item >= last_item - first_item) continue;  // of another window
        uint from = (item % window) * (2u * RHO) + in_tile;
        add_compensated(sum, lost, sums[other > tile ? from + RHO : from]);
    }
    if (last_window != 0u) {
        acceleration[i] = finished(sum, bodies[i].w);
    } else {
        totals[i] = sum;
        totals[count + i] = lost;
    }
}
