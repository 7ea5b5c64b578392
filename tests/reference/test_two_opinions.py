"""The two oracles share no code, so that a mistake of one cannot be a mistake of the other."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import FLOAT, FORMATS
from clmath.reference import plain
from clmath.spec.builtins import builtins
from tests.cases import for_each, some

PACKAGE = Path(reference.__file__).parent
CASES = [pytest.param(row, form, id=f"{row.name}-{form}") for row in builtins().values() for form in row.formats]


def imported(module: str) -> set[str]:
    """The modules of the reference that ``module`` needs, itself among them."""
    found, waiting = {module}, [module]
    while waiting:
        tree = ast.parse((PACKAGE / f"{waiting.pop()}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "clmath.reference":
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module.startswith("clmath.reference."):
                names = {node.module.rpartition(".")[2]}
            else:
                continue
            waiting += sorted(names - found)
            found |= names
    return found


def test_no_module_serves_both_oracles():
    first, second = imported("mpfr"), imported("mp")
    assert {"operations", "plain", "geometry"} <= first
    assert {"encoded", "rational", "special"} <= second
    assert first & second == set()


NUMBERS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 8.0, np.inf, np.nan)
INTS = np.array([-(2**31), -3, -2, -1, 0, 1, 2, 3, 2**31 - 1], np.int32)


def crossed(row, form):
    """Every combination of special arguments; of four and more, as many as one cycle through them has."""
    count = len(row.inputs) * max(row.widths, default=1)
    ends = [form.largest, form.smallest_normal, form.smallest_subnormal, 1.0 - form.eps / 2, 1.0 + form.eps]
    numbers = NUMBERS + tuple(ends if count < 3 else ends[:1])
    floats = np.array([*numbers, *(-n for n in numbers)], form.dtype)
    codes = np.array([0, 1, 2 ** (form.width - 1), 2**form.width - 1], form.bits_dtype)
    pools = [{"intn": INTS, "nancode": codes}.get(p.type, floats) for p in row.inputs]
    if count > 3:
        rng = np.random.default_rng(5)
        return [rng.choice(floats, 400) for _ in range(count)]
    columns = zip(*itertools.product(*pools), strict=True)
    return [np.array(column, pool.dtype) for column, pool in zip(columns, pools, strict=True)]


@for_each("row, form", CASES)
def test_they_agree_on_special_arguments(row, form, difference, all_modes):
    columns = crossed(row, form)
    places = some(range(len(columns[0])), 300)
    args = [column[places] for column in columns]
    first = all_modes(form, reference.enclose(row.name, args, form))
    second = all_modes(form, reference.enclose(row.name, args, form, "mpmath"))
    for (mode, output, got), (_, _, want) in zip(first, second, strict=True):
        assert not difference(form, got, want, args), (mode, output)


@pytest.mark.slow
@for_each("name", sorted(plain.PLAIN))
def test_a_mistake_of_the_first_is_not_one_of_the_second(name, monkeypatch, difference, all_modes):
    row, right = builtins()[name], plain.PLAIN[name]

    def opposite(value):
        if isinstance(value, tuple):
            return tuple(map(opposite, value))
        return ~value if isinstance(value, int) else -value

    wrong = (lambda *_: 0.0) if name == "nan" else lambda form, *args: opposite(right(form, *args))
    monkeypatch.setitem(plain.PLAIN, name, wrong)
    args = crossed(row, FLOAT)
    first = all_modes(FLOAT, reference.enclose(name, args, FLOAT))
    second = all_modes(FLOAT, reference.enclose(name, args, FLOAT, "mpmath"))
    assert all(difference(FLOAT, g[2], w[2], args) for g, w in zip(first, second, strict=True))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_mistake_of_the_special_values_is_not_one_of_both(form, monkeypatch, difference, all_modes):
    from clmath.reference import special

    monkeypatch.setitem(special.SPECIAL, "tanpi", lambda x: 0.0 if x == 1.0 else special.tanpi(x))
    args = [np.array([0.5, 1.0, 2.0], form.dtype)]
    first = all_modes(form, reference.enclose("tanpi", args, form))
    second = all_modes(form, reference.enclose("tanpi", args, form, "mpmath"))
    assert all(difference(form, g[2], w[2], args) for g, w in zip(first, second, strict=True))
