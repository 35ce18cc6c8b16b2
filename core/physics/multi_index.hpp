// SPDX-License-Identifier: MIT
// Numbering of the monomials x^a y^b z^c, and so of the components of Cartesian tensors, by degree.
#pragma once
#include "core/base/hd.hpp"

namespace orrery {

/// Number of (a, b, c) with a + b + c ≤ degree; 0 for degree −1.
ORRERY_HD constexpr int terms_up_to(int degree) { return (degree + 1) * (degree + 2) * (degree + 3) / 6; }

/// Exponents of x, y and z. Numbered by degree, then by descending a, then by descending b: 1, x, y, z, x², xy, xz, y²,
/// …
struct MultiIndex {
    int a, b, c;

    ORRERY_HD constexpr int degree() const { return a + b + c; }
    ORRERY_HD constexpr int number() const { return terms_up_to(degree() - 1) + (b + c) * (b + c + 1) / 2 + c; }
    /// Exponent of axis 0, 1 or 2.
    ORRERY_HD constexpr int of(int axis) const { return axis == 0 ? a : axis == 1 ? b : c; }
    /// The index with the exponent of an axis raised by `by`, which may be negative.
    ORRERY_HD constexpr MultiIndex raised(int axis, int by = 1) const {
        return {a + (axis == 0 ? by : 0), b + (axis == 1 ? by : 0), c + (axis == 2 ? by : 0)};
    }
    friend ORRERY_HD constexpr MultiIndex operator+(MultiIndex i, MultiIndex j) {
        return {i.a + j.a, i.b + j.b, i.c + j.c};
    }
    friend ORRERY_HD constexpr MultiIndex operator-(MultiIndex i, MultiIndex j) {
        return {i.a - j.a, i.b - j.b, i.c - j.c};
    }
    /// True if no exponent is negative.
    ORRERY_HD constexpr bool exists() const { return a >= 0 && b >= 0 && c >= 0; }
};

/// The inverse of MultiIndex::number().
ORRERY_HD constexpr MultiIndex multi_index(int number) {
    int degree = 0;
    while (terms_up_to(degree) <= number) ++degree;
    int rest = number - terms_up_to(degree - 1), others = 0;
    while ((others + 1) * (others + 2) / 2 <= rest) ++others;
    rest -= others * (others + 1) / 2;
    return {degree - others, others - rest, rest};
}

}  // namespace orrery
