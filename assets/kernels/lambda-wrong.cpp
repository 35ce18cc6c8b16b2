//! title = Wrong λ
//! author = Orrery
//! kind = map
//! language = c++
// λ by an inverse square root with two Newton steps. A constant of 1e-4 covers the error of the root for few rows; from
// some number of rows on the first tile of a row is lost. The map lambda corrects the row with integers instead.
#include <orrery/kernel.h>

#include <cstring>

orrery::Grid grid(std::uint32_t rows, const Parameters<double>& p) {
    return {std::uint64_t(rows) * (rows + 1) / 2, 1};
}

static float root(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    bits = 0x5f3759dfu - (bits >> 1);
    float y;
    std::memcpy(&y, &bits, sizeof y);
    for (int turn = 0; turn < 2; ++turn) y *= 1.5f - 0.5f * x * y * y;
    return x * y;
}

orrery::Tile tile(std::uint64_t k, std::uint64_t, std::uint32_t rows, const Parameters<double>& p) {
    const std::uint64_t i = std::uint64_t(root(2.0f * float(k) + 0.25f) - 0.5f + 1e-4f);
    return {std::uint32_t(i), std::uint32_t(k - i * (i + 1) / 2)};
}
