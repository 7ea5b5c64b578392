"""Every exact built-in, special values included, agrees with the reference; those defined by an expression apart."""

import zlib

import numpy as np

from clmath import reference
from clmath.direct import common, compare, floating_point, geometric, integral, operators, remainders
from clmath.numbers.rounding import round_enclosure
from clmath.spec.builtins import builtin
from tests.cases import for_each

MODULES = (operators, remainders, integral, floating_point, compare, common, geometric)
# the reference knows their exact value, clmath evaluates the specification's expression; nan takes no number
BY_EXPRESSION = {"mix", "smoothstep", "cross", "nan"}
NAMES = [n for module in MODULES for n in module.__all__ if n not in BY_EXPRESSION and not n.startswith("fast_")]


def arguments(bench, row, count):
    """Blocks for ``row``: specials against specials in every order, then bit patterns and numbers near 1."""
    rng = np.random.default_rng(zlib.crc32(row.name.encode()))
    lanes = 3 if row.widths else 1
    blocks = []
    for number, parameter in enumerate(row.inputs):
        for lane in range(lanes):
            if parameter.type == "intn":
                near = rng.integers(bench.form.quantum, bench.form.emax, 2 * count)
                blocks.append(
                    np.concatenate([rng.choice([-(2**31), -1, 0, 1, 2**31 - 1], count), near]).astype(np.int32)
                )
                continue
            special = rng.choice(bench.specials(), count)
            rest = [bench.patterns(count, rng.integers(99)), bench.moderate(count, 10 * number + lane)]
            blocks.append(np.concatenate([special, *rest]))
    return blocks


@for_each("name", NAMES)
def test_agrees_with_the_reference(bench, name):
    row = builtin(name)
    implementation = next(getattr(module, name) for module in MODULES if name in module.__all__)
    blocks = arguments(bench, row, 120)
    got = implementation(bench.form, bench.mode, *blocks)
    want = reference.enclose(name, blocks, bench.form)
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        bench.same(g, w if isinstance(w, np.ndarray) else round_enclosure(w, bench.form, bench.mode)[0], *blocks)
