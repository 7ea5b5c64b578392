"""The numerics of OpenCL C in NumPy, correctly rounded in every mode.

Every built-in of the specification is a function of its name, with its arguments in its order. Arguments are anything
that NumPy takes for an array; they broadcast, and their dtype is the format: float16 is half, float32 float, float64
double. Conversions and the trigonometric, power, logarithmic and exponential functions take ml_dtypes.bfloat16 as well.
Vectors are a last axis of 2, 3, 4, 8 or 16 lanes; what a built-in returns through a pointer comes last in a tuple.

What has a dtype keeps it: an array of ints or bools, ``np.int64(1)`` and ``True`` are no floating-point numbers and are
refused where these are asked for, with the conversion to write. Python's ints and floats have none: a single one takes
the format of the arrays in the call, and is double without; lists, tuples and ranges of them are double. They are
rounded to nearest even, whatever ``rounding`` says, which is that of the result; for bounds of intervals round them
yourself, ``clmath.convert(0.1, "float", rounding="rtn")``. A finite one that would become an infinity is refused.
Where integers are asked for they take the type of the arrays, and are long, or ulong, without. Operators take ints, and
lists of them, for integers: ``div(7, 2)`` is 3.

Keyword arguments, where a function has them:

- ``rounding``: "rte", "rtz", "rtp" or "rtn". None is rte, but for operators and conversions to a floating-point type
  the mode in force, see ``select_rounding_mode``. Formulas by definition, ``mix`` and ``smoothstep`` and, where
  ``fp_contract`` is OFF, ``mad``, ``dot`` and ``cross``, have each of their operations rounded in it.
- ``out``: the array that takes the result, of its shape and dtype; for several results a tuple of arrays or, for a
  fresh one, None.
- ``where``: bools that broadcast with the arguments (for vectors, with the axes before the last): what is False is
  neither computed nor written; without ``out`` it is 0.
- ``dtype``: ``bool`` makes the results of tests masks, ``x[~isnan(x, dtype=bool)]``. Without it they are int, 1 and 0,
  as in OpenCL C, and ``x[~isnan(x)]`` is wrong without an error: ~0 is -1, ~1 is -2, and NumPy takes ints for indices.
- ``engine``: what evaluates the kernels: "numpy", "native" (compiled when clmath was built) or "auto", which is
  native where it is there: ``clmath.engines()`` tells, and what would bring it. Auto takes single numbers one by one,
  which is faster there.
- ``threads``, wherever ``out`` is but in ``as_type``, ``swizzle`` and groups, and of stores that round: how many
  threads share large arrays, -1 for one on each core. Compiled loops gain by them, NumPy's operations and the
  reference, which hold the interpreter's lock, little or nothing.

Masked arrays, Series and DataFrames of pandas and DataArrays of xarray come back as such, with the masks of all
arguments and the labels, which must be the same for all; pandas' NA and columns of several types are refused. Functions
that move vectors (``vload``, ``shuffle``, ``as_type``) and image channels take plain arrays. Nothing is dropped, copied
from a device or computed by dask without a word: other arrays raise a TypeError that says what to write instead. Math,
common and geometric built-ins take arrays of dask, and compute them later, block by block; they hand arguments of other
classes with an ``__array_ufunc__``, units and sparse arrays say, their ufunc, which these take or refuse. Arrays of
CuPy, of what speaks DLPack on a CUDA device, and of pyopencl are computed where they lie by most functions of the math
and common chapters (``engine`` "auto" or "device"), and stay there; ``out`` is an array there, too.

``ulp_error`` tells how far results are from the exact values, ``limit`` how far the specification lets them be.

``engine`` and ``threads`` decide how fast a result comes, never which. Every NaN that is computed is the canonical one
of its format, quiet, positive and without payload: 0x7e00, 0x7fc00000, 0x7ff8000000000000. ``fabs``, ``copysign``,
``nan`` and what only moves bits (``select``, ``as_type``, loads, stores, shuffles) keep payloads.
Errors derive from ``ClmathError`` and from the TypeError, ValueError or ImportError that Python would raise.

>>> clmath.sin(np.float32([0.5, 1.0]), rounding="rtz")
array([0.47942552, 0.84147096], dtype=float32)
"""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Return a module of the package, a public name, or an alias such as convert_uchar4_sat_rte.

    Nothing is imported before it is asked for: the command answers Ctrl-C, and pytest starts, at once.
    """
    from importlib import import_module
    from importlib.util import find_spec

    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module 'clmath' has no attribute {name!r}")  # Python asks for these: nothing is imported
    if find_spec(f"clmath.{name}") is not None:
        _refuse_altered_arithmetic(name)
        return import_module(f"clmath.{name}")
    public = _public(name)
    names = {known: getattr(public, known) for known in public.__all__}
    globals().update(names, __all__=["__version__", *names])
    return globals()[name] if name in globals() else _alias(name, names)


def _public(name: str) -> Any:
    """The module of public names, for ``name``; once it is loaded, every thread may ask what there is."""
    import sys

    if "clmath.public" not in sys.modules:
        _refuse_altered_arithmetic(name)
    from clmath import public

    return public


def _refuse_altered_arithmetic(name: str) -> None:
    """An error in a thread that would misread the numbers of a module, and keep them so."""
    from clmath.numbers import guard

    guard.refuse_altered_arithmetic(f"clmath.{name}")


def _alias(name: str, known: dict[str, Any]) -> Any:
    """Return the alias of this name, which is made when it is asked for; raise AttributeError where there is none."""
    from clmath.errors import no_attribute
    from clmath.spec.aliases import PREFIXES, aliases
    from clmath.spec.synonyms import advice

    names = [*known]
    if name.startswith(PREFIXES):
        if name in aliases():
            from clmath.functions import aliases as functions

            return globals().setdefault(name, getattr(functions, name))  # the next time it is found at once
        names += aliases()
    raise no_attribute("clmath", name, names, advice(name, names))


def __dir__() -> list[str]:
    public = _public("__dir__()")
    from clmath.spec.aliases import aliases

    own = {name for name in globals() if name.startswith("__")}
    return sorted({*own, *public.__all__, *aliases(), "engines", "testing", "typing"})
