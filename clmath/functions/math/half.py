"""The half_* forms: float only, with the values of the precise built-ins.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from clmath.functions.math.comparison import fdim
from clmath.functions.math.exponential import exp, exp2, exp10
from clmath.functions.math.forms import Form
from clmath.functions.math.logarithmic import log, log2, log10
from clmath.functions.math.operators import div, recip
from clmath.functions.math.power import powr, rsqrt, sqrt
from clmath.functions.math.trigonometric import cos, sin, tan

__all__ = [
    "half_cos",
    "half_divide",
    "half_exp",
    "half_exp2",
    "half_exp10",
    "half_log",
    "half_log2",
    "half_log10",
    "half_powr",
    "half_recip",
    "half_rsqrt",
    "half_sin",
    "half_sqrt",
    "half_tan",
]

_FORM = Form("half", __name__, "of at least 10 bits", "3.19.10; limit 8192 ulp")
_NEAR = "A device need only serve |x| <= 2^16."

half_cos = _FORM.of_one(cos, 'np.float32(0.5), rounding="rtn"', "0x1.c152800000000p-1", _NEAR)
half_exp = _FORM.of_one(exp, 'np.float32(0.5), rounding="rtz"', "0x1.a612980000000p+0")
half_exp2 = _FORM.of_one(exp2, 'np.float32(0.5), rounding="rtp"', "0x1.6a09e80000000p+0")
half_exp10 = _FORM.of_one(exp10, 'np.float32(0.5), rounding="rtn"', "0x1.94c5820000000p+1")
half_log = _FORM.of_one(log, "np.float32(10.0)", "0x1.26bb1c0000000p+1")
half_log2 = _FORM.of_one(log2, 'np.float32(10.0), rounding="rtz"', "0x1.a934f00000000p+1")
half_log10 = _FORM.of_one(log10, 'np.float32(2.0), rounding="rtp"', "0x1.3441360000000p-2")
half_powr = _FORM.of_two(powr, 'np.float32(2.0), np.float32(0.5), rounding="rtn"', "0x1.6a09e60000000p+0")
half_recip = _FORM.of_one(recip, "np.float32(3.0)", "0x1.5555560000000p-2")
half_rsqrt = _FORM.of_one(rsqrt, 'np.float32(2.0), rounding="rtz"', "0x1.6a09e60000000p-1")
half_sin = _FORM.of_one(sin, 'np.float32(0.5), rounding="rtp"', "0x1.eaee880000000p-2", _NEAR)
half_sqrt = _FORM.of_one(sqrt, 'np.float32(2.0), rounding="rtn"', "0x1.6a09e60000000p+0")
half_tan = _FORM.of_one(tan, "np.float32(0.5)", "0x1.17b4f60000000p-1", _NEAR)
half_divide = _FORM.of_quotient(fdim, div, "np.float32(1.0), np.float32(3.0)", "0x1.5555560000000p-2")
