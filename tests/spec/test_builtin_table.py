"""The table of built-ins: which are odd or even, and names that its sections declare."""

import numpy as np

from clmath.numbers.formats import FLOAT
from clmath.spec import files
from clmath.spec.builtins import precise, symmetry
from tests.builtins import CASES, Expected, bits, inputs
from tests.cases import for_each

SECTIONS = files.load("builtins.toml")
ONE_ARGUMENT = [
    case
    for case in CASES
    if case.form is FLOAT and not case.width and {p.type for p in (*case.row.inputs, *case.row.outputs)} == {"gentype"}
    if len(case.row.inputs) == len(case.row.outputs) == 1
]


@for_each("case", ONE_ARGUMENT)
def test_table_lists_odd_and_even_built_ins(case):
    (x,), _ = inputs(case)
    kinds = set()
    for mode in ("rte", "rtz"):
        here, there = (Expected(case, (a,)).rounded(mode)[0] for a in (x, -x))
        flipped = np.where(np.isnan(here), FLOAT.nan, -here)
        odd, even = (np.array_equal(bits(there), bits(other)) for other in (flipped, here))
        kinds.add("odd" if odd else "even" if even else "")
    assert kinds == {symmetry(case.name)}


def test_built_ins_of_several_arguments_or_results_are_not_listed():
    listed = {name for entry in SECTIONS.values() for kind in ("odd", "even") for name in entry.get(kind, ())}
    assert listed <= {case.name for case in ONE_ARGUMENT if precise(case.name) == case.name}


def test_sections_name_only_built_ins_that_they_declare():
    of_names = [
        "odd",
        "even",
        "interval",
        "domain",
        "recipe",
        "halfway",
        "cases",
        "same_as",
        "formulas",
        "uncontracted",
    ]
    for section, entry in SECTIONS.items():
        declared = {declaration.split("(")[0].split()[1] for declaration in entry["declarations"]}
        assert {name for key in of_names for name in entry.get(key, ())} <= declared, section
