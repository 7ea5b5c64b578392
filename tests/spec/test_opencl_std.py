"""Every instruction of OpenCL.std has a built-in, and every judged built-in an instruction."""

from clmath.spec import files
from clmath.spec.builtins import EXACT, JUDGED, builtins

# built-ins of OpenCL C++ 1.0, 3.22 and 3.20, whose declarations have no gentype
MEMORY = {"vload", "vstore", "vload_half", "vstore_half", "vloada_half", "vstorea_half", "shuffle", "shuffle2"}
WITHOUT_VALUES = {"prefetch", "sprintf"}


def test_all_instructions_are_listed():
    assert len(files.load("opencl_std.toml")["offered"]) == 162  # OpenCL.std, version 100, revision 2


def test_listed_names_exist():
    known = {*builtins(*JUDGED), *builtins(*EXACT), *MEMORY, *WITHOUT_VALUES}
    assert set(files.load("opencl_std.toml")["offered"].values()) <= known


def test_every_judged_built_in_is_an_instruction_or_an_operator():
    instructions = set(files.load("opencl_std.toml")["offered"].values())
    core = {"add", "sub", "mul", "div", "recip", "dot"}  # instructions of SPIR-V itself
    assert set(builtins(*JUDGED)) - instructions == core
