"""Faults in fast kernels: "kernels, part of the proof: fault"; without a part any of them may notice.

A number next to a fault says where it shows: a float is an argument, an integer an entry of a table.
"""

from __future__ import annotations

import math

from clmath.kernels.fast import error_function, exponential, gamma, hyperbolic, logarithm, trigonometric
from clmath.kernels.fast import inverse_trigonometric as arcs
from clmath.kernels.fast import power as powers
from tests.proofs.faults import (
    compared,
    constant,
    divided,
    entry,
    integer,
    named_left_out,
    negated,
    operand_left_out,
    product_left_out,
    raised,
    without,
    without_operation,
    without_take,
)

ROW = 160  # of floats from 2^33 to 2^34
SINE, OVER, UNDER = trigonometric.HALF_TURN_TAIL, trigonometric.TANGENT_OVER, trigonometric.TANGENT_UNDER


def in_row(change):
    """A fault that shows at arguments whose exponent selects the table's row ROW."""
    return change, 1.5 * 2.0 ** (ROW + 896 - 1023)


def error_of_product(traced):
    """A fault: the result of the last product's fma is replaced by 0."""
    fused = [n for n, s in enumerate(traced.program.statements, len(traced.program.inputs)) if s.operation == "fma"]
    return without(max(n for n in fused if n < traced.program.names["p_lo"].number))(traced)


