//! title = Rectangular box
//! author = Orrery
//! kind = map
//! language = c++
// RB: the triangle is cut, and its upper part is turned over and put beside the lower one: a rectangle without waste.
#include <orrery/kernel.h>

orrery::Grid grid(std::uint32_t rows, const Parameters<double>& p) {
    return rows % 2 == 0 ? orrery::Grid{rows / 2, rows + 1} : orrery::Grid{(rows + 1) / 2, rows};
}

orrery::Tile tile(std::uint64_t x, std::uint64_t y, std::uint32_t rows, const Parameters<double>& p) {
    const std::uint64_t extra = 1 - rows % 2;
    if (y >= x + extra) return {std::uint32_t(y - extra), std::uint32_t(x)};
    return {std::uint32_t(rows - 1 - y), std::uint32_t(rows - extra - x)};
}
