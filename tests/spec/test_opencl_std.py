"""The instructions of OpenCL.std against the built-ins, so that no name is forgotten."""

from clmath.spec import files
from clmath.spec.builtins import EXACT, JUDGED, builtins

# OpenCL C++ 1.0, 3.22 and 3.20: these have declarations of their own, not a gentype
MEMORY = {"vload", "vstore", "vload_half", "vstore_half", "vloada_half", "vstorea_half", "shuffle", "shuffle2"}
WITHOUT_VALUES = {"prefetch", "sprintf"}


def test_every_instruction_is_offered():
    assert len(files.load("opencl_std.toml")["offered"]) == 162  # OpenCL.std, version 100, revision 2


def test_offered_names_exist():
    known = {*builtins(*JUDGED), *builtins(*EXACT), *MEMORY, *WITHOUT_VALUES}
    assert set(files.load("opencl_std.toml")["offered"].values()) <= known


def test_every_judged_builtin_is_an_instruction_or_an_operator():
    instructions = set(files.load("opencl_std.toml")["offered"].values())
    core = {"add", "sub", "mul", "div", "recip", "dot"}  # instructions of SPIR-V itself
    assert set(builtins(*JUDGED)) - instructions == core
