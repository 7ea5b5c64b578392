"""Kernels: functions that bound the exact value of a built-in, by phase and by family.

A kernel takes float64 arrays and returns bounds of the exact value, the parts of ``rounding.Enclosure``; a phase omits
parts that it does not need. NaN and infinities are exact results. Kernels know no format and no mode.

**fast**: for the narrow formats, whose numbers are widened. A fast kernel returns ``(value, err)``: the exact value
lies in ``value ± err``. ``err = 0`` means that ``value`` rounds to half and to float in every mode as the exact value
does: it is exact, or neither a number of these formats nor a midpoint lies between them. It is then within 3/8 of a
float's last place of the exact value, unless both are beyond every float. An error bound covers the rounding of ``value
± err`` to double: every kernel's bound is at least 2^-52 |value| and, except for wide kernels, at most 2^-44 |value|;
the bound of NaN is 0 or NaN.

**accurate**: for double. An accurate kernel returns ``(hi, lo, err, exponent)``: the exact value lies in (hi + lo ±
err) 2^exponent. ``hi`` is hi + lo rounded to nearest, and 2^-500 to 2^500 in size; err is below 2^-64 |hi|, at the
latest when it is refined (see below). ``err = 0`` means that hi + lo rounds to double in every mode as the exact value
does, and lies within 2^-60 of it, relatively, unless both are at least 2^1026, or at most 2^-1080, in size. Zeros,
infinities and NaN are in ``hi`` with ``lo = err = 0``. ``exponent`` is an int64 array, or the int 0 if a kernel needs
none.

A kernel that computes several results together returns the parts of one result after another; each result also has a
kernel of its own.

If finding the exact results, or a tighter bound, doubles the cost, a kernel leaves that to a second function
(``@refines``), which only chunks with an element close to a boundary need: it takes the arguments and the parts of one
result, and returns the parts.

For the few elements that an accurate kernel leaves undecided, a third function (``@narrows``, below the kernel) takes
the arguments and the parts of one result, exact results found. It computes in pairs throughout, and returns parts that
are usually 2^-102 to 2^-84 |hi| wide, and never wider than the given ones. No enclosure decides results that are exact,
or half-way between two doubles: if an accurate kernel does not find these, the reference does. Enclosures of cbrt,
rsqrt and hypot are not narrowed: they are 2^-82 and 2^-98 wide.

Some built-ins that the host evaluates without a kernel have kernels for devices, and for the compiled loop of an audit
(``for_devices``): kernels of arithmetic in the two phases, and functions that return exact values, from which engines
make enclosures.

If most arguments are ordinary and allow a cheaper method, there is a second kernel for these (``@ordinary``), which
engines use for chunks whose elements are all ordinary. ``far_tgamma`` is for arguments so small or large that almost
nothing remains to compute, as for most random encodings: compiled kernels use it for these elements of a block if they
are at least half of it, and the general kernel for the rest.
"""

from clmath.kernels.constants import coefficients, pairs, pieces, table
from clmath.kernels.integer_parts import INTEGER_PARTS, gamma_sign
from clmath.kernels.phases import ACCURATE, FAST, FORMS, PHASES, Kernel, Phase

__all__ = [
    "ACCURATE",
    "FAST",
    "FORMS",
    "INTEGER_PARTS",
    "PHASES",
    "Kernel",
    "Phase",
    "coefficients",
    "gamma_sign",
    "pairs",
    "pieces",
    "table",
]
