"""Arrays of numbers and midpoints (marks) of half, float and double, and the rounding of values at or next to a mark.

A mark is identified by the encoding of a non-negative number, and by whether it is the midpoint above it. Values at a
mark or next to it are rounded by counting: encodings of one sign are consecutive, and infinity follows the largest
number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clmath.numbers.formats import DOUBLE, FLOAT, HALF

BINADE = {HALF: 1 << 10, FLOAT: 1 << 23, DOUBLE: 1 << 52}  # number of encodings of one binade
INFINITE = {HALF: 0x7C00, FLOAT: 0x7F800000, DOUBLE: 0x7FF0000000000000}
LAST = {HALF: -24, FLOAT: -149, DOUBLE: -1074}  # exponent of the smallest number


class Marks(NamedTuple):
    """Arrays of marks, (whole + half) 2^exponent: ``half`` is 0 or 0.5, ``whole`` has at most the format's digits."""

    encoding: np.ndarray
    whole: np.ndarray
    half: np.ndarray
    exponent: np.ndarray

    def elements(self, index):
        """The marks that ``index`` picks."""
        return Marks(*(part[index] for part in self))


def marks(form, encodings):
    """The numbers of these encodings, and the middles after them."""
    encoding, half = (grid.ravel() for grid in np.meshgrid(np.asarray(encodings, np.int64), [0, 1]))
    field = encoding // BINADE[form]
    whole = encoding % BINADE[form] + np.where(field > 0, BINADE[form], 0)
    return Marks(encoding, whole.astype(np.float64), half / 2.0, np.maximum(field, 1) - 1 + LAST[form])


def edges(form, binades=None):
    """Encodings next to every power of two, of eight patterns of last digits in between, and at both ends."""
    size, all_of_them = BINADE[form], INFINITE[form] // BINADE[form] + 1
    chosen = np.array([*(range(all_of_them) if binades is None else binades), 0, 1, all_of_them - 1])[:, None] * size
    within = np.r_[np.arange(-2, 3), size // 3 // 8 * 8 + np.arange(8)]
    powers = 1 << np.arange(int(size).bit_length() - 1)[:, None]  # of subnormal numbers
    found = np.unique(np.concatenate([(chosen + within).ravel(), (powers + np.arange(-2, 3)).ravel()]))
    return found[(found >= 0) & (found <= INFINITE[form])]


def rounded(form, mode, at, side, negative):
    """The encodings, without the sign, of values at marks (``side`` 0), above them (1) or below them (-1) in size."""
    quarters = (4 * at.half).astype(np.int64) + side  # after the number
    down, up = at.encoding + quarters // 4, at.encoding - -quarters // 4
    nearest = at.encoding + np.where(quarters == 2, at.encoding % 2, quarters == 3)
    outward = {"rtp": ~negative, "rtn": negative}.get(mode, np.zeros_like(negative))
    directed = np.where(outward, np.minimum(up, INFINITE[form]), np.minimum(down, INFINITE[form] - 1))
    return np.minimum(nearest, INFINITE[form]) if mode == "rte" else directed


def rounded_apart(form, mode, at, sides, negative):
    """Whether values on the two sides of marks round to different numbers."""
    below, above = (rounded(form, mode, at, side, negative) for side in sides)
    return below != above


def signed(form, size, negative):
    """Encodings with their sign, all else zero."""
    return size | negative.astype(np.int64) << form.width - 1
