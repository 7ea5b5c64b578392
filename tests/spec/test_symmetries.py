"""The table of symmetries lists exactly the odd and even built-ins of one argument."""

import numpy as np

from clmath.numbers.formats import FLOAT
from clmath.spec import files
from clmath.spec.builtins import builtin, precise
from clmath.spec.symmetries import symmetry
from tests.builtins import CASES, Expected, bits, inputs
from tests.cases import for_each

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
    listed = {n for section in files.load("symmetries.toml").values() for names in section.values() for n in names}
    assert listed <= {case.name for case in ONE_ARGUMENT}
    assert all(precise(name) == name for name in listed)


def test_sections_of_the_table_are_correct():
    for section, entry in files.load("symmetries.toml").items():
        for name in (*entry.get("odd", ()), *entry.get("even", ())):
            assert builtin(name).section == section, name
        assert entry.keys() <= {"odd", "even"}
