//! title = Wrong λ
//! author = Orrery
//! kind = map
//! language = glsl
// λ by an inverse square root with two Newton steps. A constant of 1e-4 covers the error of the root for few rows; from
// some number of rows on the first tile of a row is lost. The map lambda corrects the row with integers instead.
uvec2 grid(uint rows) { return uvec2(rows * (rows + 1u) / 2u, 1u); }

float root(float x) {
    float y = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(x) >> 1));
    for (int turn = 0; turn < 2; ++turn) y *= 1.5 - 0.5 * x * y * y;
    return x * y;
}

uvec2 tile(uint k, uint unused, uint rows) {
    uint i = uint(root(2.0 * float(k) + 0.25) - 0.5 + 1e-4);
    return uvec2(i, k - i * (i + 1u) / 2u);
}
