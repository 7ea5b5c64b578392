"""Every instruction of OpenCL.std has a built-in, and every judged built-in an instruction."""

from clmath.spec import files
from clmath.spec.builtins import EXACT, JUDGED, builtins

# built-ins of OpenCL C++ 1.0, 3.22 and 3.20, whose declarations have no gentype
MEMORY = {"vload", "vstore", "vload_half", "vstore_half", "vloada_half", "vstorea_half", "shuffle", "shuffle2"}
WITHOUT_VALUES = {"prefetch", "sprintf"}
TABLE = files.load("opencl_std.toml")
OFFERED, CORE = TABLE["offered"], set(TABLE["core"])
OF_THEIR_OWN_NAME = set(builtins(*JUDGED)) - CORE - set(OFFERED.values())


def test_all_instructions_are_listed_or_have_the_name_of_their_built_in():
    assert OF_THEIR_OWN_NAME & OFFERED.keys() == set()
    assert len(OF_THEIR_OWN_NAME) + len(OFFERED) == 162  # OpenCL.std, version 100, revision 2


def test_listed_names_exist():
    assert set(OFFERED.values()) <= {*builtins(*JUDGED), *builtins(*EXACT), *MEMORY, *WITHOUT_VALUES}
    assert set(builtins(*JUDGED)) >= CORE
