"""Results equal MPFR's own: in contexts with the format's precision and exponents, and of erfc to more bits."""

import math

import gmpy2
import numpy as np
import pytest

from clmath.numbers.formats import DOUBLE, FORMATS
from clmath.numbers.rounding import MODES, canonical
from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation
from tests.builtins import Case, Expected, assert_bits, inputs
from tests.cases import for_each

DIRECT = "acos acosh add asin asinh atan atan2 atanh cbrt cos cosh div erf erfc exp exp10 exp2 expm1 fma fmod hypot log"
DIRECT += " log10 log1p log2 mul pow remainder sin sinh sqrt sub tan tanh tgamma lgamma"
ROUND = dict(rte=gmpy2.RoundToNearest, rtz=gmpy2.RoundToZero, rtp=gmpy2.RoundUp, rtn=gmpy2.RoundDown)
METHOD = {"tgamma": "gamma"}


def _in_the_format(name, form, mode, args):
    """Return results rounded by MPFR to a format; its exponents (0.1f x 2^e) are one more than IEEE's."""
    context = gmpy2.context(
        precision=form.precision,
        emax=form.emax + 1,
        emin=form.quantum + 1,
        subnormalize=True,
        round=ROUND[mode],
    )
    function = getattr(context, METHOD.get(name, name))
    with np.errstate(all="ignore"), gmpy2.context(gmpy2.context()):
        rows = zip(*(a.astype(np.float64).tolist() for a in args), strict=True)
        values = [function(*(gmpy2.mpfr(x, 53) for x in row)) for row in rows]
        return np.array([float(v[0] if isinstance(v, tuple) else v) for v in values]).astype(form.dtype)


@pytest.mark.slow
@for_each("form", FORMATS)
@for_each("name", DIRECT.split())
def test_rounded_enclosures_equal_mpfr_in_the_format(name, form):
    case = Case(name, form)
    given, kinds = inputs(case)
    args = [a[np.linspace(0, kinds.size - 1, 250).astype(int)] for a in given]
    known = Expected(case, args)
    for mode in MODES:
        want = _in_the_format(name, form, mode, args)
        canonical(want, form)
        assert_bits(known.once(mode), [want], case, mode, args)


@for_each("bits", (24, 53, 104, 256))
def test_erfc_by_its_continued_fraction_equals_erfc_of_mpfr(bits):
    on = Arithmetic(DOUBLE, bits)
    for x in [*np.linspace(3.4, 18.1, 60).tolist(), math.nextafter(3.5, 4.0), math.nextafter(18.0, 4.0)]:
        found, due = operation("erfc", on)(x), on.target.erfc(x)
        assert (found, found.rc != 0) == (due, due.rc != 0), x
