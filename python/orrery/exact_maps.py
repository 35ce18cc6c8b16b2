# SPDX-License-Identifier: MIT
"""Exact maps from linear indices to the elements of a simplex, as NumPy functions.

    from orrery import exact_maps
    row, col = exact_maps.condensed_pair_at(k, n)   # entry k of scipy.spatial.distance.pdist of n points

Each function takes an integer or an array of integers and returns arrays of the same shape, of dtype int64. Roots only
propose, integers decide, so every index of the stated range is exact. The same functions for C++, CUDA and GLSL are in
the package orrery-maps; see docs/maps-library.md. This module uses nothing but NumPy.
"""
from typing import Any, Tuple

import numpy

__all__ = ["MOST_ROWS", "MOST_LAYERS_3", "MOST_LAYERS_4", "condensed_index_of", "condensed_pair_at", "pair_at", "pair_count",
           "pair_index_of", "quadruple_at", "quadruple_count", "quadruple_index_of", "strict_pair_at", "triple_at",
           "triple_count", "triple_index_of", "upper_index_of", "upper_pair_at"]

#: Sizes up to which the maps are exact.
MOST_ROWS, MOST_LAYERS_3, MOST_LAYERS_4 = 2 ** 31 - 1, 2 ** 20, 2 ** 15


def _integers(values: Any, name: str, end: int) -> Any:
    """`values` as int64. Raises TypeError unless they are integers, ValueError unless they are in 0 … end − 1."""
    array = numpy.asarray(values)
    if array.dtype.kind not in "iu" and array.size > 0:
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    if array.size > 0 and (int(array.min()) < 0 or int(array.max()) >= end):
        raise ValueError(f"{name} must be in 0 ... {end - 1}")
    return array.astype(numpy.int64)


def _size(n: Any, most: int) -> int:
    if not 1 <= n <= most:
        raise ValueError(f"n must be in 1 ... {most}, not {n}")
    return int(n)


def pair_count(n: Any) -> Any:
    """Pairs with the diagonal of n elements, n(n + 1)/2, for n up to MOST_ROWS."""
    return n * (n + 1) // 2


def triple_count(n: Any) -> Any:
    """Triples i <= j <= k < n, n(n + 1)(n + 2)/6, for n up to MOST_LAYERS_3."""
    return n * (n + 1) * (n + 2) // 6


def quadruple_count(n: Any) -> Any:
    """Quadruples i <= j <= k <= l < n, n(n + 1)(n + 2)(n + 3)/24, for n up to MOST_LAYERS_4."""
    return n * (n + 1) * (n + 2) * (n + 3) // 24


def _corrected(k: Any, proposal: Any, count: Any) -> Any:
    """The greatest integer r with count(r) <= k; double proposes within one of it in all ranges of this module."""
    r = numpy.maximum(proposal.astype(numpy.int64), 0)
    r = r + (count(r + 1) <= k)
    return r - (count(r) > k)


def pair_at(k: Any) -> Tuple[Any, Any]:
    """(row, col) of element k of the triangle col <= row in row order, for k below pair_count(MOST_ROWS).

    row = floor(sqrt(2k + 1/4) - 1/2) exactly. pair_at(numpy.arange(pair_count(n))) equals numpy.tril_indices(n).
    """
    k = _integers(k, "indices", pair_count(MOST_ROWS))
    row = _corrected(k, numpy.sqrt(2.0 * k + 0.25) - 0.5, pair_count)
    return row, k - pair_count(row)


def strict_pair_at(k: Any) -> Tuple[Any, Any]:
    """(row, col) of element k of the triangle col < row in row order: numpy.tril_indices(n, -1)."""
    row, col = pair_at(k)
    return row + 1, col


def upper_pair_at(k: Any, n: int) -> Tuple[Any, Any]:
    """(row, col) of element k of the triangle row <= col < n in row order: numpy.triu_indices(n)."""
    n = _size(n, MOST_ROWS)
    row, col = pair_at(pair_count(n) - 1 - _integers(k, "indices", pair_count(n)))
    return n - 1 - row, n - 1 - col


def condensed_pair_at(k: Any, n: int) -> Tuple[Any, Any]:
    """(row, col) of element k of the triangle row < col < n in row order: numpy.triu_indices(n, 1), pdist of n points."""
    if n == 1:
        _integers(k, "indices", 0)
    row, col = upper_pair_at(k, max(n - 1, 1) if n > 0 else n)
    return row, col + 1


def pair_index_of(row: Any, col: Any) -> Any:
    """The inverse of pair_at()."""
    return pair_count(_integers(row, "rows", MOST_ROWS)) + _integers(col, "columns", MOST_ROWS)


def upper_index_of(row: Any, col: Any, n: int) -> Any:
    """The inverse of upper_pair_at()."""
    n = _size(n, MOST_ROWS)
    return pair_count(n) - 1 - pair_index_of(n - 1 - _integers(row, "rows", n), n - 1 - _integers(col, "columns", n))


def condensed_index_of(row: Any, col: Any, n: int) -> Any:
    """The inverse of condensed_pair_at()."""
    return upper_index_of(row, _integers(col, "columns", n) - 1, n - 1)


def triple_at(k: Any) -> Tuple[Any, Any, Any]:
    """(i, j, k) of an element of the tetrahedron i <= j <= k in layers of equal k, below triple_count(MOST_LAYERS_3)."""
    k = _integers(k, "indices", triple_count(MOST_LAYERS_3))
    layer = _corrected(k, numpy.cbrt(6.0 * k + 1) - 1, triple_count)
    j, i = pair_at(k - triple_count(layer))
    return i, j, layer


def triple_index_of(i: Any, j: Any, k: Any) -> Any:
    """The inverse of triple_at()."""
    return triple_count(_integers(k, "layers", MOST_LAYERS_3)) + pair_index_of(j, i)


def quadruple_at(k: Any) -> Tuple[Any, Any, Any, Any]:
    """(i, j, k, l) of an element of the 4-simplex i <= j <= k <= l in layers of equal l, below
    quadruple_count(MOST_LAYERS_4).

    The layer is floor(sqrt(5/4 + sqrt(1 + 24k)) - 3/2): two square roots, no cube root.
    """
    k = _integers(k, "indices", quadruple_count(MOST_LAYERS_4))
    layer = _corrected(k, numpy.sqrt(1.25 + numpy.sqrt(1 + 24.0 * k)) - 1.5, quadruple_count)
    return (*triple_at(k - quadruple_count(layer)), layer)


def quadruple_index_of(i: Any, j: Any, k: Any, l: Any) -> Any:  # noqa: E741
    """The inverse of quadruple_at()."""
    return quadruple_count(_integers(l, "layers", MOST_LAYERS_4)) + triple_index_of(i, j, k)
