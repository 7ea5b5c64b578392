"""Errors of enclosures of few elements by MPFR, with more bits than two doubles of the reference hold together."""

import gmpy2

from clmath.numbers.formats import DOUBLE
from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation
from clmath.spec.builtins import builtin

BITS = 170  # bounds of 2^-105 are judged: two doubles of the reference hold 104


def shares(name, args, parts, elements):
    """The error of each element relative to its bound."""
    ints = [p.type == "intn" for p in builtin(name).inputs]
    exact = operation(name, Arithmetic(DOUBLE, BITS))
    with gmpy2.context(precision=BITS, emax=1 << 20, emin=-(1 << 20)):
        for i in elements:
            value = exact(*(int(a[i]) if is_int else float(a[i]) for a, is_int in zip(args, ints, strict=True)))
            hi, lo, err, exponent = (part[i].item() for part in parts)
            yield float(abs(gmpy2.mpfr(hi) + lo - gmpy2.mul_2exp(value, 1000 - exponent) / 2**1000) / err)
