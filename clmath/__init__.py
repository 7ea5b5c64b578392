"""The numerics of OpenCL C in NumPy, correctly rounded in every mode.

Every built-in of the specification is a function of its name, with its arguments in its order. Arguments are anything
that NumPy takes for an array; they broadcast, and their dtype is the format: float16 is half, float32 float, float64
double. Conversions and the trigonometric, power, logarithmic and exponential functions take ml_dtypes.bfloat16 as well.
Vectors are a last axis of 2, 3, 4, 8 or 16 components; results that a built-in returns through a pointer come last in a
tuple.

Arguments with a dtype keep it: arrays of ints or bools, ``np.int64(1)`` and ``True`` are refused by floating-point
parameters, with the conversion to write. Python's ints and floats do not have a dtype: a single one takes the format of
the arrays in the call, and is double without arrays; lists, tuples and ranges of them are double. They are rounded to
nearest even, as ``rounding`` applies only to the result; for bounds of intervals convert them first,
``clmath.convert(0.1, "float", rounding="rtn")``. A finite one that would become an infinity is refused. As integer
arguments they take the type of the arrays, and are long, or ulong, without arrays. Operators take ints, and lists of
them, for integers: ``div(7, 2)`` is 3.

Keyword arguments, where a function has them:

- ``rounding``: "rte", "rtz", "rtp" or "rtn". None is rte, except for operators and conversions to a floating-point
  type: these use the mode in force, see ``select_rounding_mode``. Every operation is rounded in the mode in functions
  defined by formulas: ``mix`` and ``smoothstep`` and, while ``fp_contract`` is OFF, ``mad``, ``dot`` and ``cross``.
- ``out``: the array that takes the result, of its shape and dtype; for several results a tuple of arrays or, for a
  fresh one, None.
- ``where``: bools that broadcast with the arguments (for vectors, with the axes before the last): elements with False
  are neither computed nor written; without ``out`` they are 0.
- ``dtype``: ``bool`` makes the results of tests masks, ``x[~isnan(x, dtype=bool)]``. Without it they are int, 1 and 0,
  as in OpenCL C, and ``x[~isnan(x)]`` is wrong without an error: ~0 is -1, ~1 is -2, and NumPy takes ints for indices.
- ``engine``: the evaluator of the kernels: "numpy", "native" (compiled when clmath was built) or "auto", which is
  native if available: ``clmath.engines()`` reports that, and how to get it. Auto takes single numbers one by one,
  which is faster for them.
- ``threads``, for all functions with ``out`` except ``as_type``, ``swizzle`` and groups, and for stores that round: the
  number of threads that share large arrays, -1 for one on each core. Compiled loops gain by them, NumPy's operations
  and the reference, which hold the interpreter's lock, little or nothing.

Masked arrays, Series and DataFrames of pandas and DataArrays of xarray come back as such, with the masks of all
arguments and the labels, which must be equal in all; pandas' NA and columns of several types are refused. Functions
that move vectors (``vload``, ``shuffle``, ``as_type``) and image channels take plain arrays. Nothing is dropped, copied
from a device or computed by dask silently: other arrays raise a TypeError that says what to write instead. Math, common
and geometric built-ins take arrays of dask, and compute them later, block by block. They pass their ufunc to arguments
of other classes with an ``__array_ufunc__``, such as units and sparse arrays, which take or refuse it; ``where`` needs
``out`` for them. Arrays of CuPy, of packages that support DLPack on a CUDA device, and of pyopencl are computed on
their device by most functions of the math and common chapters (``engine`` "auto" or "device"), and stay there; ``out``
is an array there, too.

``ulp_error`` returns the distance of results from the exact values, ``limit`` the distance that the specification
allows.

``engine`` and ``threads`` change only the speed, never the results. Every NaN that is computed is the canonical one of
its format, quiet, positive and without payload: 0x7e00, 0x7fc00000, 0x7ff8000000000000. ``fabs``, ``copysign``, ``nan``
and functions that only move bits (``select``, ``as_type``, loads, stores, shuffles) keep payloads. Errors derive from
``ClmathError`` and from the TypeError, ValueError or ImportError that Python would raise.

>>> clmath.sin(np.float32([0.5, 1.0]), rounding="rtz")
array([0.47942552, 0.84147096], dtype=float32)
"""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a module of the package, a public name, or an alias such as convert_uchar4_sat_rte.

    Modules are imported only on demand: the command answers Ctrl-C, and pytest starts, at once; ``clmath.sin`` does not
    wait for images.
    """
    from importlib.util import find_spec

    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module 'clmath' has no attribute {name!r}")  # Python asks for these: nothing is imported
    from clmath.public import imported, module_of, names

    if name == "__all__":
        return globals().setdefault(name, ["__version__", *names(name)])
    if find_spec(f"clmath.{name}") is not None:
        return imported(f"clmath.{name}", name)
    module = module_of(name)
    return globals().setdefault(name, _alias(name) if module is None else getattr(module, name))


def _alias(name: str) -> object:
    """Return the alias of this name, which is made on demand; raise AttributeError if the alias does not exist."""
    from clmath.errors import no_attribute
    from clmath.public import names
    from clmath.spec.aliases import PREFIXES, aliases
    from clmath.spec.synonyms import advice

    known = names(name)
    if name.startswith(PREFIXES):
        if name in aliases():
            from clmath.functions import aliases as functions

            return getattr(functions, name)
        known += aliases()
    raise no_attribute("clmath", name, known, advice(name, known))


def __dir__() -> list[str]:
    from clmath.public import names

    public = names("__dir__()")
    from clmath.spec.aliases import aliases

    own = {name for name in globals() if name.startswith("__")}
    return sorted({*own, *public, *aliases(), "engines", "testing", "typing"})
