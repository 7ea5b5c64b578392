"""Kernels: functions that bound the exact value of a built-in, by phase and by family.

A kernel takes float64 lanes and returns bounds of the exact value, parts of ``rounding.Enclosure``; parts that a phase
has no use for are absent. NaN and infinities are exact results. Kernels know no format and no mode.

**fast**: for the narrow formats, whose numbers are widened. A fast kernel returns ``(value, err)``: the exact value
lies in ``value ± err``. ``err = 0`` says that ``value`` rounds to half and to float in every mode as the exact value
does: it is exact, or no half or float, and no midpoint of two, lies between them. It is then within 3/8 of a float's
last place of the exact value, unless both are beyond every float.
An error bound covers the rounding of ``value ± err`` to double: every kernel's bound is at least 2^-52 |value| and,
but for wide kernels, at most 2^-44 |value|; that of NaN is 0 or NaN.

**accurate**: for double. An accurate kernel returns ``(hi, lo, err, exponent)``: the exact value lies in
(hi + lo ± err) 2^exponent. ``hi`` is hi + lo rounded to nearest, and 2^-500 to 2^500 in size; err is below 2^-64 |hi|,
at the latest when it is refined (see below). ``err = 0`` says that hi + lo rounds to double in every mode like the
exact value does, and lies within 2^-60 of it, relatively, or is at least 2^1026, or at most 2^-1080, in size where that
is. Zeros, infinities and NaN stand in ``hi`` with ``lo = err = 0``. ``exponent`` is int64 lanes, or the int 0 where a
kernel needs none.

A kernel that computes several results together returns the parts of one after those of the other; there are kernels
for each of them too.

Where finding the exact results, or a tighter bound, costs as much as the rest, a kernel leaves that to a second
function (``@refines``), which only chunks with a lane close to a boundary need: it takes the arguments and the parts of
one result, and returns the parts.

**narrowing**: between the accurate kernels and the reference. A narrowing kernel takes the arguments and the parts of
one result of the accurate kernel, exact results found, of the few lanes that this leaves undecided, and returns the
parts: 2^-102 to 2^-84 |hi| wide as a rule, as they were given where it knows no better, never wider. No enclosure
decides what is exact, or half-way between two doubles: where an accurate kernel does not find that, the reference
does. cbrt, rsqrt and hypot have none: their own enclosures are 2^-82 and 2^-98 wide.

Built-ins that the host evaluates without a kernel have some for devices, and for the compiled loop of an audit
(``for_devices``): kernels of the two phases in arithmetic, and functions that give exact values themselves, of which
engines make enclosures.

Where most arguments are ordinary and allow a cheaper way, there is a second kernel for these (``@ordinary``), which
engines take for chunks all of whose lanes are ordinary. ``far_tgamma``, likewise, is for arguments so small or large
that next to nothing is left to compute, as are most random encodings: compiled kernels take it for those lanes of a
block where they are half of it or more, and the general way for the rest.
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
