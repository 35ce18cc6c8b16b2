// The first row, or the first number of threads on a side, at which a form without integer correction is wrong.
// Defines: UTM 0: rows of a λ in row order, 1: the thread-space UTM; those of lab_find.glsl.
#define DOUBLE 0
layout(local_size_x = 64) in;
#include "common.glsl"
#include "lab_find.glsl"
layout(std430, binding = 0) buffer First { uint first_wrong; };

#if UTM
bool places_row(uint a, uint n) {
    uint k = a % 2u == 0u ? (a - 1u) * ((2u * n - a) / 2u) : (a - 1u) / 2u * (2u * n - a);
    return utm_published(k, n) == ivec2(a, a + 1u) && utm_published(k + n - a - 1u, n) == ivec2(a, n);
}

// A work group for each n from corner_row on.
void main() {
    uint n = corner_row + group_index();
    if (n >= corner_column) return;
    for (uint a = 1u + gl_LocalInvocationID.x; a < n; a += 64u)
        if (!places_row(a, n)) {
            atomicMin(first_wrong, n);
            return;
        }
}
#else
void main() {
    uint row = thread_index();
    if (row >= rows) return;
    uint k = pair_count(row);
    if (tile_of(MAP_USED, ROOT_USED, k, 0u, rows, balanced_side) != uvec2(row, 0u) ||
        tile_of(MAP_USED, ROOT_USED, k + row, 0u, rows, balanced_side) != uvec2(row, row))
        atomicMin(first_wrong, row);
}
#endif
