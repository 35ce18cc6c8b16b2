//! title = λ
//! author = Orrery
//! kind = map
//! language = c++
//! parameter root = 0 [0, 2] 0: square root in double, 1: in single precision, 2: by an inverse square root
// λ(k) = (i, j) with i = ⌊√(2k + 1/4) − 1/2⌋ and j = k − i (i + 1)/2. The root proposes a row; integers correct it, so
// that each of the three roots gives an exact map.
#include <orrery/kernel.h>

orrery::Grid grid(std::uint32_t rows, const Parameters<double>& p) {
    return {std::uint64_t(rows) * (rows + 1) / 2, 1};
}

orrery::Tile tile(std::uint64_t k, std::uint64_t, std::uint32_t rows, const Parameters<double>& p) {
    const double exact = 2.0 * double(k) + 0.25;
    const float single = float(exact);
    double proposed;
    if (p.root < 0.5)
        proposed = std::sqrt(exact) - 0.5;
    else if (p.root < 1.5)
        proposed = std::sqrt(single) - 0.5f;
    else
        proposed = single * (1 / std::sqrt(single)) - 0.5f;
    std::uint64_t i = std::uint64_t(std::max(0.0, proposed));
    while (i * (i + 1) / 2 > k) --i;
    while ((i + 1) * (i + 2) / 2 <= k) ++i;
    return {std::uint32_t(i), std::uint32_t(k - i * (i + 1) / 2)};
}
