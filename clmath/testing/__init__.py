"""Test numeric code: the inputs at which implementations fail, assertions that explain, fixtures for pytest.

``pip install 'clmath[test]'`` brings Hypothesis and pytest. The examples use NumPy's functions as if they were yours.

A whole test in a line
----------------------
``conformance_test`` makes a test of an implementation and the name of a built-in; in a file ``test_mine.py`` pytest
finds it by its name. It tries the inputs of ``clmath audit`` and more, and shows one simple call that fails:

>>> from clmath.testing import conformance_test
>>> test_sqrt = conformance_test(np.sqrt, "sqrt", types=["float"])
>>> test_sqrt()
>>> def cut(x):
...     return np.trunc(x) + x.dtype.type(0)  # -0 + 0 is 0
>>> conformance_test(cut, "trunc", types=["half"])()  # doctest: +ELLIPSIS
Traceback (most recent call last):
AssertionError: trunc(-0x0p+0 = -0.0) [0x8000]: got 0x0p+0 = 0.0 [0x0000], want -0x0p+0 = -0.0 [0x8000]
    (wrong sign of zero), trunc(±0) = ±0 (ISO/IEC 9899:TC2, F.9.6.8)
limit: correctly rounded (cl_khr_fp16, relative error as ULPs, full profile)
trunc half rte: 15360 of 65536 inputs fail
replay: import numpy as np; from clmath.testing import assert_conforms;
    args = (np.array([0x8000], 'uint16').view('float16'),); assert_conforms(cut(*args), 'trunc', args)
...

The limit is OpenCL's, whose tables ``clmath.limit`` shows, unless the test states its own: ``limit=1`` for an error
of at most one ulp, ``correctly_rounded=True`` for the nearest number only (in another mode, the next one).
A test without a limit is refused if results are unspecified, as for ``native_sin``: it could not fail.

>>> test_one_ulp = conformance_test(np.exp, "exp", types=["double"], limit=1)
>>> test_nearest = conformance_test(np.sqrt, "sqrt", types=["float", "double"], correctly_rounded=True)
>>> test_one_ulp(), test_nearest()
(None, None)

A function with a keyword ``rounding`` is tested in all ``modes`` that are given. It is called on arrays; lift a
function of single numbers by ``np.vectorize``. Types of vectors, ``types=["float4"]``, also test functions that compute
component by component, such as ``select`` by the sign bit of each; ``any`` and ``all`` follow the ``edition``:

>>> def select(a, b, c):
...     return np.where(c.view(np.int32) < 0, b, a)  # c is signed or unsigned
>>> test_select = conformance_test(select, "select", types=["float4"])
>>> test_select()

Functions that are called once for each case are tested in the same way: ``sprintf(format, value)``,
``work_group_broadcast``, ``async_work_group_copy`` and the strided one, ``f(image, sampler, coordinates)`` for
``Image.read``:

>>> def first(a, local_id):
...     return a[..., 0]
>>> conformance_test(first, "work_group_broadcast", types=["int"])()  # doctest: +ELLIPSIS
Traceback (most recent call last):
AssertionError: work_group_broadcast((-2147483648, -2147483647, 2147483646), 1): first gives -2147483648,
 want -2147483647, rte
work_group_broadcast: 38 of 48 calls fail
replay: import numpy as np; first(np.array([-2147483648, -2147483647, 2147483646], 'int32'), 1)
...

Any other function is tested against a reference, a function of mpmath's numbers, in a ``domain``:

>>> import mpmath
>>> def sigmoid(x):
...     return 1 / (1 + np.exp(-x))
>>> test_sigmoid = conformance_test(sigmoid, reference=lambda x: 1 / (1 + mpmath.exp(-x)), domain=(-50, 50), limit=4)

Assertions
----------
They take results and the arguments of these results: numbers, arrays of NumPy, CuPy, PyTorch, JAX, pyopencl.
``assert_conforms`` checks the specification's limits, ``assert_correctly_rounded`` the correctly rounded result (to
nearest or in another mode), ``assert_ulp`` an error in ulp:

>>> from clmath.testing import assert_conforms, assert_correctly_rounded, assert_ulp
>>> x = np.array([0.5, 1.0, 100.0], np.float32)
>>> assert_conforms(np.sin(x), "sin", (x,), profile="embedded")
>>> assert_correctly_rounded(np.sqrt(x), "sqrt", (x,))
>>> assert_ulp(np.sin(x), "sin", (x,), limit=1.5)
>>> assert_ulp(np.array([0.3333, 0.6665], np.float16), [1 / 3, 2 / 3], limit=0.5)
>>> assert_correctly_rounded(np.array([1, 1.25], np.float32), "sqrt", (np.array([1, 2], np.float32),))
Traceback (most recent call last):
AssertionError: sqrt(0x1p+1 = 2.0) [0x40000000] at index 1: got 0x1.4p+0 = 1.25 [0x3fa00000],
    want 0x1.6a09e6p+0 = 1.4142135 [0x3fb504f3] (-1.378e+06 ulp), rte
1 of 2 results is not correctly rounded
replay: args = (np.uint32(0x40000000).view('float32'),); assert_correctly_rounded(f(*args), 'sqrt', args)

The worst results come first; ``f`` in the last line is your function.

Errors and limits
-----------------
``ulp_error`` is an array of errors in ulp before rounding; ``clmath.limit`` gives the specification's limit:

>>> from clmath.testing import ulp_error
>>> ulp_error(np.sqrt(x), "sqrt", (x,)).round(3)
array([-0.203,  0.   ,  0.   ])
>>> print(clmath.limit("exp", "float"))
3 ulp (OpenCL C++ 1.0, 4.4, table 35)

Strategies
----------
``clmath.testing.strategies`` generates inputs at which code fails, for your own tests: ``halfs floats doubles numbers
integers vectors arrays``, the ``arguments`` of a built-in of any chapter, arguments ``near_boundary``, where a result
is hard to round, and the known ``hard`` ones, operands of ``conversions``, ``reads`` of images (each a ``Read``),
``copies`` (each a ``Copy``), formats and values that can be ``printed``, ``rounding_modes``, and ``for_function`` the
arguments of a function with a reference. Each has an example in its help.

>>> from hypothesis import given
>>> from clmath.testing import strategies as cl
>>> @given(cl.floats(min_value=0), cl.rounding_modes())
... def test_root(x, mode):
...     assert_correctly_rounded(clmath.sqrt(x, rounding=mode), "sqrt", (x,), rounding=mode)
>>> @given(cl.arguments("hypot", "float"))
... def test_hypot(args):
...     assert_ulp(clmath.hypot(*args), "hypot", args, limit=0.5)
>>> @given(cl.near_boundary("exp", "double") | cl.hard("exp", "double"))
... def test_exp_where_it_is_hard(args):
...     assert_correctly_rounded(clmath.exp(*args), "exp", args)
>>> @given(cl.conversions("double", "half", shape=100), cl.integers("char"), cl.vectors("float", 4))
... def test_bits(x, k, p):
...     assert_conforms(clmath.convert_half(x), "convert_half", (x,))
...     assert_conforms(clmath.popcount(k), "popcount", (k,))
...     assert_conforms(clmath.length(p), "length", (p,))
>>> test_root(), test_hypot(), test_exp_where_it_is_hard(), test_bits()
(None, None, None, None)

Fixtures
--------
Where clmath is installed, pytest has them. ``ulp`` measures, fails above a ``limit``, and prints the worst error of
each test in a table at the end of the run:

>>> def test_exp(ulp):
...     x = np.linspace(0, 10, 1000)
...     errors = ulp(np.exp(x), "exp", (x,), limit=3)
...     assert np.abs(errors).mean() < 1

``conformance`` makes a test for each built-in and type that ``--clmath-functions=sqrt,exp --clmath-types=float``, or
``clmath_functions`` and ``clmath_types`` in the ini file, name; all of the math chapter if they name none:

>>> def test_library(conformance):
...     conformance(getattr(clmath, conformance.name))

``opencl_device`` is the first OpenCL device that works, a ``pyopencl.Device``; where none does, the test is skipped:

>>> def test_device(opencl_device):
...     assert opencl_device.max_compute_units > 0

``clmath_rng`` is a generator of NumPy whose seed is printed; ``--clmath-seed=N`` repeats the run:

>>> def test_random(clmath_rng):
...     x = clmath_rng.uniform(0, 100, 1000)
...     assert_conforms(np.sqrt(x), "sqrt", (x,))
"""

from clmath.functions.accuracy import ulp_error
from clmath.testing import strategies
from clmath.testing.assertions import assert_conforms, assert_correctly_rounded, assert_ulp
from clmath.testing.conformance import conformance_test

__all__ = ["assert_conforms", "assert_correctly_rounded", "assert_ulp", "conformance_test", "strategies", "ulp_error"]


def __dir__() -> list[str]:
    return sorted([*(name for name in globals() if name.startswith("__")), *__all__])
