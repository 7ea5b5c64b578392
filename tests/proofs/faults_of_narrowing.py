"""Faults in narrowing kernels: "kernels, part of the proof: fault"; without a part any of them may notice.

A number next to a fault says where it shows: a float is an argument, an integer an entry of a table.
"""

from __future__ import annotations

import math

from clmath.kernels.accurate import (
    angles,
    error_function,
    exponential,
    gamma,
    hyperbolic,
    logarithm,
    power,
    sines,
    slopes,
)
from clmath.kernels.accurate import inverse_trigonometric as arcs
from tests.proofs.faults import (
    constant,
    contracted,
    divided,
    entry,
    integer,
    named_left_out,
    product_left_out,
    raised,
    rounded_once,
    user,
    without,
)

PLACE, ROW = 46, 300
OF_ROW = angles.FIRST_WORD + 52 + ROW
TAIL = exponential.EXP_SERIES_TAIL


def less_whole_turns(traced):
    """A fault of sin: the product of the first word less whole turns is rounded once."""
    return contracted(user(traced, "double.sub", traced.program.names["taken"]))(traced)


GROWTH = {
    **{f"expm1, rise: coefficient {i}": raised(exponential.EXP_SERIES[i][0], 52) for i in range(4)},
    "expm1 log2, rise; asinh; pow, rise of the power: lower part of a coefficient": raised(
        exponential.EXP_SERIES[1][1], 10
    ),
    **{
        f"expm1, rise: coefficient {i} of the tail": raised(exponential.EXP_SERIES_TAIL[i], n)
        for i, n in enumerate((30, 20, 10))
    },
    "expm1, small; log: bound": constant(2.0 * exponential.GROWTH_BOUND, exponential.GROWTH_BOUND / 8),
    "expm1; erf, power near zero: shift of k": integer(8, 9),
    "expm1: least power of two": integer(1000, 999),
    "exp, values; log atanh, step; pow tgamma, power: head of an entry": (entry(exponential.EXP2_HI, PLACE), PLACE),
    "exp, values; log log1p, step; pow, power: tail of an entry": (entry(exponential.EXP2_LO, PLACE), PLACE),
    "exp log1p: r_lo left out": named_left_out("r_lo"),
    "exp asinh; pow, power: lower part of e^r - 1 left out": named_left_out("rise_lo"),
    "exp2 log: logarithm of 2": raised(exponential.LN2_PAIR[1], 44),
    "exp10: logarithm of 10": raised(exponential.LN10_PAIR[1], 44),
    "exp10, reduction: step": raised(exponential.LOG10_STEP[2], 40),
    "sinh: slope": constant(2.0, 1.0),
    "sinh: lower part left out": named_left_out("m_lo"),
    "cosh: bound of the sum": divided(hyperbolic.SUM_BOUND, 2),
    "cosh: least power of two": integer(-400, -60),
    "cosh atanh, integers; pow tgamma, power; erf, power near zero: mask of j": integer(255, 127),
    "tanh: slope": constant(2.125, 1.75),
    "tanh: bound": divided(hyperbolic.NARROW_BOUND, 8),
    "tanh; erf, square near zero: reduction without its last term": constant(exponential.LN2_STEP[2], 0.0),
}
LOGARITHMS = {
    "log pow, logarithm: entry of COARSE_HI": (entry(power.COARSE_HI, PLACE), PLACE),
    "log pow, logarithm: reciprocal": (entry(power.COARSE, PLACE), PLACE),
    "log pow; tgamma, step: slope": raised(power.LOG2_E, 20),
    "log pow; erf, power near zero, scaled: bias of the exponent": integer(1023, 1022),
    "log: t_lo left out": named_left_out("y_lo"),
    "log log1p; rootn, quotient: l_lo left out": named_left_out("l_lo"),
    "log log1p acos atan2, sums; lgamma, values: step left out": named_left_out("step"),
    "log2, rise: tail of the series": raised(exponential.EXP_SERIES_TAIL[0], 30),
    "log2 log1p; pow, rise of the power: coefficient": raised(exponential.EXP_SERIES[0][0], 52),
    "log10: logarithm of 2": raised(logarithm.LOG10_2[1], 40),
    "log1p, step: rest of an entry": (entry(exponential.EXP2_REST, PLACE, 2**44), PLACE),
    "log1p, reduction: last term": raised(exponential.LN2_STEP[2], 40),
    "log1p, sums: bound": divided(logarithm.ROUNDING, 8),
    "log1p: least power of two": integer(1000, 40),
    "asinh, roots: beside 2 x": constant(-0.5, 0.5),
    "asinh acosh atanh: lower part of q left out": named_left_out("q_lo"),
    "acosh: tail of the series": raised(exponential.EXP_SERIES_TAIL[0], 28),
    "acosh, roots: large arguments": constant(2.0**60, 2.0**48),
    "atanh: half": raised(0.5, 52),
}
ANGLES = {
    "sin sinpi asin asinpi atan2 tgamma, tails: pi/1024": raised(angles.STEP_PAIR[1], 40),
    "sin sinpi acos atan2, tails: coefficient of the sine": raised(sines.SINE_SERIES[0][0], 52),
    "sin, reduction: word of 1024/pi": (entry(angles.WORDS, ROW), OF_ROW),
    "sin cospi, value; acos, step; atan2, missed: tail of an entry": (entry(sines.SINE_LO, PLACE), PLACE),
    "sin asin atan2, reduction: third word left out": named_left_out("third"),
    "sin acos: rest of the second word left out": named_left_out("second_lo"),
    "cos: rest of the third word left out": named_left_out("third_lo"),
    "tan: fourth word left out": named_left_out("fourth"),
    "sin sinpi, value; atan, step; atan2, missed: lower part of the sine left out": named_left_out("sin_r_lo"),
    "sin, reduction: whole turns": divided(angles.TWO_TURNS, 8),
    "sin, reduction: product rounded once": less_whole_turns,
    "sin, significand: row": integer(angles.INTEGER_EXPONENT + angles.FIRST_WORD, 990),
    "cos cospi atan, tails: coefficient of the cosine": raised(sines.COSINE_SERIES[1][0], 52),
    "cos sinpi tanpi, value; asin acospi, step; atan2pi, missed: head of an entry": (
        entry(sines.SINE_HI, PLACE),
        PLACE,
    ),
    "cos: bound of the angle": divided(angles.ANGLE_ERROR, 16),
    "cos cospi, value; acos, step; atan2pi, missed: lower part of the cosine left out": named_left_out("bend_lo"),
    "cos, value; cospi; atan, step: quarter of a turn": integer(512, 511),
    "tan, tails: tail of the sine": raised(sines.SINE_SERIES_TAIL[0], 20),
    "tan sinpi, value: rest of an entry": (entry(sines.SINE_REST, PLACE, 2**44), PLACE),
    "tan: bound of the angle": constant(2.0 * angles.ANGLE_ERROR, angles.ANGLE_ERROR / 16),
    "tan, significand: place of the exponent": integer(52, 51),
    "tan, value: product rounded once": rounded_once("divided"),
    "sinpi: pi": raised(angles.PI[1], 40),
    "sinpi: cubic term of tiny arguments": constant(-1.0 / 6.0, -1.0 / 5.0),
    "tanpi: cubic term of tiny arguments": constant(1.0 / 3.0, 1.0 / 4.0),
}


