"""The oracle of conversions: Python integers alone, a value being an integer times a power of two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

DTYPES = {
    "bool": "?",
    "char": "i1",
    "uchar": "u1",
    "short": "i2",
    "ushort": "u2",
    "int": "i4",
    "uint": "u4",
    "long": "i8",
    "ulong": "u8",
    "half": "f2",
    "float": "f4",
    "double": "f8",
}
PRECISION_AND_EMAX = {"half": (11, 15), "float": (24, 127), "double": (53, 1023)}


def decoded(bits: int, name: str) -> tuple[str | None, int, int, int]:
    """What an encoding of a floating-point type says: ("nan" | "inf" | None, sign, integer, exponent)."""
    precision, emax = PRECISION_AND_EMAX[name]
    mantissa = bits & ((1 << (precision - 1)) - 1)
    biased = (bits >> (precision - 1)) & (2 * emax + 1)
    sign = -1 if bits >> (precision - 1) > 2 * emax + 1 else 1
    if biased == 2 * emax + 1:
        return ("nan" if mantissa else "inf"), sign, 0, 0
    implicit = 1 << (precision - 1) if biased else 0
    return None, sign, mantissa | implicit, max(biased, 1) - emax - precision + 1


def quotient(magnitude: int, shift: int, sign: int, mode: str) -> int:
    """The number magnitude / 2^shift rounded to an integer as the number sign x that must be."""
    if shift <= 0:
        return magnitude << -shift
    below, rest = magnitude >> shift, magnitude & ((1 << shift) - 1)
    if mode == "rte":
        half = 1 << (shift - 1)
        return below + (rest > half or (rest == half and below & 1))
    away = {"rtz": False, "rtp": sign > 0, "rtn": sign < 0}[mode]
    return below + (away and rest != 0)


def encoded(sign: int, magnitude: int, exponent: int, name: str, mode: str) -> int:
    """The encoding of sign magnitude 2^exponent rounded to a floating-point type."""
    precision, emax = PRECISION_AND_EMAX[name]
    top = (1 << (precision + emax.bit_length())) if sign < 0 else 0
    quantum = 2 - emax - precision
    place = max(magnitude.bit_length() + exponent - precision, quantum)
    count = quotient(magnitude, place - exponent, sign, mode)
    # the encodings of consecutive numbers are consecutive integers, carries included
    bits = count + ((place - quantum) << (precision - 1)) if count else 0
    infinity = (2 * emax + 1) << (precision - 1)
    if bits >= infinity:
        kept = {"rte": False, "rtz": True, "rtp": sign < 0, "rtn": sign > 0}[mode]
        bits = infinity - kept
    return top | bits


@dataclass(frozen=True)
class Oracle:
    """Conversions of whole arrays, lane by lane."""

    names = tuple(DTYPES)
    modes = ("rte", "rtz", "rtp", "rtn")

    def dtype(self, name: str) -> np.dtype:
        return np.dtype(DTYPES[name])

    def is_float(self, name: str) -> bool:
        return name in PRECISION_AND_EMAX

    def bits_of(self, values: np.ndarray) -> list[int]:
        return values.view(f"u{values.dtype.itemsize}").tolist()

    def convert(self, values: np.ndarray, source: str, target: str, mode: str, *, sat: bool) -> list:
        """Python bools, ints, or encodings; None stands for NaN."""
        if target == "bool":
            return [bool(v != 0) for v in values.tolist()]
        if self.is_float(source):
            numbers = [decoded(b, source) for b in self.bits_of(values)]
        else:
            numbers = [(None, -1 if v < 0 else 1, abs(int(v)), 0) for v in values.tolist()]
        if self.is_float(target):
            return [self._to_float(n, target, mode) for n in numbers]
        limits = np.iinfo(self.dtype(target))
        least, most = int(limits.min), int(limits.max)
        if not self.is_float(source) and not sat:
            return [(s * m - least) % (most - least + 1) + least for _, s, m, _ in numbers]
        return [self._to_integer(n, least, most, mode) for n in numbers]

    def _to_float(self, number: tuple, target: str, mode: str) -> int | None:
        special, sign, magnitude, exponent = number
        if special == "nan":
            return None
        if special == "inf":
            precision, emax = PRECISION_AND_EMAX[target]
            return ((2 * emax + 1) << (precision - 1)) | ((sign < 0) << (precision + emax.bit_length()))
        return encoded(sign, magnitude, exponent, target, mode)

    def _to_integer(self, number: tuple, least: int, most: int, mode: str) -> int:
        special, sign, magnitude, exponent = number
        if special == "nan":
            return 0
        if special == "inf":
            return most if sign > 0 else least
        return min(max(sign * quotient(magnitude, -exponent, sign, mode), least), most)

    def assert_same(self, got: np.ndarray, expected: list, target: str, label: str, inputs: np.ndarray) -> None:
        """Bit for bit, any NaN for a NaN."""
        assert got.dtype == self.dtype(target), label
        if self.is_float(target):
            found = [None if n else b for b, n in zip(self.bits_of(got), np.isnan(got).tolist(), strict=True)]
        else:
            found = got.tolist()
        if found != expected:
            i = next(i for i, (f, e) in enumerate(zip(found, expected, strict=True)) if f != e)
            pytest.fail(f"{label}: {inputs[i]!r} [{inputs[i].tobytes().hex()}] gives {found[i]}, not {expected[i]}")


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """Conversions by Python integers."""
    return Oracle()
