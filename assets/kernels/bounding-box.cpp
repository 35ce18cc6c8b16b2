//! title = Bounding box
//! author = Orrery
//! kind = map
//! language = c++
// BB: a square of blocks. Those above the diagonal have no tile: they are waste.
#include <orrery/kernel.h>

orrery::Grid grid(std::uint32_t rows, const Parameters<double>& p) { return {rows, rows}; }

orrery::Tile tile(std::uint64_t x, std::uint64_t y, std::uint32_t rows, const Parameters<double>& p) {
    return {std::uint32_t(y), std::uint32_t(x)};
}
