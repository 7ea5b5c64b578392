"""Faults in double kernels: "kernel, part of the proof: fault"; without a part any of them may notice.

A number beside a fault says where it shows: a float is an argument, an integer an entry of a table.
"""

from __future__ import annotations

import math

from clmath.ir.lanes import SPLITTER, clamp, greater, lesser
from clmath.ir.program import Value
from clmath.kernels.double import (
    angles,
    boundaries,
    error_function,
    exponential,
    gamma,
    hyperbolic,
    inverse_hyperbolic,
    log_gamma,
    logarithm,
    power,
    roots,
    trigonometric,
)
from clmath.kernels.double import inverse_trigonometric as arcs
from clmath.kernels.double.inverse_trigonometric import near_slope, total
from tests.proofs.faults import (
    ZERO,
    Of,
    compared,
    constant,
    entry,
    integer,
    left_out,
    named,
    named_left_out,
    negated,
    one_side,
    operands_replaced,
    raised,
    without,
)

STEP, ROW = 77, 300
BESIDE_STEP = STEP, 512 - STEP, 512 + STEP  # counts of steps that take that entry
FRACTION = (1 << 52) - 1
SINE, COSINE = trigonometric.SINE_TAIL, trigonometric.COSINE_TAIL


def rest_of_divisor(x):
    """D_lo of atan."""
    slope = clamp(abs(x), arcs.LINEAR, arcs.FAR)
    a, b = lesser(slope, 1.0), greater(slope, 1.0)
    c, _ = near_slope(a, b)
    _, d_lo = total(a, b, c)
    return (d_lo,)


def rest_of_divisor_left_out(traced):
    """A fault of atan: d_lo counts as 0."""
    return without(traced.places(rest_of_divisor, "double")[0])(traced)


def first_residual(family):
    """The square of the head, which the first of the sums that are a square root's residual is taken from."""
    head = family.heads[1]
    return next(
        number
        for number, s in enumerate(family.traced.program.statements, len(family.traced.program.inputs))
        if s.operation == "double.mul" and {o.number for o in s.operands if isinstance(o, Value)} == {head}
    )


def low_times_y(parts):
    """A fault: lo y of a power counts as 0."""
    traced, lo = parts["power"].traced, Value(named("l_lo")(parts["power"]))
    (found,) = [
        number
        for number, s in enumerate(traced.program.statements, len(traced.program.inputs))
        if lo in s.operands and s.operation == "double.mul"
    ]
    return without(found)


def dividend_of_rest(parts):
    """A fault of rootn: what is left of hi in the last division's dividend counts as 0."""
    part = parts["quotient"]
    left, _ = part.traced.program.statements[named("left")(part) - 2].operands
    return without(left.number)


def product_left_out(index):
    """A fault of rsqrt: one of the products that are subtracted counts as 0."""
    return Of(lambda parts: operands_replaced(Value(parts["value"].places.products[index]), ZERO))


def at_name(name, part):
    """A fault of roots: the value of that name counts as 0."""
    return left_out(lambda family: family.at[name], part)


