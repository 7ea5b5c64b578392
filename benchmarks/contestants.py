"""Contestants: clmath and other packages, if they are installed and have the function."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

import clmath
from benchmarks.contest import Contestant
from clmath import call as front
from clmath.audit.targets.names import names
from clmath.engines import choice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.inputs import Call
    from clmath.engines.choice import EngineName as Engine
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = [
    "both_ends",
    "by_crival",
    "by_engine",
    "by_gmpy2",
    "by_gmpy2_arrays",
    "by_mpmath",
    "by_numpy",
    "by_reference",
    "by_scipy",
    "optional",
    "ours",
]

FEW = 20_000  # elements for packages that take microseconds each
VERY_FEW = 200  # elements for mpmath

_SCIPY = {n: n for n in ("exp2", "exp10", "expm1", "log1p", "cbrt", "erf", "erfc")}
_SCIPY |= {"tgamma": "gamma", "lgamma": "gammaln"}

# left out: powr, which has other special values than pow, and functions that gmpy2 lacks, such as sinpi
_GMPY2 = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 exp10 expm1 hypot lgamma log log10 log1p"
)
_GMPY2 += " log2 pow sin sinh tan tanh rootn add sub mul div sqrt fma fmod remainder rint"
_METHODS = {n: n for n in _GMPY2.split()} | {"tgamma": "gamma", "rsqrt": "rec_sqrt", "pown": "pow"}

_MPMATH = "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 hypot log log10 log1p log2 sin"
_MPMATH += " sinh tan tanh sinpi cospi"
_FUNCTIONS = {n: n for n in _MPMATH.split()}
_FUNCTIONS |= {"tgamma": "gamma", "lgamma": "loggamma", "pow": "power", "pown": "power", "rootn": "root"}


def optional(module: str) -> Any:
    """Return the module, or None if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def by_engine(call: Call, engine: Engine, mode: Rounding = "rte") -> Contestant | None:
    """Return an engine of clmath that writes to existing arrays, or None if it is not installed."""
    if engine not in {one.name for one in choice.installed()}:
        return None
    return ours(call, lambda out: front.floats(call.name, call.args, mode, out, engine=engine), mode)


def both_ends(call: Call) -> Contestant | None:
    """Return the native engine computing the tightest interval around each result: rounding down and up."""
    down, up = (by_engine(call, "native", mode) for mode in ("rtn", "rtp"))
    if down is None or up is None:
        return None
    return Contestant(lambda: (down.run(), up.run())[0], call.lanes, down.values, "rtn")


def by_crival(call: Call) -> Contestant | None:
    """Return CORE-MATH's function in crival, which maps intervals (two arrays) to tightest intervals."""
    ival = optional("ival")
    if ival is None or not hasattr(ival, f"acc_{call.name}"):
        return None
    points = [ival.Interval(a, a) for a in call.args]
    return Contestant(lambda: getattr(ival, call.name)(*points), call.lanes, lambda r: r.inf, None)


def ours(call: Call, evaluated: Callable[[Any], Any], mode: Rounding | None) -> Contestant:
    """Return a call of clmath that writes to arrays allocated by a first call; its first result is judged."""
    out = evaluated(None)
    return Contestant(lambda: evaluated(out), call.lanes, lambda r: r[0] if isinstance(r, tuple) else r, mode)


def by_reference(call: Call) -> Contestant:
    """Return the reference on a few elements; being the judge, it is not judged."""
    few = call.first(FEW)
    return Contestant(lambda: front.by_reference(call.name, few.args, "rte"), few.lanes, mode=None)


def by_ulp_error(call: Call) -> Contestant:
    """Return ``ulp_error`` of correctly rounded results, which takes the name of the built-in."""
    results = front.floats(call.name, call.args, "rte")
    return Contestant(lambda: clmath.ulp_error(results, call.name, call.args), call.lanes, mode=None)


def by_numpy(call: Call) -> Contestant | None:
    """Return NumPy's ufunc, or None if NumPy lacks the function."""
    ufunc = names("numpy").functions.get(call.name)
    return None if ufunc is None else _by_ufunc(getattr(np, ufunc.removeprefix("numpy.")), call)


