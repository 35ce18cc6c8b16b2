// SPDX-License-Identifier: MIT
// Exact maps from a linear index to the elements of a simplex: the functions of exact_maps.hpp for 32-bit indices, in
// GLSL 3.30 and later; prepend this text to a shader. GLSL permits a root to be wrong by 2⁻²⁰ of its value and a power
// by 2⁻¹⁸, and a device may round either way, so a proposal is off by at most one; row_of() and the comparisons of the
// layers correct it.

// Elements of rows 0 … row − 1 of a triangle, diagonal included.
uint pair_count(uint row) { return row * (row + 1u) / 2u; }
// Six times the triples of n elements, n <= 1024, and 24 times the quadruples of n elements, n <= 254.
uint six_triples(uint n) { return n * (n + 1u) * (n + 2u); }
uint twenty_four_quadruples(uint n) { return n * (n + 1u) * (n + 2u) * (n + 3u); }

// The row of index k from any proposal within a factor of two, for k below pair_count(32768).
uint row_of(uint k, uint row) {
    if (pair_count(row + 1u) <= k) row += (k - pair_count(row)) / (row + 1u);
    while (pair_count(row) > k) row -= (pair_count(row) - k + row - 1u) / row;
    return row;
}

// Element k of the triangle col <= row in row order, as (row, col); k below pair_count(32768).
uvec2 pair_at(uint k) {
    uint row = row_of(k, uint(sqrt(float(2u * k) + 0.25) - 0.5));
    return uvec2(row, k - pair_count(row));
}

// Element k of the triangle row < col < n in row order: entry k of a condensed distance matrix of n <= 32768 points.
uvec2 condensed_pair_at(uint k, uint n) {
    uvec2 pair = pair_at(pair_count(n - 1u) - 1u - k);
    return uvec2(n - 2u - pair.x, n - 1u - pair.y);
}

// Element w of the tetrahedron i <= j <= k in layers of equal k, as (i, j, k); w below 179 481 600, 1024 layers.
uvec3 triple_at(uint w) {
    uint layer = uint(max(pow(float(6u * w) + 1.0, 1.0 / 3.0) - 1.0, 0.0));
    if (six_triples(layer) > 6u * w)
        --layer;
    else if (six_triples(layer + 1u) <= 6u * w)
        ++layer;
    uvec2 below = pair_at(w - six_triples(layer) / 6u);
    return uvec3(below.y, below.x, layer);
}

// Element w of the 4-simplex i <= j <= k <= l in layers of equal l; w below 177 556 160, 254 layers.
uvec4 quadruple_at(uint w) {
    uint layer = uint(max(sqrt(1.25 + sqrt(1.0 + float(24u * w))) - 1.5, 0.0));
    if (twenty_four_quadruples(layer) > 24u * w)  // first, because the next product of the last layer exceeds 32 bits
        --layer;
    else if (twenty_four_quadruples(layer + 1u) <= 24u * w)
        ++layer;
    return uvec4(triple_at(w - twenty_four_quadruples(layer) / 24u), layer);
}