ARCS = {
    "asin atan acospi atan2, sums: bound": divided(arcs.ROUNDING, 2),
    "asin asinpi, tails: lo left out": without(2),
    "asin, tails: product rounded once": rounded_once(angles.STEP_PAIR[0]),
    "acos, step: bound": divided(arcs.COSINES, 2),
    "atan, step: rest of an entry": (entry(sines.SINE_REST, PLACE, 2**48), PLACE),
    "atan, reduction: word of 1024/pi": (entry(angles.WORDS, 0 - angles.FIRST_WORD - 52), 0),
    "atan: far": divided(arcs.NARROW_FAR, 2.0**150),
    "asinpi, tiny: 1/pi": raised(arcs.INVERSE_PI[1], 40),
    "asinpi, tiny: cubic term": constant(1.0 / 6.0, 1.0 / 5.0),
    "atanpi: 1/pi of the step": raised(arcs.ONE_OVER_PI, 20),
    "atanpi, tiny; atan2pi, small: cubic term": constant(-1.0 / 3.0, -1.0 / 4.0),
    "atanpi, tiny; atan2pi, small: bound": divided(arcs.CUBIC_BOUND, 64),
    "atanpi, reduction: steps of half turns": constant(angles.STEPS_PER_UNIT, angles.STEPS_PER_UNIT + 1.0),
    "atan2, tails: lo left out": without(3),
    "atan2, left: product rounded once": rounded_once("divided"),
    "atan2, furthest: furthest": integer(slopes.FURTHEST, slopes.FURTHEST + 140),
}
POWERS = {
    "pow tgamma, power: bound": divided(exponential.NARROW_BOUND, 2),
    "pow: bound of the change": constant(2.0 * exponential.GROWTH_BOUND, exponential.GROWTH_BOUND / 8.0),
    "pow, reduction; tgamma, reduction of the power: step of n": constant(0.00390625, 0.00390625 + 2.0**-59),
    "pow, sums: step left out": named_left_out("log.step"),
    "pow, product: l_lo y left out": product_left_out("l_lo"),
    "pow rootn, reduction: p_lo left out": named_left_out("p_lo"),
    "pow, power; lgamma, values: p_err left out": named_left_out("p_err"),
    "pow rootn: l_err left out": named_left_out("l_err"),
    "pow: s_lo left out": named_left_out("s_lo"),
    "pow; lgamma, values: sign": constant(-1.0, 1.0),
    "rootn: bound of the quotient": constant(2.0**-100, 2.0**-101),
    "rootn, quotient: remainder rounded once": rounded_once("divided"),
}
ERROR_FUNCTIONS = {
    "erf, series: coefficient": constant(error_function.SERIES[6][0], math.nextafter(error_function.SERIES[6][0], 1.0)),
    "erf, series: lower part of a coefficient": raised(error_function.SERIES[3][1], 20),
    "erf, series: lower part of the square left out": named_left_out("near.square_lo"),
    "erf, series: lower part of the series left out": named_left_out("horner_lo.50"),
    "erf, series: scale of small arguments": integer(-600, -599),
    "erf, quotients; lgamma, logarithm of 1: a one": constant(1.0, 1.0 + 2.0**-52),
    "erf, quotients: least power of two": integer(-200, -20),
    "erf, quotients: bound of differences": constant(2.0**-103, 2.0**-108),
    "erf, power near zero; erfc, power beyond: head of an entry": (entry(exponential.EXP2_HI, 174), 174),
    "erf, power near zero: rest of an entry": (entry(exponential.EXP2_REST, 174, 1 << 44), 174),
    "erfc, fraction: lower part left out": named_left_out("level_lo.31"),
    "erfc, fraction: a level": raised(1.5, 52),
    "erfc, fraction: first level": constant(30.5, 29.0),
    "erfc, quotients: bound of the fraction": divided(error_function.FRACTION_BOUND, 2),
    "erfc, quotients: root of pi": raised(error_function.INVERSE_ROOT_OF_PI[1], 40),
    "erfc, quotients: 2": constant(2.0, 2.0 + 2.0**-51),
    "erfc, square beyond: lower part left out": named_left_out("beyond.square_lo"),
}
GAMMA = {
    "tgamma, series: first coefficient": raised(gamma.STIRLING[0][0], 46),
    "tgamma, series: lower part of the first coefficient": raised(gamma.STIRLING[0][1], 1),
    "tgamma, series: bound": divided(gamma.SUM_BOUND, 16),
    "tgamma, series: bound of the logarithm left out": named_left_out("log_b_err"),
    "tgamma, product: factor": constant(30.0, 30.0 + 2.0**-48),
    "tgamma, product: ends": constant(31.0, 30.0),
    "tgamma, product: lower part left out": named_left_out("product_lo.4"),
    "tgamma, product: lower part of a factor left out": named_left_out("factor_lo.8"),
    "tgamma, sine: bound": divided(sines.NARROW_BOUND, 16),
    "tgamma, links: how far b is": constant(32.0, 31.0),
    "tgamma, mirror: lower part left out": named_left_out("sin_x_lo"),
    "tgamma, over: pi": raised(-angles.PI[1], 30),
    "tgamma, under: lower part left out": named_left_out("power_lo"),
    "tgamma, values: bound": divided(gamma.PRODUCT_BOUND, 2),
    "tgamma, values: share left out": named_left_out("share"),
    "tgamma, values: lower part left out": named_left_out("below_lo"),
    "lgamma, over: pi": raised(angles.PI[1], 30),
    "lgamma, ratio: product rounded once": rounded_once("divided.2"),
    "lgamma, step of the ratio: left out": named_left_out("ratio_lo"),
    "lgamma, values: bound of the logarithm left out": named_left_out("log_ratio_err"),
    "lgamma, values: logarithm of 2": raised(exponential.LN2_PAIR[1], 20),
    "lgamma, tiny: slope": raised(gamma.AT_ZERO, 40),
    "lgamma, tiny: curvature": raised(gamma.HALF_ZETA_OF_2, 8),
    "lgamma, tiny: bound": constant(gamma.ALONE_ERROR, 2.0**-100),
    "lgamma, huge: 1": constant(-1.0, -1.0 + 2.0**-53),
    "lgamma, huge: exponent": constant(2.0**-600, 2.0**-599),
}
FAULTS = GROWTH | LOGARITHMS | ANGLES | ARCS | POWERS | ERROR_FUNCTIONS | GAMMA
