"""Which cells, exponents and numbers the independent checker looks at: short enough for it to decide."""

from __future__ import annotations

import itertools
import math
import random

from proofs import terms


def short(s, bits, draw):
    """A short cell within a subinterval: its width is about 2^-bits times its distance from zero."""
    if s.low == s.high:
        return s.low, s.high
    at = draw.uniform(s.low, s.high)
    width = 2.0 ** (math.frexp(at)[1] - bits)
    first = math.floor(at / width) * width
    return max(first, s.low), min(first + width, s.high)


def choices(statement, draw):
    """Integers q and i for which a statement is checked: q between the powers where claims use q as a number."""
    found = [one for _, one in statement.assume]
    low, high = statement.powers
    if low < high or any(isinstance(one, terms.Exponent) and one.number for one in found):
        scaled = [one for one in (*found, *statement.claims) if isinstance(one, terms.Number | terms.Bounded)]
        power = max((abs(one.power) for one in scaled), default=0) or 1
        low, high = max(low, LEAST // power), min(high, GREATEST // power)
        return [(q, 0) for q in sorted({low, high, draw.randint(low, high)})] if low <= high else []
    if any(isinstance(one, terms.Encoding) for one in found):
        return [(q, i) for q in (-3, 0, 7) for i in (0, 1)]
    if any(isinstance(one, terms.Residue | terms.Exponent) for one in found):
        return [(q, 0) for q in (-5, 0, 3)]
    return [(0, 0)]


def of_group(s, q, _):
    """The unit 2^-k for the k of a group."""
    k = min(max(q, s.k[0]), s.k[1], 90)
    return k, {"unit": 2.0**-k, "below": 0.0}


def of_inverse_power(s, q, i):
    """As ``of_group``, for lemmas that call the unit ``inverse_power``."""
    k, fixed = of_group(s, q, i)
    return k, {"inverse_power": fixed["unit"], "below": 0.0}


def middle_of_power(s, q, _):
    """The middle of the range of the power in erfc."""
    return q, {"e": (s.least_e + s.most_e) / 2}


def middle_of_own_power(s, q, i):
    """The error bound of ``middle_of_power`` under its name in narrowing kernels."""
    return q, {"beyond.e": middle_of_power(s, q, i)[1]["e"]}


def of_square(s, q, _):
    """The unit 4^-k for the k of a group."""
    k, _ = of_group(s, q, _)
    return k, {"unit": 4.0**-k, "below": 0.0}


def twice(s, q, _):
    """The unit 2^(-n/256) 2^-k of the entry j of a table."""
    k, _ = of_group(s, q, _)
    return k, {"unit": 2.0 ** (-2 * k - (s.j > 0)), "below": 0.0}


def of_product(s, q, _):
    """A factor of a subinterval of products with logarithms."""
    return q, {"factor": s.sign * (1.0 + random.Random(q).random())}


def of_narrowing_product(s, q, i):
    """As ``of_product``, for narrowing kernels, whose bounds are too small for the smallest factors."""
    return max(q, -60), of_product(s, q, i)[1]


def of_quotient(s, q, _):
    """A quotient of a logarithm and an integer."""
    return q, {"quotient": s.sign * 2.0**s.binade * (1.0 + random.Random(q).random())}


def of_squares(s, q, _):
    """The smaller leg of a sum of squares."""
    return q, {"smaller": s.smaller[0] + (s.smaller[1] - s.smaller[0]) * random.Random(q).getrandbits(20) / 2**20}


def of_rest(s, q, _):
    """The last multiple of 2^-31 that a length may be beyond a multiple of 1/64 of the larger one."""
    high = s.rest[1]
    return q, {"rest": math.floor(high * 2.0**31) * 2.0**-31 if s.j else high}


def of_ratio(s, q, _):
    """A first part of a quotient, which has 26 bits."""
    return q, {"t": s.sign * (s.least + 2.0**-25 * random.Random(q).randrange(1 << 22))}


def of_unit(_s, _q, _i):
    """The power 2^0: others leave the checker too few bits of cubes, and of differences that are exact."""
    return 0, {}


def of_length(name):
    """A larger length of a direction, by that name."""
    return lambda _s, q, _i: (q, {name: 1.0 + random.Random(q).random()})


def of_cube(_s, q, _i):
    """The error of the cube of an approximate root."""
    return q, {"d": math.ldexp(random.Random(q).uniform(-1.0, 1.0), -31)}


def of_gamma(s, q, _i):
    """A rest of log gamma and a quotient."""
    draw = random.Random(q)
    return q, {"r": draw.uniform(*s.r), "quotient": s.sign * (1.0 + draw.random())}


def of_divided(_s, q, _i):
    """The first of two pairs."""
    return q, {"hi": 1.0 + random.Random(q).random()}


def of_inverse(s, q, _i):
    """An argument next to 0 whose inverse is as large as another number."""
    return q, {"x": (1.0 / s.low + 1.0 / s.high) / 2.0}


def of_positive(s, q, _):
    """An argument of a region of log gamma, so that it is known which function gives that."""
    return q, {"x": random.Random(q).choice({"inside": [0.25], "near": [0.5, 3.0], "far": [4.0, 20.0]}[s.region])}


def of_log_ratio(s, q, _):
    """A logarithm of the ratio of lgamma."""
    return q, {"log_ratio": s.least + 0.75 * (s.most - s.least)} if s.least < s.most else {}


def of_pair(name, below_zero=""):
    """The first part of the other pair of a product or a quotient, in its half of 0.99 .. 2.01."""

    def choose(s, q, _):
        below = below_zero and s.negative
        return q, {below_zero if below else name: 0.99 + 0.51 * (s.half + random.Random(q).random())}

    return choose


def of_offset(_s, q, _):
    """An offset of powers whose exponents lie in a subinterval, not so small that its square is."""
    return -30, {"base_offset": 1.0 + random.Random(q).random()}


def of_scale(name):
    """An integer of that name that is multiplied by the numbers of a subinterval."""
    return lambda _s, q, _i: (q, {name: 1.0 + random.Random(q).randrange(140)})


def of_rest_of_leg(s, q, _):
    """The rest of a leg of hypot, with all its bits set."""
    return q, {"rest_of_b": 1.0 - 2.0 ** -max(s.i - 2, 0)}


POWERS = [(phase, name) for phase in ("fast", "accurate", "narrowing") for name in ("pow", "powr", "pown", "rootn")]
SECONDS = "second", "second next to 1"
FIXED = {  # numbers in ranges that the statement knows
    ("fast", "hypot", "squares"): of_squares,
    **{("fast", name, "quotients"): of_rest for name in ("atan2", "atan2pi")},
    ("accurate", "expm1", "values"): of_group,
    ("accurate", "erfc", "products"): middle_of_power,
    ("accurate", "cbrt", "root"): of_cube,
    **{("accurate", "tgamma", f"values{suffix}"): of_gamma for suffix in ("", ", ordinary")},
    **{("accurate", "tgamma", f"small{suffix}"): of_inverse for suffix in ("", ", far")},
    ("accurate", "tgamma", "quotients"): of_divided,
    ("accurate", "lgamma", "values, ordinary"): of_positive,
    ("accurate", "sinh", "values"): twice,
    ("accurate", "cosh", "values"): twice,
    ("accurate", "tanh", "pairs"): of_group,
    **{(*power, "product"): of_narrowing_product if power[0] == "narrowing" else of_product for power in POWERS},
    **{(*power, part): of_quotient for power in POWERS for part in ("quotient", "bound")},
    ("accurate", "atan2", "quotients"): of_ratio,
    ("accurate", "atan2", "missed"): of_unit,
    ("accurate", "atan2", "cube"): of_unit,
    ("accurate", "atan2pi", "quotients"): of_ratio,
    **{("accurate", *part): of_offset for part in itertools.product(("pow", "powr", "pown", "rootn"), SECONDS)},
    **{("accurate", name, "scale"): of_scale("real_k") for name in ("pow", "powr", "pown")},
    **{("accurate", name, "scale of m"): of_scale("of_m.real_k") for name in ("pow", "powr")},
    ("accurate", "hypot", "product of the rest"): of_rest_of_leg,
    **{(phase, "rootn", "multiple"): of_scale("quotient") for phase in ("fast", "accurate")},
    ("narrowing", "expm1", "values"): of_group,
    ("narrowing", "lgamma", "values"): of_log_ratio,
    ("narrowing", "tgamma", "scaled"): lambda _s, q, _i: (abs(q), {}),  # exact in units
    ("narrowing", "lgamma", "ratio"): of_pair("over"),
    ("narrowing", "tgamma", "under"): of_pair("power"),
    ("narrowing", "tgamma", "values"): of_pair("power", "over"),
    **{("narrowing", name, part): of_group for name in ("sinh", "tanh") for part in ("pairs", "quotients")},
    **{("narrowing", "cosh", part): of_square for part in ("pairs", "quotients")},
    **{("narrowing", name, "quotients"): middle_of_own_power for name in ("erf", "erfc")},
    **{("narrowing", name, "step"): of_inverse_power for name in ("log1p", "asinh", "acosh", "atanh")},
    **{
        ("narrowing", kernel, part): of_length(name)
        for kernel in ("atan2", "atan2pi")
        for part, name in (("left", "length_b"), ("missed", "length"))
    },
}
ODD = "base", "x", "hi", "short", "size"
SINGLE = 60  # on cells of one number
OF_HYPERBOLIC = "roots", "residuals", "values", "near zero"
REDUCTIONS = "reduction", "reduction, ordinary"
SHORTER = {
    ("fast", "quotient"): SINGLE,
    ("accurate", "quotient"): SINGLE,
    ("accurate", "logarithm"): SINGLE,
    ("accurate", "rsqrt", "value"): SINGLE,
    **{("accurate", name, "reduction"): SINGLE for name in ("sin", "cos", "tan", "sincos")},
    ("accurate", "angles"): SINGLE,
    ("accurate", "quotients"): SINGLE,
    ("accurate", "missed"): SINGLE,
    **{("accurate", name, "angles"): 44 for name in ("atan", "atanpi")},
    **{("accurate", name, part): SINGLE for name in ("sinpi", "cospi", "tanpi") for part in REDUCTIONS},
    **{("accurate", name): SINGLE for name in ("quotient", "logarithm", "root")},
    **{("accurate", name, part): SINGLE for name in ("asinh", "acosh", "atanh") for part in OF_HYPERBOLIC},
    ("accurate", "atanh", "sums"): SINGLE,
    **{("accurate", *which): SINGLE for which in (("tgamma", "quotients"), ("tgamma", "pieces"), ("lgamma", "pieces"))},
    ("narrowing", "step"): 40,
    ("narrowing", "step near 0"): 48,  # so long that there are numbers on a grid in them
    ("accurate", "second next to 1"): SINGLE,
    **{(phase, f"odd part of {one}"): SINGLE for phase in ("fast", "accurate") for one in ODD},
}
BITS, COUNT = {"fast": 36, "accurate": 36, "narrowing": 60}, {"fast": 24, "accurate": 24, "narrowing": 8}
FINEST = {  # below, the checker knows too little of a sum whose first part is less, or of log gamma
    ("narrowing", "exp10", "rise"): 2.0**-56,
    ("narrowing", "erf", "series"): 2.0**-60,  # where small arguments are scaled
    **{("accurate", name, "pieces"): 2.0**-90 for name in ("tgamma", "lgamma")},
    **{("narrowing", name, "product"): 2.0**-30 for name in ("tgamma", "lgamma")},
}
LARGEST = {  # beyond, units are too large for the first terms, or logarithms are known too little
    **{("narrowing", name, "series"): 2.0 for name in ("erf", "erfc")},
    ("narrowing", "lgamma", "series"): 2.0**40,
}
LEAST, GREATEST = -200, 150  # the checker's numbers are multiples of 2^-448