def by_scipy(call: Call) -> Contestant | None:
    """Return the ufunc of scipy.special, which computes half in float, or None if SciPy lacks the function."""
    special = optional("scipy.special")
    if special is None or call.name not in _SCIPY:
        return None
    return _by_ufunc(getattr(special, _SCIPY[call.name]), call)


def _by_ufunc(ufunc: Any, call: Call) -> Contestant:
    out = np.empty(call.args[0].shape, call.form.dtype)
    return Contestant(lambda: ufunc(*call.args, out=out, casting="same_kind"), call.lanes)


def by_gmpy2(call: Call) -> Contestant | None:
    """Return MPFR with the format's precision, exponent range and gradual underflow: it rounds correctly.

    Conversions of arguments to mpfr and of results to an array are not timed.
    """
    function = _method(call)
    if function is None:
        return None
    gmpy2, few = optional("gmpy2"), call.first(FEW)
    columns = _columns(few, gmpy2.mpfr, int if call.name == "rootn" else gmpy2.mpz)
    return Contestant(lambda: list(map(function, *columns)), few.lanes, lambda r: _array(r, call.form))


def by_gmpy2_arrays(call: Call) -> Contestant | None:
    """Return the contestant of ``by_gmpy2`` with the conversions from and to arrays timed, too."""
    function = _method(call)
    if function is None:
        return None
    few = call.first(FEW)
    return Contestant(lambda: _array(map(function, *_columns(few, float, int)), call.form), few.lanes)


def _method(call: Call) -> Callable[..., Any] | None:
    """Return the function of a gmpy2 context for ``call``, or None if it lacks one or gmpy2 is not installed."""
    gmpy2 = optional("gmpy2")
    if gmpy2 is None or call.name not in _METHODS or (call.name == "rootn" and call.args[1].min() < 1):
        return None
    method: Callable[..., Any] = getattr(_context(gmpy2, call.form), _METHODS[call.name])
    return method


def _array(results: Iterable[Any], form: Format) -> np.ndarray:
    """Return an array of the (first) results, which are numbers of ``form``: nothing is rounded again."""
    return np.fromiter((float(r[0] if isinstance(r, tuple) else r) for r in results), form.dtype)


def _context(gmpy2: Any, form: Format) -> Any:
    """Return a context of the format; MPFR's exponents (0.1f x 2^e) are one more than IEEE's."""
    emin, emax = form.quantum + 1, form.emax + 1
    return gmpy2.context(precision=form.precision, emin=emin, emax=emax, subnormalize=True)


def _columns(call: Call, number: Callable[[float], Any], whole: Callable[[int], Any]) -> list[list[Any]]:
    """Return the arguments as lists of another package's numbers."""
    kinds = [number if a.dtype.kind == "f" else whole for a in call.args]
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        wide = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in call.args]
    return [
        a.tolist() if kind in {float, int} else list(map(kind, a.tolist())) for kind, a in zip(kinds, wide, strict=True)
    ]


def by_mpmath(call: Call) -> Contestant | None:
    """Return mpmath's function at the format's precision; subnormal results are rounded a second time.

    Calls that raise are not timed and count as NaN. So do complex results, except the real part of loggamma.
    """
    mpmath = optional("mpmath")
    if mpmath is None or call.name not in _FUNCTIONS:
        return None
    few = call.first(VERY_FEW)
    context = mpmath.MPContext()
    context.prec = call.form.precision
    function = getattr(context, _FUNCTIONS[call.name])
    rows = list(zip(*_columns(few, context.mpf, int), strict=True))
    lanes = [i for i, row in enumerate(rows) if _returns(function, row)]
    columns = list(zip(*(rows[i] for i in lanes), strict=True))
    if not columns:
        return None

    def values(results: Sequence[Any]) -> np.ndarray:
        found = np.full(few.lanes, np.nan)
        found[lanes] = [_real(context, r.real if call.name == "lgamma" else r) for r in results]
        return found.astype(call.form.dtype)

    return Contestant(lambda: list(map(function, *columns)), len(lanes), values)


def _returns(function: Callable[..., Any], row: Sequence[Any]) -> bool:
    with contextlib.suppress(ArithmeticError, ValueError, NotImplementedError):
        function(*row)
        return True
    return False


def _real(context: Any, value: Any) -> float:
    return float(value) if isinstance(value, context.mpf) else float("nan")
