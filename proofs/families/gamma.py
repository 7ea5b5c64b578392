"""Quick's tgamma and lgamma: pieces and quotients as they are; lgamma by what is proven of logarithms and sines.

Below -1/2 log|gamma(x)| is log pi - log|sin(pi r)| - log gamma(1 - x), and x is one of 2^23 floats times many r: what
is proven is that sum for all logarithms of sines and all log gamma(1 - x) by themselves, whatever x they belong to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, clamp, nearest, select
from clmath.ir.program import Value
from clmath.kernels.quick import gamma as quick
from clmath.kernels.quick.gamma import log_gamma_from_one
from clmath.kernels.quick.logarithm import log_at, placed
from clmath.kernels.quick.trigonometric import half_turns, sine_of_half_turns
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.ideals import GAMMA, INVERSE, LOG, LOG_GAMMA, SIN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower, upper
from proofs.engine.proof import Setting, in_one
from proofs.engine.traced import Traced, traced
from proofs.families import logarithm, turns
from proofs.families.floats import DOUBLE, FLOAT, doubles_between, floats_between, grid_of_doubles, grid_of_floats
from proofs.statements import EnclosedGamma, MirroredLogGamma, NearLogarithm, NearSine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.ir.program import Kind

__all__ = ["NAMES", "quick_parts"]

LOG_OFF, LOG_OFF_OF_DOUBLE = 2.0**-52, 2.0**-53  # of log_at's relative error; what those of longer doubles have besides
BASE_OFF = 2.0**-50  # of that of log gamma from 1 on
SINE_OFF = 2.0**-51  # of that of the sine
_LEAST_LOG = -17.0  # log|sin(pi r)| is more, |r| being no less than 2^-24
_TOP = 2.0**128
_BELOW = -(2.0**24), -0.5  # arguments
_CLOSEST = 2.0**-24  # no float below -1/2 is closer to an integer, but for integers


def split_at(low: float, high: float, step: float, points: Sequence[float] = ()) -> Iterator[tuple[float, float]]:
    """``low`` .. ``high`` in pieces that end half-way between multiples of ``step``, and binade by binade to points."""
    ends = {low, high}
    ends |= {(i + 0.5) * step for i in range(math.floor(low / step) - 1, math.ceil(high / step) + 1)}
    for point in points:
        ends |= {point + sign * 2.0**-i for i in range(2, 150) for sign in (1, -1)}
    kept = sorted(end for end in ends if low <= end <= high)
    yield from pairwise(kept)


@dataclass(frozen=True)
class Gamma:
    """Quick's tgamma, at floats. ``false``: conditions that do not hold; ``regions``: x >= 1 and x < 0."""

    traced: Traced
    false: tuple[int, ...]
    regions: tuple[int, int]
    name: str = "arguments"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Up to TOP; between 0 and 1, and between the poles down to BOTTOM, binade by binade toward those."""
        for low, high in split_at(1.0, quick.TOP, 0.125):
            yield "above", low, high
        for low, high in dyadic(2.0**-149, 1.0):
            for i in range(8):
                yield "inside", low + (high - low) * i / 8, low + (high - low) * (i + 1) / 8
        for n in range(int(-quick.BOTTOM)):
            for low, high in split_at(-n - 1.0, float(-n), 0.125, (-n - 1.0, float(-n))):
                yield "below", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """The floats that are no poles."""
        found = floats_between(*(_beside(end, sign) for end, sign in ((low, 1), (high, -1))))
        return found if found is None or which != "below" or found.low > quick.BOTTOM else None

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and where it lies."""
        x = cell.argument()
        given = {0: Real(x, grid_of_floats(cell.low, cell.high), 0, FLOAT), **self.conditions(which)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [in_one(run, gamma(x, which))]

        return Setting(given, claims)

    def conditions(self, which: Any) -> dict[int, bool]:
        """Those that are known in a region, by number."""
        is_in = dict(zip(self.regions, (which == "above", which == "below"), strict=True))
        return {**dict.fromkeys(self.false, False), **is_in}

    def statement(self, which: Any, low: float, high: float) -> EnclosedGamma:
        """The same as plain data."""
        cell = self.cell(which, arb(low), arb(high))
        assert cell is not None
        grid = grid_of_floats(cell.low, cell.high)
        return EnclosedGamma("gamma", which, grid, FLOAT, tuple(self.conditions(which).items()))


def _beside(end: arb, sign: int) -> arb:
    """``end``, or the next float in that direction where it is a pole."""
    if not (end.is_integer() and end <= 0):
        return end
    size = abs(float(end))
    exponent = math.frexp(size)[1] - FLOAT - (sign > 0 and math.frexp(size)[0] == 0.5) if size else -149
    return end + sign * arb(2) ** exponent


def gamma(x: Model, which: str) -> Model:
    """gamma(x), of x >= 1, gamma(1 + x)/x, or pi/(gamma(1 - x) sin(pi x)) by the distance from the next integer."""
    one = x.cell.constant(1)
    if which == "above":
        return applied(GAMMA, x)
    if which == "inside":
        return applied(GAMMA, x + one) * applied(INVERSE, x)
    return applied(INVERSE, applied(GAMMA, one - x) * sine_of(x)).scaled(arb.pi())


def sine_of(x: Model) -> Model:
    """sin(pi x), by the distance from the integer that is next to the cell's middle."""
    n = round(float(x.cell.middle))
    return applied(SIN, (x - x.cell.constant(n)).scaled(arb.pi())).scaled(-1 if n & 1 else 1)


def log_gamma(x: Model, which: str) -> Model:
    """log|gamma(x)|, likewise; of x > -1/2."""
    one = x.cell.constant(1)
    if which in {"piece", "series"}:
        return applied(LOG_GAMMA, x)
    if which == "inside":
        return applied(LOG_GAMMA, one + x) - applied(LOG, x)
    return x.cell.constant(arb.pi().log()) - applied(LOG, -sine_of(x)) - applied(LOG_GAMMA, one - x)


@dataclass(frozen=True)
class OfNumbers(logarithm.Family):
    """log x as a lane function that gives one double and no bound: ``LOG_OFF`` of it is claimed, and ``beside``."""

    beside: float = 0.0

    def claim(self, run: Execution, ideal: Model) -> list[tuple[Model, float]]:
        """That the value is as near to ``ideal``."""
        value = run.real_output(0)
        if value.power:
            raise Unproven("a logarithm with a power")
        return [(value.model - ideal, LOG_OFF * lower(ideal.range()) + self.beside)]


class Sums(logarithm.Sum):
    """Those that are the logarithm, which can be told as plain data."""

    family: OfNumbers

    def statement(self, which: Any, low: float) -> NearLogarithm:
        """What is claimed of pieces from ``low`` on."""
        powers, place = which
        (k, j, m), carried = self.family.cut, self.family.layout.carried(place)
        grid = (0 if low < 1.0 else 1) - self.family.digits
        return NearLogarithm(m, grid, k, carried, powers, (j, place), LOG_OFF, self.family.beside)


def _natural() -> arb:
    return arb(1)


def _encoding(x: Any) -> Any:
    return (bits(x),)


def of_log() -> Sequence[Any]:
    """The parts of the proof that log_at(x) is as near to log x as is said, for 2^-160 < x < 2^140."""
    whole = traced(log_at, ("double",), ("double",))
    k, j, m = whole.places(placed, "double", "long", "double")
    layout = logarithm.Layout(1023 << 52, 128, 45, 53)
    encoding = tuple(whole.places(_encoding, "long"))
    powers = logarithm.doubling(-160, 140)

    def numbers(digits: int, beside: float, name: str) -> Sums:
        family = OfNumbers(
            "log_at", whole, layout, digits, (k, j, m), encoding, {}, _natural, powers, in_one=True, beside=beside
        )
        return Sums(family, name)

    floats, doubles = numbers(FLOAT, 0.0, "sum of floats"), numbers(DOUBLE, LOG_OFF_OF_DOUBLE, "sum of doubles")
    return logarithm.Places(doubles.family), floats, doubles


@dataclass(frozen=True)
class LogGamma:
    """Quick's lgamma above -1/2, log_at being as near to the logarithm as ``of_log`` proves.

    ``logs``: where the two logarithms and what they are of stand; ``base``: where log gamma from 1 on does. ``false``:
    conditions that do not hold; ``regions``: x >= 1, x < 0, and base's argument below 9.
    """

    traced: Traced
    logs: tuple[tuple[int, int], tuple[int, int]]
    base: int
    false: tuple[int, ...]
    regions: tuple[int, int, int]
    name: str = "arguments"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """From 1 on all doubles; toward 1 and 2, 0 and 1, and 0 binade by binade."""
        for low, high in split_at(1.0, quick.SERIES, 2.0**-5, (1.0, 2.0)):
            yield "piece", low, high
        for low, high in dyadic(quick.SERIES, _TOP):
            for i in range(4):
                yield "series", low + (high - low) * i / 4, low + (high - low) * (i + 1) / 4
        for low, high in dyadic(2.0**-149, 1.0):
            for i in range(8):
                first, last = low + (high - low) * i / 8, low + (high - low) * (i + 1) / 8
                yield "inside", first, last
                if high <= 0.5:
                    yield "below", -last, -first

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments: doubles from 1 on, but for 1 and 2; floats below."""
        if which in {"piece", "series"}:
            grid = arb(2) ** grid_of_doubles(low, high)
            is_beyond = high == 2 or (which == "piece" and high == quick.SERIES)
            return doubles_between(low + grid * (float(low) in {1.0, 2.0}), high - grid * is_beyond)
        return floats_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and the logarithms."""
        x = cell.argument()
        is_above = which in {"piece", "series"}
        given: dict[int, Any] = {0: Real(x, *self._form(which, cell)), **self.conditions(which)}
        given |= {found: NearLog(of, off, beside) for of, found, off, beside in self._logarithms(which)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ideal = log_gamma(x, which)
            found = [in_one(run, ideal)]
            if is_above:
                found.append((run.real(Value(self.base)).model - ideal, BASE_OFF * lower(ideal.range())))
            return found

        return Setting(given, claims)

    @staticmethod
    def _form(which: Any, cell: Cell) -> tuple[int, int, int]:
        """Of what arguments are multiples, no power, and how many bits they have."""
        if which in {"piece", "series"}:
            return grid_of_doubles(cell.low, cell.high), 0, DOUBLE
        return grid_of_floats(cell.low, cell.high), 0, FLOAT

    def conditions(self, which: Any) -> dict[int, bool]:
        """Those that are known in a region, by number."""
        is_in = which in {"piece", "series"}, which == "below", which != "series"
        return {**dict.fromkeys(self.false, False), **dict(zip(self.regions, is_in, strict=True))}

    def _logarithms(self, which: Any) -> list[tuple[int, int, float, float]]:
        """Of the sine, or a float; and of base's argument."""
        besides = LOG_OFF_OF_DOUBLE if which == "below" else 0.0, LOG_OFF_OF_DOUBLE
        return [(*log, LOG_OFF, beside) for log, beside in zip(self.logs, besides, strict=True)]

    def statement(self, which: Any, low: float, high: float) -> EnclosedGamma:
        """The same as plain data."""
        cell = self.cell(which, arb(low), arb(high))
        assert cell is not None
        grid, _, width = self._form(which, cell)
        is_above = which in {"piece", "series"}
        conditions, logarithms = tuple(self.conditions(which).items()), tuple(self._logarithms(which))
        base = self.base if is_above else None
        region: Any = "above" if is_above else which
        return EnclosedGamma("log gamma", region, grid, width, conditions, logarithms, base, BASE_OFF)


@dataclass
class NearLog:
    """The logarithm of the value ``of``, but for ``off`` of it and ``beside``: the same whenever it is asked for."""

    of: int
    off: float
    beside: float
    found: Real | None = None

    def __call__(self, run: Execution) -> Real:
        """As a value of the trace."""
        if self.found is None:
            values = run.real(Value(self.of)).model
            if not (values.range() > 2.0**-160 and values.range() < 2.0**140):
                raise Unproven("a logarithm of which nothing is known")
            exact = applied(LOG, values)
            off = exact.cell.unknown(arb(self.off) * upper(exact.range()) + self.beside)
            self.found = Real(exact + off, -1074)
        return self.found


@dataclass(frozen=True)
class Reduction(turns.Reduction):
    """As of sinpi, for x < -1/2; and that log gamma is taken at 1 - x."""

    at: int = 0

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades."""
        for which, low, high in super().pieces():
            if which == "-":
                yield which, low, high

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        found = super().setting(which, cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            at = run.real(Value(self.at)).model
            return [*found.claims(run), (cell.constant(1) - cell.argument() - at, 0.0)]

        return Setting(found.given, claims)


@dataclass(frozen=True)
class Sines(turns.Turn):
    """|sin(pi r)| to ``SINE_OFF`` of it, for every r and n; ``sine``: where it stands."""

    sine: int = 0
    name: str = "sines"

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R and n are given."""
        family, r = self.family, cell.argument()
        given = {family.rest: Real(r, -24), family.n: Residue(which, family.modulus)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ideal = family.value(r, 0)
            ideal = ideal if cell.low > 0 else -ideal
            return [(run.real(Value(self.sine)).model - ideal, SINE_OFF * lower(ideal.range()))]

        return Setting(given | dict.fromkeys(family.special, False), claims)

    def statement(self, which: Any) -> NearSine:
        """The same as plain data."""
        family = self.family
        false = tuple((number, False) for number in family.special)
        return NearSine(family.rest, -24, (family.n, which), self.sine, SINE_OFF, false)


@dataclass(frozen=True)
class Mirrored:
    """lgamma below -1/2 for any logarithm of a sine and any log gamma(1 - x), these as near as the other parts prove.

    ``log`` and ``base``: where they stand in the trace.
    """

    traced: Traced
    log: int
    base: int
    conditions: tuple[tuple[int, bool], ...]
    name: str = "mirrored"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Log gamma(1 - x), binade by binade, with logarithms of sines in the same manner."""
        logs = [(-high, -low) for low, high in ((0.0, 0.125), *dyadic(0.125, -_LEAST_LOG))]
        for which in logs:
            yield which, -0.125, 0.0
            yield which, 0.0, 0.125
            for low, high in dyadic(0.125, 2.0**29):
                yield which, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of log gamma(1 - x)."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both are given."""
        exact, (least, greatest) = cell.argument(), which
        log_of_sine = cell.constant((least + greatest) / 2) + cell.unknown((greatest - least) / 2)
        of_log, of_base = self._offs(which)
        low, high = _BELOW
        x = cell.constant((low + high) / 2) + cell.unknown((high - low) / 2)
        given: dict[int, Any] = {0: Real(x, -24), **dict(self.conditions)}
        given[self.log] = Real(log_of_sine + cell.unknown(of_log), -1074)
        given[self.base] = Real(exact + cell.unknown(of_base * upper(exact.range())), -1074)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [in_one(run, cell.constant(arb.pi().log()) - log_of_sine - exact)]

        return Setting(given, claims)

    @staticmethod
    def _offs(which: Any) -> tuple[float, float]:
        """How far the logarithm, of a sine that is off itself, is off, and how far base is, of its size."""
        return LOG_OFF * -which[0] + LOG_OFF_OF_DOUBLE + SINE_OFF * (1.0 + 2.0**-40), BASE_OFF

    def statement(self, which: Any) -> MirroredLogGamma:
        """The same as plain data."""
        return MirroredLogGamma(which, self.log, self.base, self._offs(which), _BELOW, self.conditions)


def _special_to_tgamma(x: Any) -> Any:
    a = clamp(x, quick.BOTTOM, quick.TOP)
    a = select(a == a, a, 1.0)
    whole, _ = nearest(a)
    kept = clamp(x, -16777216.0, 0.0)
    factorial = (whole == x) & (x >= 1.0) & (x <= 15.0)
    touching = (abs(x) < quick.SLIGHT) & ((bits(x) & 0xFFFFFFFFFFFFF) == 0)
    is_pole = (x < 0.0) & (nearest(kept)[0] == kept)
    return a >= 1.0, a < 0.0, factorial, touching, is_pole, x < quick.BOTTOM, x == 0.0


def _is_plain(x: Any) -> Any:
    a = clamp(x, -16777216.0, 1e40)
    return a, (a == a) & (a != 0.0)


def _tamed(x: Any) -> Any:
    a, is_plain = _is_plain(x)
    return select(is_plain, a, 1.0)


def _argument_of_base(x: Any) -> Any:
    a = _tamed(x)
    return select(a >= 1.0, a, select(a < 0.0, 1.0 - a, 1.0 + a))


def _parts_of_lgamma(x: Any) -> Any:
    a, at = _tamed(x), _argument_of_base(x)
    r, n = half_turns(a)
    sine = abs(sine_of_half_turns(r, n))
    is_pole = ((r == 0.0) & (a < 0.0)) | (x == 0.0)
    argument = select(a < 0.0, select(is_pole, 1.0, sine), select(a < 1.0, a, 1.0))
    far = clamp(at, quick.SERIES, 1e40)
    return at, r, n, sine, argument, log_at(argument), far, log_at(far), log_gamma_from_one(at)


def _special_to_lgamma(x: Any) -> Any:
    a, at = _tamed(x), _argument_of_base(x)
    r, _ = half_turns(a)
    is_pole = ((r == 0.0) & (a < 0.0)) | (x == 0.0)
    zero = (x == 1.0) | (x == 2.0)
    return a >= 1.0, a < 0.0, at < quick.SERIES, abs(a) > 16777216.0, _is_plain(x)[1], is_pole, zero


_BOOLS: tuple[Kind, ...] = ("bool",) * 7


def _quick_tgamma() -> Sequence[Any]:
    whole = traced(quick.tgamma, ("double",), ("double", "double"))
    above, below, *false = whole.places(_special_to_tgamma, *_BOOLS)
    return (Gamma(whole, tuple(false), (above, below)),)


def _quick_lgamma() -> Sequence[Any]:
    whole = traced(quick.lgamma, ("double",), ("double", "double"))
    kinds: tuple[Kind, ...] = ("double", "double", "long", *("double",) * 6)
    at, r, n, sine, argument, log, far, far_log, base = whole.places(_parts_of_lgamma, *kinds)
    above, below, near, beyond, plain, *false = whole.places(_special_to_lgamma, *_BOOLS)
    family = turns.Turns("lgamma", whole, r, n, (beyond,), turns.sine, 1, 0.0, 0.5, _CLOSEST, 2, 0.5)
    return (
        *of_log(),
        LogGamma(whole, ((argument, log), (far, far_log)), base, tuple(false), (above, below, near)),
        Reduction(family, at=at),
        Sines(family, sine=sine),
        Mirrored(
            whole, log, base, ((above, False), (below, True), (plain, True), *((number, False) for number in false))
        ),
    )


_QUICK = {"tgamma": _quick_tgamma, "lgamma": _quick_lgamma}
NAMES = tuple(_QUICK)


def quick_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of quick's kernels."""
    return _QUICK[name]()
