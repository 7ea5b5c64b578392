"""Arguments for a kernel: random ones of four kinds, members of a subinterval of its proof, and neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from benchmarks.inputs import TYPICAL, USUAL
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin
from proofs.engine.execution import Real, Residue
from tests.proofs import concrete

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from benchmarks.attack.judges import Narrowing
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from proofs.engine.proof import Lemma

__all__ = ["KINDS", "Space", "members", "named_cell"]

KINDS = ("typical range", "random encodings", "sizes from 2^-30 to 2^10", "normal times 50")
_LEAST, _GREATEST = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Space:
    """Arguments of a kernel: float64 arrays of numbers of ``form``, or of integers where ``integers`` is true."""

    form: Format
    integers: tuple[bool, ...]
    typical: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, kernel: Kernel | Narrowing) -> Space:
        """Return the space of the widest format that the kernel serves."""
        row = builtin(kernel.name)
        integers = tuple(parameter.type == "intn" for parameter in row.inputs)
        return cls(
            FLOAT if kernel.phase == "fast" else DOUBLE, integers, TYPICAL.get(row.name, (USUAL,) * len(integers))
        )

    def generated(self, rng: np.random.Generator, kind: str, count: int) -> tuple[NDArray[np.float64], ...]:
        """Generate ``count`` arguments of one of ``KINDS``."""
        return tuple(
            self._integers(rng, kind, interval, count) if is_integer else self._numbers(rng, kind, interval, count)
            for is_integer, interval in zip(self.integers, self.typical, strict=True)
        )

    def _numbers(
        self, rng: np.random.Generator, kind: str, interval: tuple[float, float], count: int
    ) -> NDArray[np.float64]:
        if kind == "random encodings":
            return self._numbered(rng.integers(0, 1 << self.form.width, count, self.form.bits_dtype))
        if kind == "normal times 50":
            return self.rounded(rng.normal(0.0, 50.0, count))
        if kind == "typical range":
            return self.rounded(rng.uniform(*interval, count))
        return self.rounded(np.exp2(rng.uniform(-30.0, 10.0, count)) * rng.choice((-1.0, 1.0), count))

    @staticmethod
    def _integers(
        rng: np.random.Generator, kind: str, interval: tuple[float, float], count: int
    ) -> NDArray[np.float64]:
        low, high = (_LEAST, _GREATEST) if kind == "random encodings" else map(int, interval)
        return rng.integers(low, high, count, np.int64, endpoint=True).astype(np.float64)

    def rounded(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``x`` rounded to the format."""
        return x.astype(self.form.dtype).astype(np.float64)

    def nearby(self, rng: np.random.Generator, args: Sequence[NDArray[np.float64]]) -> tuple[NDArray[np.float64], ...]:
        """Return neighbours: each moved by up to a random power of two of encodings, integers by at most 3."""
        return tuple(
            np.clip(a + rng.integers(-3, 4, a.size), _LEAST, _GREATEST) if is_integer else self._moved(rng, a)
            for is_integer, a in zip(self.integers, args, strict=True)
        )

    def _moved(self, rng: np.random.Generator, x: NDArray[np.float64]) -> NDArray[np.float64]:
        width = self.form.precision - 1  # bits of the fraction; steps of two bits more reach other binades
        most = np.exp2(rng.uniform(0.0, width + 2, x.size))
        steps = rng.uniform(-most, most).astype(np.int64).astype(self.form.bits_dtype)
        codes = x.astype(self.form.dtype).view(self.form.bits_dtype) + steps
        found = self._numbered(codes)
        return np.where(np.isfinite(found), found, x)

    def _numbered(self, codes: np.ndarray) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore"):  # signalling NaNs
            found: NDArray[np.float64] = self.form.from_bits(codes).astype(np.float64)
        return found


def named_cell(part: Lemma, where: str) -> tuple[Any, float, float] | None:
    """Return (which, low, high) of the subinterval that a certificate names ``where``, or None if the part lacks it."""
    named, ends = where.removeprefix(f"{part.name} ").rsplit(": ", 1)
    low, high = map(float, ends.split(" .. "))
    pieces = ((which, first, last) for which, first, last in part.pieces() if str(which) == named)
    return next(((which, low, high) for which, first, last in pieces if first <= low and high <= last), None)


def members(
    part: Lemma,
    where: str,
    space: Space,
    rng: np.random.Generator,
    pool: Callable[[int], Sequence[NDArray[np.float64]]],
) -> tuple[NDArray[np.float64], ...]:
    """Return arguments whose values in the trace lie in the subinterval that a certificate names ``where``.

    They are taken from a pool, or sampled in the subinterval if it is one of the argument itself. The arrays are empty
    if the part lacks the subinterval, or is about an inner function of the kernel.
    """
    found, low, high = named_cell(part, where) or (None, 0.0, 0.0)
    if found is None or len(part.traced.program.inputs) != len(space.integers):
        return tuple(np.empty(0) for _ in space.integers)
    given = part.assumed(part.statement(found), arb(low), arb(high)).given
    args = pool(1 << 14 if _is_slow(part) else 1 << 18)
    first = given.get(0)
    if len(args) == 1 and isinstance(first, Real):
        args = (space.rounded(rng.uniform(low, high, args[0].size)),)
    values = concrete.values(part.traced, *args)
    inside = np.ones(args[0].shape, bool)
    for number, known in given.items():
        inside &= _lies(values[number], known)
    return tuple(a[inside] for a in args)


def _is_slow(part: Lemma) -> bool:
    return any(statement.operation == "fma" for statement in part.traced.program.statements)


def _lies(values: np.ndarray, known: object) -> NDArray[np.bool_]:
    """Whether each value agrees with an assumption of the lemma; true for assumptions of other kinds."""
    if isinstance(known, bool):
        return values == known
    if isinstance(known, Residue):
        return values % known.modulus == known.rest
    if isinstance(known, Real) and known.power == 0:
        range_ = known.model.range()
        return (values >= float(range_.lower())) & (values <= float(range_.upper()))
    return np.ones(values.shape, bool)
