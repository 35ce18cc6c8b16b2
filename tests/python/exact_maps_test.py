# SPDX-License-Identifier: MIT
"""orrery.exact_maps against numpy.tril_indices, numpy.triu_indices, itertools and exact integers."""
import itertools
import math
import os
import unittest

import numpy as np

from orrery import exact_maps as maps


class ExactMaps(unittest.TestCase):
    def same(self, found, wanted):
        for one, other in zip(found, wanted):
            np.testing.assert_array_equal(one, other)

    def test_pairs_are_those_of_numpy(self):
        for n in (*range(1, 80), 257, *((1000, 3000) if os.environ.get("ORRERY_LONG") else (1500,))):
            k = np.arange(maps.pair_count(n))
            self.same(maps.pair_at(k), np.tril_indices(n))
            self.same(maps.upper_pair_at(k, n), np.triu_indices(n))
            self.same(maps.strict_pair_at(np.arange(maps.pair_count(n - 1))), np.tril_indices(n, -1))
            self.same(maps.condensed_pair_at(np.arange(maps.pair_count(n - 1)), n), np.triu_indices(n, 1))

    def test_inverses_give_the_index(self):
        n, k = 500, np.arange(maps.pair_count(499))
        np.testing.assert_array_equal(maps.condensed_index_of(*maps.condensed_pair_at(k, n), n), k)
        np.testing.assert_array_equal(maps.upper_index_of(*maps.upper_pair_at(k, n), n), k)
        np.testing.assert_array_equal(maps.pair_index_of(*maps.pair_at(k)), k)

    def test_triples_and_quadruples_come_in_layers(self):
        for count, at, index_of, order in ((maps.triple_count, maps.triple_at, maps.triple_index_of, 3),
                                           (maps.quadruple_count, maps.quadruple_at, maps.quadruple_index_of, 4)):
            n = 17
            wanted = sorted(itertools.combinations_with_replacement(range(n), order), key=lambda t: t[::-1])
            found = at(np.arange(count(n)))
            self.assertEqual(list(zip(*(each.tolist() for each in found))), wanted)
            np.testing.assert_array_equal(index_of(*found), np.arange(count(n)))

    def test_ends_of_the_ranges_are_exact(self):
        rng = np.random.default_rng(1)
        rows = np.concatenate([np.arange(1, 5000), rng.integers(5000, maps.MOST_ROWS, 100_000), [maps.MOST_ROWS - 1]])
        for col in (np.zeros_like(rows), rows):
            self.same(maps.pair_at(maps.pair_index_of(rows, col)), (rows, col))
        for most, at, index_of, order in ((maps.MOST_LAYERS_3, maps.triple_at, maps.triple_index_of, 3),
                                          (maps.MOST_LAYERS_4, maps.quadruple_at, maps.quadruple_index_of, 4)):
            layers = np.arange(most)
            for first in (np.zeros_like(layers), layers):
                element = (first,) * (order - 1) + (layers,)
                self.same(at(index_of(*element)), element)

    def test_perfect_squares_are_exact(self):
        # 8k + 1 = 123², of which a GPU's root is 122.999; and the first row that a root in float misses.
        for row in (61, 4607):
            self.assertEqual(tuple(map(int, maps.pair_at(maps.pair_count(row)))), (row, 0))
        k = maps.pair_count(94_906_267)  # 8k + 1 is beyond 2⁵³, so a root in double is of a rounded number
        self.assertEqual(math.isqrt(8 * k + 1), 2 * 94_906_267 + 1)
        self.same(maps.pair_at(np.array([k - 1, k])), ([94_906_266, 94_906_267], [94_906_266, 0]))

    def test_shapes_are_kept_and_wrong_arguments_refused(self):
        row, _ = maps.pair_at(np.arange(6, dtype=np.uint32).reshape(2, 3))
        self.assertEqual((row.shape, row.dtype), ((2, 3), np.int64))
        self.assertEqual(maps.pair_at([])[0].shape, (0,))
        for wrong in (-1, maps.pair_count(maps.MOST_ROWS)):
            with self.assertRaises(ValueError):
                maps.pair_at(wrong)
        for wrong in (0, 10, 11):
            with self.assertRaises(ValueError):
                maps.condensed_pair_at(maps.pair_count(4) if wrong else 0, {0: 0, 10: 5, 11: 1}[wrong])
        with self.assertRaises(TypeError):
            maps.pair_at(1.5)


if __name__ == "__main__":
    unittest.main()