TURNS = {
    "sinpi, value: first coefficient of the sine": raised(SINE[0], 45),
    "sinpi, value: first coefficient of the cosine": raised(COSINE[0], 48),
    "sinpi, value: head of an entry": (entry(trigonometric.SINE_HI, STEP), STEP),
    "sinpi, value: mask of the entry": integer(1023, 511),
    "sinpi, value: place of the sign": integer(53, 54),
    "cospi, value: second coefficient of the sine": raised(SINE[1], 24),
    "cospi, value: tail of an entry": (entry(trigonometric.SINE_LO, STEP, 2**25), BESIDE_STEP),
    "cospi, value: a quarter turn": integer(512, 511),
    "tanpi, value: second coefficient of the cosine": raised(COSINE[1], 24),
    "tanpi, value: rest of pi/1024": constant(angles.STEP_REST, 0.0),
    "sinpi, reduction: steps in a turn": constant(1024.0, 512.0),
    "cospi, reduction: whole turns": constant(0.5, 0.25),
    "cospi, reduction: a quarter turn ahead": integer(512, 511),
    "tanpi, reduction, ordinary: steps": constant(1024.0, 1025.0),
    "sinpi, tiny: pi/1024": constant(angles.STEP_REST, 0.0),
    "sinpi, tiny: scale": integer(-600, -599),
    "tanpi, tiny: bound": constant(trigonometric.TINY_BOUND, trigonometric.TINY_BOUND / 4.0),
    "sin, value: first coefficient of the sine": raised(SINE[0], 45),
    "sin, value: head of an entry": (entry(trigonometric.SINE_HI, STEP), STEP),
    "sin, value: a quarter turn": integer(512, 511),
    "sincos, value: first coefficient of the cosine": raised(COSINE[0], 48),
    "sincos, value: mask of the entry": integer(1023, 511),
    "tan, value: second coefficient of the cosine": raised(COSINE[1], 24),
    "cos, value: tail of an entry": (entry(trigonometric.SINE_LO, STEP, 2**25), BESIDE_STEP),
    "cos, reduction: a quarter turn ahead": integer(512, 511),
    "sin, significand: place of the exponent": integer(52, 51),
    "tan, significand: bits": integer(angles.SIGN | angles.FRACTION, angles.FRACTION),
    "sin, significand: row": integer(angles.INTEGER_EXPONENT + angles.FIRST_WORD, 990),
    "sin, reduction: word": (entry(angles.WORDS, ROW), angles.FIRST_WORD + 52 + ROW),
    "sin, reduction: whole turns": constant(angles.TWO_TURNS, angles.TWO_TURNS / 8.0),
    "sin, angle: pi/1024": constant(angles.STEP_SHORT, math.nextafter(angles.STEP_SHORT, 1.0)),
    "tan, angle: rest of pi/1024": constant(angles.STEP_REST, 0.0),
    "sin, reduction, ordinary: first piece": constant(angles.STEP_1, math.nextafter(angles.STEP_1, 1.0)),
    "cos, reduction, ordinary: second piece": raised(angles.STEP_2, 40),
    "tan, reduction, ordinary: third piece": raised(angles.STEP_3, 40),
    "sincos, reduction, ordinary: no fourth piece": constant(angles.STEP_4, 0.0),
    "sin, reduction, ordinary: steps per radian": raised(angles.STEPS_PER_RADIAN, 20),
    "sinpi: how near peaks are": constant(2.0**-61, 2.0**-50),
    "sinpi: side of peaks": constant(trigonometric.BELOW, trigonometric.ABOVE),
    "sinpi: bound": one_side(1),
    "sinpi: no bound": compared("double.gt", "double.lt", -1),
    "sin, not close: close": constant(trigonometric.CLOSE, 2.0**-20),
    "sin, close: a sixth": raised(1.0 / 6.0, 8),
    "sin, close: bound": constant(trigonometric.BOUND, trigonometric.BOUND / 512.0),
    "sin: how near peaks are": constant(2.0**-61, 2.0**-50),
    "tan, close: a third": raised(1.0 / 3.0, 8),
    "tan, not close: close": constant(trigonometric.CLOSE, 2.0**-20),
    "tan, not far: far": constant(1.0 / trigonometric.CLOSE, 2.0**20),
    "tan, close: bound": constant(trigonometric.TANGENT_BOUND, trigonometric.TANGENT_BOUND / 256.0),
}
PLACE = 137
ANGLES = {
    "asin, angles: first coefficient": (raised(arcs.ATAN_TAIL[0], 34), PLACE),
    "asin, angles: entry": (entry(arcs.ANGLE_HI, PLACE), PLACE),
    "asin, angles: head of few bits": (integer(arcs.SHORT, arcs.SHORT << 20), PLACE),
    "asin, nearest: places": constant(arcs.PLACES, arcs.PLACES * 1.05),
    "acos, angles: second coefficient": (raised(arcs.ATAN_TAIL[1], 10), PLACE),
    "acos, angles: tail of an entry": (entry(arcs.ANGLE_LO, arcs.ROW + PLACE, 2**44), PLACE),
    "acos, angles: half of the inverse": (constant(0.5, 0.25), PLACE),
    "asinpi, angles: 1/pi": (constant(arcs.ONE_OVER_PI_LO, 0.0), PLACE),
    "asinpi, angles: entry beyond the diagonal": (entry(arcs.ANGLE_HI, arcs.ROW + PLACE), PLACE),
    "acospi, angles: bound": (constant(arcs.LEAST, arcs.LEAST / 16), PLACE),
    **{f"atan, angles: coefficient {i}": raised(arcs.ATAN_TAIL[i], bits) for i, bits in enumerate((45, 24, 4))},
    "atan, angles: entry": (entry(arcs.ANGLE_HI, PLACE), PLACE),
    "atan, angles: tail of an entry": (entry(arcs.ANGLE_LO, PLACE, 2**36), PLACE),
    "atan, angles: head of few bits": integer(arcs.SHORT, arcs.SHORT << 20),
    "atan, angles: rest of the divisor left out": rest_of_divisor_left_out,
    "atan: sign": integer(arcs.SIGN, 0),
    "atan: places": constant(arcs.PLACES, arcs.PLACES * 1.05),
    "atanpi, angles: growth of the bound": constant(arcs.GROWTH, arcs.GROWTH / 8),
    "atanpi, angles: bound": constant(arcs.LEAST, arcs.LEAST / 16),
    "atanpi, angles: entry beyond 1": (entry(arcs.ANGLE_HI, arcs.ROW + PLACE), PLACE),
    "atanpi, angles: 1/pi": constant(arcs.ONE_OVER_PI_LO, 0.0),
    "atanpi, angles: 1/pi of the rest": raised(arcs.ONE_OVER_PI, 20),
    "atan2, angles: first coefficient": (raised(arcs.ATAN_TAIL[0], 34), PLACE),
    "atan2, angles: entry": (entry(arcs.ANGLE_HI, PLACE), PLACE),
    "atan2, angles: tail of an entry beyond pi": (entry(arcs.ANGLE_LO, 2 * arcs.ROW + PLACE, 2**48), PLACE),
    "atan2, angles: rows of other octants": (integer(arcs.ROW, arcs.ROW - 1), PLACE),
    "atan2, quotients: rest of d left out": left_out(lambda family: family.d[1], "angles"),
    "atan2, differences: a step of the table": constant(1.0 / 256.0, 1.0 / 256.0 + 2.0**-60),
    "atan2, nearest: places": constant(arcs.PLACES, arcs.PLACES * 1.05),
    "atan2, lengths: exponent of subnormal numbers": integer(1022, 1023),
    "atan2, lengths: mask of a significand": integer(arcs.FRACTION, arcs.FRACTION >> 1),
    "atan2pi, angles: bound": (constant(arcs.LEAST, arcs.LEAST / 16), PLACE),
    "atan2pi, angles: 1/pi": (constant(arcs.ONE_OVER_PI_LO, 0.0), PLACE),
    "atan2: slack": constant(arcs.CLOSE, 2.0**-51),
    "atan2: tiny": constant(arcs.TINY, 2.0**-20),
    "atan2: conditions": one_side(-1),
}
ENTRY = 46
GROWTH = {
    "exp, power: coefficient": raised(exponential.EXP_TAIL[0], 50),
    "exp, power: second coefficient": raised(exponential.EXP_TAIL[1], 40),
    "exp, power: entry": (entry(exponential.EXP2_HI, 37), 37),
    "exp, power: entry one ulp down": (entry(exponential.EXP2_HI, 200, -1), 200),
    "exp: reduction without its last term": constant(exponential.LN2_STEP[2], 0.0),
    "exp2: logarithm of 2": raised(exponential.LN2[1], 40),
    "exp10: logarithm of 10": raised(exponential.LN10[1], 40),
    "exp10, others: greatest power": (constant(23.0, 24.0), 23.5),
    "exp10: entry of the powers of ten": entry(exponential.TENS, 22),
    "exp10: second entry": entry(exponential.TENS_LO, 23),
    "exp10: exponent": negated(-1),
    **{
        f"expm1: coefficient {i}": raised(exponential.EXPM1_TAIL[i], bits)
        for i, bits in enumerate((46, 34, 22, 10, -2))
    },
    "expm1: bound near zero": constant(exponential.EXPM1_BOUND, exponential.EXPM1_BOUND / 8),
    "expm1, values: head of an entry": (entry(exponential.EXP2_HI, ENTRY), ENTRY),
    "expm1: tail of an entry": (entry(exponential.EXP2_LO, ENTRY, 2**9), ENTRY),
    "expm1, values: r_lo left out": named_left_out("r_lo"),
    "expm1: reduction without its last term": constant(exponential.LN2_STEP[2], 0.0),
    "expm1: least power of two": integer(100, 99),
    "sinh: coefficient": raised(hyperbolic.SINH_TAIL[0], 44),
    "sinh: coefficient of cosh": raised(hyperbolic.COSH_TAIL[1], 24),
    "sinh: bound of what has r as a factor": constant(hyperbolic.SLOPE, hyperbolic.SLOPE / 4),
    "sinh, values: head of an entry": (entry(exponential.EXP2_HI, ENTRY), ENTRY),
    "sinh: mask of j": integer(255, 127),
    "cosh: coefficient": raised(hyperbolic.COSH_TAIL[0], 48),
    "cosh: reduction": raised(exponential.LN2_STEP[1], 40),
    "cosh: shift of k": integer(8, 9),
    "tanh: bound": constant(hyperbolic.TANH_BOUND, hyperbolic.TANH_BOUND / 8),
    "tanh: widest bound halved": constant(hyperbolic.TANH_WIDEST, hyperbolic.TANH_WIDEST / 2),
    "tanh, pairs: head of an entry": (entry(exponential.EXP2_HI, ENTRY), ENTRY),
    "tanh, quotients: lower part left out": named_left_out("m_lo"),
    "tanh: bias": integer(1023, 1022),
}
ERROR_FUNCTIONS = {
    **{
        f"erf, arguments: coefficient {4 + i}": (entry(error_function.ERF_REST[i], 12, 1 << 20 + 5 * i), 0.75)
        for i in range(4)
    },
    **{f"erf, arguments: head {i}": (entry(error_function.ERF_HI[i], 12), 0.75) for i in range(4)},
    "erf, arguments: tail of a coefficient": (entry(error_function.ERF_LO[0], 12, 1 << 34), 0.75),
    "erf, arguments: step between places": (raised(0.0625, 40), 0.75),
    "erf, arguments: scale of small arguments": (integer(-600, -599), 1e-200),
    "erf, beside: side of 1": constant(-(2.0**-80), 2.0**-80),
    "erfc, beside: side of 2": constant(-(2.0**-80), 2.0**-80),
    **{
        f"erfc, polynomials: coefficient {4 + i}": (entry(error_function.ERFC_REST[i], 70, 1 << 20 + 5 * i), 70)
        for i in range(4)
    },
    **{f"erfc, polynomials: head {i}": (entry(error_function.ERFC_HI[i], 70), 70) for i in range(4)},
    "erfc, polynomials: tail of a coefficient": (entry(error_function.ERFC_LO[0], 70, 1 << 34), 70),
    "erfc, places: half of a place": integer(error_function.BELOW_HALF, error_function.BELOW_HALF + 1),
    "erfc, places: shift of places": integer(47, 46),
    "erfc, square: lower part left out": named_left_out("square_lo"),
    "erfc, square: reduction without its last term": constant(exponential.LN2_STEP[2], 0.0),
    "erfc, square: reduction": raised(exponential.LN2_STEP[1], 40),
    "erfc, power: lower part of the rest left out": named_left_out("rest_lo"),
    "erfc, power: coefficient": raised(exponential.EXPM1_TAIL[0], 44),
    "erfc, power: head of an entry": (entry(exponential.EXP2_HI, 174), 174),
    "erfc, power: tail of an entry": (entry(exponential.EXP2_LO, 174, 1 << 9), 174),
    "erfc, power: mask of j": integer(255, 127),
    "erfc, power: shift of k": integer(8, 9),
    "erfc, products: lower part of R left out": named_left_out("r_lo"),
    "erfc, products: lower part of the power left out": named_left_out("e_lo"),
    "erfc, products: 2": constant(2.0, 2.0 + 2.0**-51),
    "erfc, products: bias": integer(1023, 1022),
    "erfc, products: least power of two": integer(-200, -20),
}
LOGARITHMS = {
    **{
        f"log, sum: coefficient {i}": (raised(logarithm.LOG1P_TAIL[i], bits), (53, 100, 154))
        for i, bits in enumerate((48, 41, 30, 20, 12, 4))
    },
    "log, sum: k LN2_LO left out": constant(logarithm.LN2_LO, 0.0),
    "log, sum: r^2/2 left out": constant(0.5, 0.0),
    "log, sum: entry of LOG_HI": (entry(logarithm.LOG_HI, 100), 100),
    "log, sum: entry of RECIPROCAL": (entry(logarithm.RECIPROCAL, 100), 100),
    "log, sum: bound next to 1": (constant(logarithm.BOUND, logarithm.BOUND * 2.0**-10), 152),
    "log, places: mask of m": integer(logarithm.FRACTION, logarithm.FRACTION >> 1),
    "log, places: mask of j": integer(255, 127),
    "log2, sum: unit": constant(logarithm.LOG2_E[0], math.nextafter(logarithm.LOG2_E[0], 2.0)),
    "log2, places: shift of k": integer(52, 51),
    "log10, sum: unit": constant(logarithm.LOG10_E[1], 0.0),
    "log10, places: start": integer(logarithm.LOWEST, logarithm.LOWEST + 1),
    "log1p, sum: rest of the sum": named_left_out("left"),
    "log1p, near: bound": constant(logarithm.CLOSE_BOUND, logarithm.CLOSE_BOUND / 2.0),
    "log10, logarithms: entry of the powers of ten": (entry(logarithm.POWERS_OF_TEN, 21), 21.0),
    "log10: bound": negated(-1),
    "log1p: bound": constant(2.0**-51, 2.0**-53),
    "log1p: bound of the square": constant(2.0**-104, 2.0**-108),
    "log1p: a third": raised(1.0 / 3.0, 40),
    "log1p: a quarter": constant(0.25, 0.26),
    "log1p: side": negated(-4),
    "log: next to one": constant(logarithm.NEXT_TO_ONE, 2.0**-10),
    "log: half a square": constant(0.5, 0.5 + 2.0**-40),
    "log: told": one_side(-3),
    "asinh, logarithm: coefficient": raised(logarithm.LOG1P_TAIL[0], 40),
    "asinh, logarithm: entry": (entry(logarithm.LOG_HI, 100), 100),
    "asinh, logarithm: reciprocal": (entry(logarithm.RECIPROCAL, 100), 100),
    "asinh, logarithm: k LN2_LO left out": constant(logarithm.LN2_LO, 0.0),
    "asinh, logarithm: rest of y left out": left_out(lambda family: family.m_lo, "sums"),
    "asinh, sums: square of the root's head left out": left_out(first_residual, "sums"),
    "asinh, near zero: bound": constant(inverse_hyperbolic.TAIL_BOUND, inverse_hyperbolic.TAIL_BOUND / 64.0),
    "asinh, near zero: coefficient": raised(inverse_hyperbolic.ASINH_TAIL[0], 40),
    "acosh, sums: 1": constant(1.0, 1.0 + 2.0**-52),
    "acosh, sums: 0.5": constant(0.5, 0.5 - 2.0**-10),
    "acosh, near zero: bound": constant(inverse_hyperbolic.ACOSH_BOUND, inverse_hyperbolic.ACOSH_BOUND / 4.0),
    "acosh, places: bias": integer(1023, 1022),
    "atanh, sums: 1": constant(1.0, 1.0 + 2.0**-52),
    "atanh, near zero: coefficient": raised(inverse_hyperbolic.ATANH_TAIL[0], 44),
    "atanh, places: mask of j": integer(255, 127),
}
ROOTS = {
    "hypot, squares: splitting after 20 bits": constant(SPLITTER, 2.0**33 + 1.0),
    "hypot, squares: twice the product": constant(2.0, 2.0 + 2.0**-51),
    "hypot, root: rest of the sum": at_name("rest", "normalised"),
    "hypot, root: rest of the larger square": at_name("p_lo", "normalised"),
    "hypot, places: mantissa of the larger leg": integer(FRACTION, FRACTION >> 1),
    "hypot, places: bias": integer(1023, 1022),
    "hypot, normalised: scale of subnormal legs": integer(1074 << 52, 1073 << 52),
    "cbrt, root: a third": raised(1.0 / 3.0, 40),
    "cbrt, root: residual": at_name("missed", "normalised"),
    "cbrt, cubes: three times the square": constant(3.0, 3.0 + 2.0**-40),
    "cbrt, missed: the third product": at_name("third", "normalised"),
    "cbrt, near: first coefficient": raised(roots.CBRT_TAIL[0], 26),
    "cbrt, near: second coefficient": raised(roots.CBRT_TAIL[1], 12),
    "cbrt, near: entry of ROOT": (entry(roots.ROOT, 37, 2**20), 37),
    "cbrt, near: entry of RECIPROCAL": (entry(roots.RECIPROCAL, 37, 2**24), 37),
    "cbrt, near: row of the table": integer(7, 6),
    "cbrt, exponents: a third": integer(21846, 21845),
    "cbrt, places: place in the row": integer(45, 44),
    "cbrt, normalised: scale of subnormal numbers": integer(1074 << 52, 1073 << 52),
    "rsqrt, value: half of the square": constant(0.5, 0.25),
    "rsqrt, value: residual of the root left out": left_out(lambda part: part.places.missed[1], "value"),
    "rsqrt, value: residual of the inverse left out": left_out(lambda part: part.places.missed[0], "value"),
    "rsqrt, roots: splitting after 20 bits": constant(SPLITTER, 2.0**33 + 1.0),
    **{f"rsqrt, products: product {i} left out": product_left_out(i) for i in range(7)},
    "rsqrt, products: 1 - s y": constant(1.0, 1.0 + 2.0**-52),
    "rsqrt, places: bias": integer(1023, 1022),
    "rsqrt, places: parity": integer(1, 3),
    "cbrt: beside the boundary": constant(2.0**-80, 2.0**-70),
    "cbrt: square of the series": constant(0.5, 0.25),
    "cbrt: threshold": constant(2.0**-30, 2.0**-34),
    "cbrt, sum: rest of the product left out": named_left_out("rest"),
    "cbrt: close results": compared("double.le", "double.gt", -1),
    "cbrt: outward": compared("bool.eq", "bool.ne"),
    "rsqrt: close results": one_side(-1),
    "rsqrt: side": negated(-4),
    "rsqrt: next power": integer(1 << 51, 1 << 50),
    "hypot: counts": constant(2.0**54, 2.0**53),
    "hypot: sum of squares": compared("long.add", "long.sub"),
    "hypot: rest of a leg": constant(2.0, 1.0),
    "hypot: rest of an exact result": one_side(-3),
    "hypot: slight": integer(roots.SLIGHT, 1023 - 40 << 52),
}
POWERS = {
    "pow, logarithm of the power: coefficient": raised(power.LOG2_TAIL[0], 30),
    "pow: bound of slight exponents": constant(2.0**-77, 2.0**-80),
    "pow: half a square of slight exponents": constant(2.0**-33, 2.0**-36),
    **{f"pow, logarithm: coefficient {i}": raised(power.LOG2_TAIL[i], n) for i, n in enumerate((47, 34, 20, 7))},
    "pow, logarithm: r^2/2": raised(-0.5, 50),
    "pow, logarithm: LOG2_E_LO left out": constant(power.LOG2_E_LO, 0.0),
    "pow, logarithm: entry of COARSE_HI": (entry(power.COARSE_HI, 100), 100),
    "pow, logarithm: entry of COARSE_LO": (entry(power.COARSE_LO, 100, 2**20), 100),
    "pow, beside 1: coefficient": raised(power.LOG2_TAIL[0], 30),
    "pow, beside 1: product": constant(power.LOG2_E_LO, 0.0),
    "pow, far from 1: sum": left_out(named("rest"), "logarithm"),
    "pow, index: place in the second table": constant(8192.0, 8191.0),
    "pow, product: lo y left out": Of(low_times_y),
    "pow, reduction: p_lo left out": left_out(named("p_lo"), "power"),
    "pow, reduction: ln 2": constant(power.LN2_LO, 0.0),
    "pow, reduction: step": constant(0.00390625, 0.00390625 + 2.0**-59),
    "pow, power: growth of the bound": constant(power.BOUND_OF_EXPONENT, power.BOUND_OF_EXPONENT / 2.0),
    "pow, power: growth of the bound by 3 per cent": constant(2.0**-80, 2.0**-80 * 0.97),
    "pow, power: coefficient of the exponential": raised(exponential.EXP_TAIL[0], 49),
    "pow, power: entry of EXP2_HI": (entry(exponential.EXP2_HI, 1), 1),
    "pow, power: entry of EXP2_LO": (entry(exponential.EXP2_LO, 1, 2**30), 1),
    "pow, sign: lo left out": left_out(named("unsigned_lo"), "sign"),
    "pow, places: mask of m": integer(power.MANTISSA, power.MANTISSA >> 1),
    "pow, places: shift of j": integer(45, 46),
    "rootn, quotient: lo left out": left_out(named("l_lo"), "quotient"),
    "rootn, quotient: dividend of the rest": Of(dividend_of_rest),
    "pow: integer root": compared("double.eq", "double.le"),
    "pow: half of the product": constant(0.5, 0.25),
    "pow: farthest exponent": integer(1023 + 66 << 52, 1023 + 5 << 52),
    "pow, powers too long: longest": constant(2.0**54, 2.0**55),
    "pown, powers too long: longest": constant(2.0**54, 2.0**55),
    "pown, other exponents: greatest count": constant(63.0, 2.0**40),
    "pown: slight": constant(boundaries.SLIGHT, 2.0**-20),
    "pown: integer": compared("double.eq", "double.ge", -1),
    "pown: threshold": compared("double.gt", "double.lt", -1),
    "rootn, other exponents: greatest": constant(64.0, 100.0),
    "rootn, powers: comparison": compared("double.eq", "double.ge", -1),
    "rootn: lowest bit": integer(2 * 1023 << 52, 2 * 1022 << 52),
    "rootn: fraction": integer(FRACTION, (1 << 51) - 1),
}
GAMMA = {
    "tgamma, pieces: first term": (entry(log_gamma.C_0, 20), 1.25),
    "tgamma, pieces: second term": (entry(log_gamma.C_1, 20), 1.27),
    "tgamma, pieces: place": (integer(log_gamma.HALF_A_PIECE, 0), 1.31),
    "tgamma, series: 1/12": (constant(log_gamma.TWELFTH_LO, 0.0), 17.0),
    "tgamma, series: constant": (constant(log_gamma.CONSTANT_LO, 0.0), 17.0),
    "tgamma, sines: second term": (constant(log_gamma.SINC_1[1], 0.0), 0.4),
    "tgamma, sines: 1/8": (constant(-0.125, -0.125 * (1.0 + 2.0**-52)), 0.4),
    "tgamma, values: bound of pieces halved": (constant(gamma.ORDINARY_LEAST, gamma.ORDINARY_LEAST / 2), 5.0),
    "tgamma, values: bound of the series halved": (constant(gamma.GAMMA_LEAST, gamma.GAMMA_LEAST / 2), -20.0),
    "tgamma, values: growth of the logarithm": (constant(gamma.GROWTH_OF_LOG, gamma.GROWTH_OF_LOG / 2), -170.0),
    "tgamma, values: where the series begins": (constant(gamma.PIECES_BELOW, 15.0625), 15.001),
    "tgamma, small: bound": (constant(gamma.SMALL_BOUND, gamma.SMALL_BOUND / 2), 1.5 * 2.0**30),
    "tgamma, small: slope": (raised(gamma.SLOPE_AT_ZERO, 8), 1.5 * 2.0**30),
    "tgamma, links: 1/2": (constant(0.5, 0.25), 0.4),
    "lgamma, series: coefficient": (raised(log_gamma.STIRLING_TAIL[0], 40), 16.1),
    "lgamma, values: log pi": (constant(-gamma.LOG_PI_LO, 0.0), 3.0),
    "lgamma, values: bound of the mirrored": (
        constant(log_gamma.MIRRORED_ERROR, log_gamma.MIRRORED_ERROR / 2),
        3.0,
    ),
    "lgamma, values: bound": (constant(log_gamma.LOG_BOUND, log_gamma.LOG_BOUND / 2), 200.0),
    "lgamma, links: 16": (constant(16.0, 15.0), 15.5),
    "lgamma, far, next to 0: bound": (constant(gamma.NEAR_ERROR, gamma.NEAR_ERROR / 2**6), 200.0),
    "lgamma, far, huge: bound": (constant(gamma.LOG_BOUND, 2.0**-88), 2.0**400 * 1.1),
    "lgamma, far, huge: log x - 1": (constant(1.0, 0.0), 2.0**400 * 1.1),
    "lgamma, far, huge: where it begins": (constant(2.0**-600, 2.0**-599), 2.0**400 * 1.1),
    "lgamma, links, ordinary: where the series begins": (constant(16.0, 15.0), 15.5),
    "lgamma, links, ordinary: where 1 + x is taken": (constant(0.5, 0.25), 0.4),
    "lgamma, values, ordinary: bound": (constant(gamma.LOG_BOUND, gamma.LOG_BOUND / 2), 200.0),
    "lgamma, values, ordinary: bound next to 1": (constant(gamma.NEAR_BOUND, gamma.NEAR_BOUND / 2), 2.0**-30),
    "lgamma, values, refined: bound": (constant(gamma.CLOSER_ERROR, gamma.CLOSER_ERROR / 2), 0.3),
    "lgamma, links, refined: where the series begins": (constant(16.0, 15.5), -14.9),
    "lgamma, zeros: entry of a zero": (entry(log_gamma.ZERO_VALUE, 0), 0),
    "lgamma, zeros: distance of a pole": (entry(log_gamma.ZERO_OFF, 0), 0),
    "tgamma, values, ordinary: bound": (constant(gamma.ORDINARY_LEAST, gamma.ORDINARY_LEAST / 1.1), 3.0),
    "tgamma, values, ordinary: growth": (constant(exponential.GROWTH, exponential.GROWTH / 2), 3.0),
    "tgamma, links, ordinary: where 1 + x is taken": (constant(0.5, 0.25), 0.4),
    "tgamma, links, ordinary: sign below 0": (negated(0), -2.25),
    "tgamma, reduction, ordinary: steps": (raised(exponential.LN2_STEP[1], 20), 9.0),
    "tgamma, small, far: bound": (constant(gamma.SMALL_BOUND, gamma.SMALL_BOUND / 4), 2.0**31),
    "tgamma, small, far: slope": (constant(gamma.SLOPE_AT_ZERO, gamma.SLOPE_AT_ZERO * 0.9), 2.0**31),
    "tgamma, small, far: at zero": (raised(gamma.AT_ZERO, 30), 2.0**31),
    "tgamma, others: first factorial": (constant(1.0, 0.75), 0.75),
    "tgamma, others: last factorial": (constant(23.0, 24.0), 23.5),
    "tgamma, integers: comparison": (compared("double.eq", "double.le"), 5.5),
    "tgamma, factorials: bound": (negated(-1), 0.0),
    "tgamma, factorials: rest": (negated(-2), 0.0),
}
FAULTS = TURNS | ANGLES | GROWTH | ERROR_FUNCTIONS | LOGARITHMS | ROOTS | POWERS | GAMMA