SINES = {
    "sin sinpi, value: first coefficient of the sine": raised(SINE[0], 46),
    "sin, value: pi/2": raised(trigonometric.HALF_PI, 50),
    "sin, value, ordinary: last coefficient of the sine": raised(SINE[-1], 3),
    "sin, reduction: first word": in_row(entry(trigonometric.TWO_OVER_PI_HI, ROW)),
    "sin, reduction: no third word": without_take(trigonometric.TWO_OVER_PI_LO),
    "sin, reduction: exponent": integer(2069, 2068),
    "sin, reduction: row": integer(896, 897),
    "sin, reduction, ordinary: first piece": constant(trigonometric.PI_1, math.nextafter(trigonometric.PI_1, 4.0)),
    "sin, reduction, ordinary: half turns per radian": raised(trigonometric.HALF_TURNS_PER_RADIAN, 20),
    "cos, value: second coefficient of the sine": raised(SINE[1], 43),
    "cos, reduction: second word": in_row(entry(trigonometric.TWO_OVER_PI_MID, ROW)),
    "cos, reduction, ordinary: second piece": constant(trigonometric.PI_2, math.nextafter(trigonometric.PI_2, 4.0)),
    "tan, value: coefficient of the dividend": raised(OVER[1], 45),
    "tan, value: last coefficient of the dividend": raised(OVER[-1], 30),
    "tan, value, ordinary: coefficient of the divisor": raised(UNDER[1], 44),
    "tan, value, ordinary; tanpi, value: last coefficient of the divisor": raised(UNDER[-1], 35),
    "tan, reduction: third word": in_row(entry(trigonometric.TWO_OVER_PI_LO, ROW, 2**20)),
    "tan, reduction, ordinary: third piece": raised(trigonometric.PI_3, 30),
    "sincos, value: coefficient of the sine": raised(trigonometric.SINE_TAIL[0], 46),
    "sincos, value, ordinary: coefficient of the cosine": raised(trigonometric.COSINE_TAIL[1], 36),
    "sincos, reduction: no second word": without_take(trigonometric.TWO_OVER_PI_MID),
    "sincos, reduction, ordinary: no third piece": constant(trigonometric.PI_3, 0.0),
    "sinpi, value: pi": raised(trigonometric.PI_HI, 50),
    "cospi, value: rest of pi": raised(trigonometric.PI_LO, 20),
    "cospi, reduction: half a turn more": constant(0.5, 1.0),
    "tanpi, value: coefficient of the dividend": raised(OVER[1], 44),
    "tanpi, reduction: another step": constant(0.5, 0.25),
}
GROWTH = {
    "exp: coefficient": raised(exponential.EXP_SLOPE[1], 40),
    "exp: last coefficient": raised(exponential.EXP_SLOPE[-1], 4),
    "exp10: reduction": constant(exponential.LOG2_10_LO, 0.0),
    "expm1: first coefficient": (raised(exponential.EXPM1_TAIL[0], 48), 0.2),
    "expm1: last coefficient": (raised(exponential.EXPM1_TAIL[-1], 1), 0.249),
    "sinh: first coefficient": (raised(hyperbolic.SINH_TAIL[0], 48), 0.9),
    "sinh: last coefficient": (raised(hyperbolic.SINH_TAIL[-1], 1), 0.99),
    "cosh: no rest of the logarithm of 2": (constant(exponential.LN2_LO, 0.0), 40.0),
    "cosh: half of a sum": (raised(0.5, 50), 2.0),
    "tanh: second coefficient": (raised(hyperbolic.SINH_TAIL[1], 42), 0.9),
    "tanh: 2": (raised(2.0, 46), 2.0),
    "erf: coefficient of a piece": (entry(error_function.ERF_OVER_X[1], 32, 1 << 20), 0.5),
    "erf: head of a piece": (entry(error_function.ERF_OVER_X[0], 32, 1 << 2), 0.5),
    "erfc: coefficient of a piece": (entry(error_function.SCALED_ERFC[1], 64, 1 << 20), 2.0),
    "erfc: power of two": (entry(exponential.EXP2_HI, 29, 1 << 4), 2.0),
    "exp10, others: greatest power": (constant(10.0, 11.0), 10.5),
    "exp10: comparison": compared("double.eq", "double.ne"),
    "exp10 cbrt: returned although it is exact": negated(-2),
}
LOGARITHMS = {
    "log, sum: k LN2_LO left out": constant(logarithm.LN2_LO, 0.0),
    "log, sum: entry of LOG_HI": (entry(logarithm.LOG_HI, 100), 100),
    # one ulp is two thirds of the bound there: a proof that halves cells for minutes
    "log, sum: entry of RECIPROCAL": (entry(logarithm.RECIPROCAL, 100, 16), 100),
    "log, places: carry": integer(logarithm.SQRT2_PLACE, logarithm.SQRT2_PLACE + 1),
    "log, places; pow: bias": integer(1023, 1022),
    "log2, sum: r LOG2_E_LO left out": constant(logarithm.LOG2_E_LO, 0.0),
    "log10, sum: r LOG10_E_LO left out": constant(logarithm.LOG10_E_LO, 0.0),
    "log1p asinh, sum: rest of the sum": named_left_out("left"),
    "log1p, places: 2^-q": integer(0x7FE0000000000000, 0x7FF0000000000000),
    "log10, logarithms: entry of the table": (entry(logarithm.POWERS_OF_TEN, 5, -1), 5.0),
    "log10: comparison": compared("double.eq", "double.le"),
    "log10: greatest power": constant(11.0, 12.0),
    **{f"asinh, sum: coefficient {i}": raised(logarithm.LOG1P_TAIL[i], bits) for i, bits in enumerate((26, 18, 10, 2))},
    "asinh, sum; asinh, near: square left out": constant(0.5, 0.0),
    "asinh, sum: LN2_HI": raised(logarithm.LN2_HI, 46),
    "asinh, sum: bits cleared": integer(-0x1000000, -0x100),
    "asinh, entries: entry of LOG_HI": (entry(logarithm.LOG_HI, 53), 53),
    "asinh, entries: entry of RECIPROCAL": (entry(logarithm.RECIPROCAL, 53, -1), 53),
    "asinh, near: coefficient": raised(logarithm.LOG1P_TAIL[0], 26),
    "asinh cbrt, places: mask of the place": integer(127, 63),
    "asinh, places: shift of the exponent": integer(52, 51),
    "asinh, inside: 1 + z": constant(1.0, 1.0 + 2.0**-40),
    "acosh, inside: t + 2": constant(2.0, 2.0 + 2.0**-30),
    "atanh, inside: half": constant(0.5, 0.5 + 2.0**-50),
}
ANGLES = {
    "asin: first coefficient": (raised(arcs.ATAN_TAIL[0], 25), 0.6),
    "asinpi: 1/pi": (raised(arcs.ONE_OVER_PI_HI, 50), 0.3),
    "acos: pi/2": (raised(arcs.HALF_PI_HI, 50), 0.3),
    "acos: angle one place up": (entry(arcs.ATAN_HI, 31, 1 << 2), 0.9),
    "acospi: no rest of 1/pi": (constant(arcs.ONE_OVER_PI_LO, 0.0), 0.3),
    "atan: step between angles": (raised(0.015625, 50), 0.5),
    "atan: no rest of pi/2": (constant(arcs.HALF_PI_LO, 2.0**-50), 20.0),
    "atanpi: second coefficient": (raised(arcs.ATAN_TAIL[1], 10), 0.24),
    "atan2, angles: first coefficient": (raised(arcs.ATAN_TAIL[0], 32), (1, 32)),
    "atan2, angles: tail left out": without(62),
    "atan2, angles: half a turn": raised(arcs.HALF_PI_HI, 48),
    "atan2, entries: entry of ATAN_HI": (entry(arcs.ATAN_HI, 37), 37),
    "atan2, places: step": constant(0.015625, 0.015625 * (1 + 2.0**-52)),
    "atan2, places: steps": constant(64.0, 63.0),
    "atan2, quotients: c": constant(0.015625, 0.015625 * (1 + 2.0**-30)),
    "atan2pi, angles: 1/pi": raised(arcs.ONE_OVER_PI_HI, 48),
    "atan2pi, angles: rest of the product left out": constant(arcs.ONE_OVER_PI, 0.0),
    "atan2pi, places: steps": constant(64.0, 65.0),
    "atan2, quotients: first product left out": operand_left_out("less", 1),
    "atan2, quotients: second product left out": operand_left_out("more", 1),
}
ROOTS = {
    "rsqrt: 1": (raised(1.0, 50), 3.0),
    **{f"cbrt, root: coefficient {i}": raised(powers.CBRT_TAIL[i], n) for i, n in enumerate((40, 31, 23, 16, 9, 1))},
    "cbrt, root: bias of the power": integer(1023, 1024),
    "cbrt, root: rows": integer(128, 127),
    "cbrt, entries: entry of CBRT_HI": (entry(powers.CBRT_HI, 37), 37),
    "cbrt, entries: entry of CBRT_LO": (entry(powers.CBRT_LO, 37, -8), 37),
    "cbrt, exponents: thirds": integer(3, 2),
    "cbrt, exponents: a third": constant(1.0 / 3.0, 0.34),
    "cbrt, exponents: rounding to nearest": constant(1.0, 0.0),
    "cbrt pow, places: shift of the place": integer(45, 46),
    "hypot, squares: first square left out": without_operation("double.mul", 0),
    "hypot, squares: second square left out": without_operation("double.mul", 1),
    "cbrt: bits": constant(2.0**36, 2.0**34),
    "cbrt: comparison": compared("double.eq", "double.ge"),
    "hypot: comparison": compared("double.le", "double.ge"),
    "hypot: side": constant(2.0**-50, 0.0),
    "hypot rootn: bits": constant(2.0**27 + 1.0, 2.0**20 + 1.0),
}
POWERS = {
    **{
        f"pow, logarithm: coefficient {i}": raised(logarithm.LOG1P_TAIL[i], bits)
        for i, bits in enumerate((46, 38, 30, 22, 14, 6, 0))
    },
    "pow, logarithm: r^2/2": raised(-0.5, 46),
    "pow, logarithm: LOG2_E_LO left out": constant(powers.LOG2_E_LO, 0.0),
    "pow, logarithm: entry of RECIPROCAL": (entry(logarithm.RECIPROCAL, 100), 100),
    "pow, logarithm: entry of LOG2_HI": (entry(logarithm.LOG2_HI, 30, -1), 30),
    "pow, product: lo y left out": product_left_out("l_lo"),
    "pow, product; rootn, quotient: error of y hi left out": error_of_product,
    "pow, reduction: p_lo left out": named_left_out("p_lo"),
    "pow, reduction: ln 2": raised(exponential.LN2, 49),
    "pow, reduction: step": constant(0.0078125, 0.0078125 + 2.0**-59),
    "pow, power: coefficient of the exponential": raised(exponential.EXP_TAIL[0], 33),
    "pow, power: entry of EXP2_HI": (entry(exponential.EXP2_HI, 1), 1),
    "pow, places: mask of m": integer(powers.FRACTION, powers.FRACTION >> 1),
    "rootn, quotient: lo left out": named_left_out("l_lo"),
    "pow: bits of roots": integer(0x7FFFFFF, 0x3FFFFFF),
    "pow: largest number with a fraction": constant(2.0**51, 2.0**20),
    "rootn, powers: comparison of integers": compared("double.eq", "double.ge", -1),
}
GAMMA = {
    "tgamma, arguments: constant term of a piece": (entry(gamma.GAMMA[0], 2, 40), 1.3),
    "tgamma, arguments: linear term of a piece": (entry(gamma.GAMMA[1], 2, 2**20), 1.3),
    "tgamma, arguments: pi": (raised(gamma.PI, 48), -2.6),
    "tgamma, arguments: width of pieces": (constant(0.125, 0.125 + 2.0**-45), 0.3),
    "lgamma, arguments: constant term of a piece": (entry(gamma.LOG_GAMMA[0], 10, 40), 1.3),
    "lgamma, arguments: second term of a piece": (entry(gamma.LOG_GAMMA[2], 10, 2**36), 1.3),
    "lgamma, arguments: Stirling's constant": (raised(gamma.STIRLING_CONSTANT, 44), 21.7),
    "lgamma, arguments: Stirling's series": (raised(gamma.STIRLING_TAIL[0], 38), 9.5),
    "lgamma, mirrored: log pi": (raised(gamma.LOG_PI, 46), 0.1),
    "lgamma, mirrored: bound": (divided(gamma.LGAMMA_BOUND, 2), 20.0),
    "lgamma, sum of floats: series of the logarithm": (raised(logarithm.LOG1P_TAIL[0], 24), 1.3),
    "lgamma, sum of doubles: k LN2_LO left out": (constant(logarithm.LN2_LO, 0.0), 1.3),
    "lgamma, reduction: 1": constant(1.0, 1.0 + 2.0**-20),
    "lgamma, reduction: 2^24": constant(-16777216.0, -4194304.0),
}
FAULTS = SINES | GROWTH | LOGARITHMS | ANGLES | ROOTS | POWERS | GAMMA
