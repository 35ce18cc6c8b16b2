//! title = Hilbert order
//! author = Orrery
//! kind = map
//! language = c++
// The blocks of a square whose side is a power of two follow a Hilbert curve, so that consecutive blocks share bodies.
// Tiles above the diagonal are waste.
#include <orrery/kernel.h>

orrery::Grid grid(std::uint32_t rows, const Parameters<double>& p) {
    std::uint64_t side = 1;
    while (side < rows) side *= 2;
    return {side * side, 1};
}

orrery::Tile tile(std::uint64_t d, std::uint64_t, std::uint32_t rows, const Parameters<double>& p) {
    std::uint64_t side = 1;
    while (side < rows) side *= 2;
    std::uint64_t x = 0, y = 0;
    for (std::uint64_t s = 1; s < side; s *= 2) {
        const std::uint64_t rx = 1 & (d / 2), ry = 1 & (d ^ rx);
        if (ry == 0) {
            if (rx == 1) x = s - 1 - x, y = s - 1 - y;
            std::swap(x, y);
        }
        x += s * rx, y += s * ry;
        d /= 4;
    }
    return {std::uint32_t(y), std::uint32_t(x)};
}
