"""Kernels of double: both engines compared with gmpy2 and crival, and the ratios that C libraries reach."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import contestants, inputs
from benchmarks.contest import contest, faster, truth_of
from benchmarks.sections import Section
from clmath import phases
from clmath.kernels import ACCURATE
from clmath.numbers.formats import DOUBLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.sections import Job, Options, Row

__all__ = ["SECTION"]

NAMES = (*ACCURATE.kernels, "lgamma_r")


class Published(NamedTuple):
    """Nanoseconds per number on a typical range: CORE-MATH (scalar C), crmvec (vectors, AVX2) and gmpy2."""

    core_math: float
    crmvec: float | None = None
    gmpy2: float | None = None


# CORE-MATH and gmpy2: measured in tight loops in one run on a Zen 5 with AVX-512, -O3 -march=native. crmvec: its
# authors' figures, AVX2, Zen 3. On another machine only the ratios to gmpy2 are meaningful.
PUBLISHED = {
    "sin": Published(28.5, 4.4, 1282),
    "cos": Published(30.8, 4.3, 978),
    "tan": Published(34.1, 7.7, 1410),
    "exp": Published(5.5, 2.8, 849),
    "exp2": Published(5.6, None, 1241),
    "exp10": Published(5.7, None, 2061),
    "expm1": Published(4.6, 4.0, 1034),
    "log": Published(4.7, 2.9, 1139),
    "log2": Published(5.9, None, 1354),
    "log10": Published(4.0, None, 2069),
    "log1p": Published(6.2, 4.2, 1153),
    "asin": Published(16.5, None, 2403),
    "acos": Published(10.9, None, 2543),
    "atan": Published(10.3, 5.4, 2939),
    "asinpi": Published(20.2),
    "acospi": Published(11.5),
    "atanpi": Published(12.1),
    "sinpi": Published(8.5),
    "cospi": Published(9.5),
    "tanpi": Published(10.1),
    "sinh": Published(13.0, 6.6, 1136),
    "cosh": Published(12.6, 6.4, 1078),
    "tanh": Published(11.6, None, 1243),
    "asinh": Published(10.5, 6.5, 1394),
    "acosh": Published(9.2, 7.1, 1507),
    "atanh": Published(11.1, None, 2069),
    "cbrt": Published(13.4, None, 362),
    "rsqrt": Published(3.9, None, 191),
    "erf": Published(9.5, 6.1, 4661),
    "erfc": Published(26.1, 16.4, 28684),
    "tgamma": Published(33.6, None, 7841),
    "lgamma": Published(22.0, None, 8052),
    "atan2": Published(11.3, 5.8, 3048),
    "atan2pi": Published(21.9),
    "pow": Published(13.4, 8.6),
    "hypot": Published(9.6, 3.9, 302),
}


def _counted(name: str) -> phases.Evaluated:
    return phases.stats().get((name, DOUBLE.name), phases.Evaluated(0, 0))


def _share(name: str, native: Callable[[], object]) -> float:
    """Return the share of elements that the native engine leaves to the reference."""
    before = _counted(name)
    native()
    now = _counted(name)
    return (now.undecided - before.undecided) / max(now.evaluated - before.evaluated, 1)


def _row(name: str, kind: str, options: Options) -> Row:
    call = inputs.call(name, DOUBLE, kind, options.lanes)
    native = contestants.by_engine(call, "native")
    found = contest(
        {
            "clmath NumPy": contestants.by_engine(call, "numpy"),
            "clmath native": native,
            "native, rtp": contestants.by_engine(call, "native", "rtp"),
            "rtn and rtp": contestants.both_ends(call),
            "crival": contestants.by_crival(call),
            "gmpy2": contestants.by_gmpy2(call),
            "gmpy2, arrays": contestants.by_gmpy2_arrays(call),
        },
        truth_of(call),
        options.judged,
        options.runs,
    )
    published = PUBLISHED.get(name)
    return {
        "function": name,
        "inputs": kind,
        **found,
        "undecided per million": native and _share(name, native.run) * 1e6,
        "NumPy engine : gmpy2, arrays": faster(found["clmath NumPy"], found["gmpy2, arrays"]),
        "native engine : gmpy2": faster(found["clmath native"], found["gmpy2"]),
        "CORE-MATH : gmpy2": published and published.gmpy2 and published.gmpy2 / published.core_math,
        "crmvec : gmpy2": published and published.gmpy2 and published.crmvec and published.gmpy2 / published.crmvec,
        "CORE-MATH": published and published.core_math,
        "both ends : crival": faster(found["rtn and rtp"], found["crival"]),
    }


def _jobs(options: Options) -> list[Job]:
    if DOUBLE not in options.forms:
        return []
    names = [name for name in options.chosen(NAMES) if phases.has_kernel(name, DOUBLE)]
    return [functools.partial(_row, name, kind, options) for name in names for kind in options.inputs]


SECTION = Section(
    "double",
    "Double by kernels, rte: ns per element · results wrongly rounded; a : b, how many times a is as fast",
    (
        "function",
        "inputs",
        "clmath NumPy",
        "clmath native",
        "native, rtp",
        "rtn and rtp",
        "crival",
        "gmpy2",
        "gmpy2, arrays",
        "undecided per million",
        "NumPy engine : gmpy2, arrays",
        "native engine : gmpy2",
        "CORE-MATH : gmpy2",
        "crmvec : gmpy2",
        "CORE-MATH",
        "both ends : crival",
    ),
    _jobs,
    NAMES,
)
