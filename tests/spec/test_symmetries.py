"""Every built-in of one argument that is odd or even is listed as such, and no other."""

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import Enclosure, round_enclosure
from clmath.spec import files
from clmath.spec.builtins import builtin, builtins, precise
from clmath.spec.symmetries import symmetry
from tests.cases import for_each

ONE_ARGUMENT = [
    row.name
    for row in builtins("math", "common").values()
    if FLOAT in row.formats and [p.type for p in (*row.inputs, *row.outputs)] == ["gentype", "gentype"]
]
SPECIAL = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 2.0**23, 2.0**24, np.inf, np.nan, 1e-45], np.float32)


@pytest.fixture(scope="module")
def arguments():
    rng = np.random.default_rng(13)
    return np.concatenate([SPECIAL, FLOAT.from_bits(rng.integers(0, 0x7F800000, 300, np.uint32))])


def rounded(name, x, mode):
    """The encodings of correctly rounded results, one of them for all NaN."""
    (exact,) = reference.enclose(name, (x,), FLOAT)
    assert isinstance(exact, Enclosure)
    found = round_enclosure(exact, FLOAT, mode)[0]
    return np.where(np.isnan(found), np.uint32(FLOAT.quiet_nan), FLOAT.bits(found)), np.isnan(found)


@for_each("name", ONE_ARGUMENT)
def test_the_table_says_which_results_mirror_each_other(name, arguments):
    kinds = set()
    for mode in ("rte", "rtz"):
        (here, is_nan), (there, _) = rounded(name, arguments, mode), rounded(name, -arguments, mode)
        flipped = here ^ np.where(is_nan, 0, 0x80000000).astype(np.uint32)
        odd, even = np.array_equal(there, flipped), np.array_equal(there, here)
        kinds.add("odd" if odd else "even" if even else "")
    assert kinds == {symmetry(name)}


def test_built_ins_of_several_arguments_or_results_are_not_listed():
    listed = {n for section in files.load("symmetries.toml").values() for names in section.values() for n in names}
    assert listed <= set(ONE_ARGUMENT)
    assert all(precise(name) == name for name in listed)


def test_sections_are_those_of_the_built_ins():
    for section, entry in files.load("symmetries.toml").items():
        for name in (*entry.get("odd", ()), *entry.get("even", ())):
            assert builtin(name).section == section, name
        assert entry.keys() <= {"odd", "even"}
