"""Records of kernels: each is registered in its module, and no built-in lacks a part."""

import importlib
import inspect
from pathlib import Path

import clmath
from clmath import phases
from clmath.kernels import PHASES, records
from clmath.kernels.whole import label, wholes
from clmath.numbers.formats import FLOAT
from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation
from clmath.spec.builtins import builtins, precise
from clmath.spec.limits import limit
from clmath.spec.special_values import special_values

KERNELS = Path(records.__file__).parent
WITHOUT_SPECIAL_VALUES = {"add", "sub", "mul", "div", "recip", "mad", "degrees", "radians", "mix", "dot", "distance"}


def test_every_kernel_is_registered_in_the_module_that_the_index_names():
    for path in (path for phase in PHASES for path in (KERNELS / phase).glob("*.py")):
        importlib.import_module(f"clmath.kernels.{path.parent.name}.{path.stem}")
    assert records._RECORDS.keys() == {
        (kernel.module, kernel.name) for phase in PHASES.values() for kernel in phase.kernels.values()
    }


def is_whole(row, form):
    """Whether there is an elementwise function from arguments to results."""
    arguments = len(row.inputs) * max(row.widths, default=1)
    return label(precise(row.name), form.name, "rte", contracted=True, arguments=arguments) in wholes()


def lacking(row):
    """The parts that the built-in of a row lacks, by name."""
    for form in row.formats:
        if not phases.has_kernel(row.name, form) and not is_whole(row, form):
            yield f"kernel of {form}"
        yield from () if limit(row.name, form).clauses else (f"limit of {form}",)
    operation(row.name, Arithmetic(FLOAT, 60))  # or NotImplementedError
    if not (special_values(row.name) or {row.name, precise(row.name).removeprefix("fast_")} & WITHOUT_SPECIAL_VALUES):
        yield from () if row.name.startswith(("half_", "native_", "fast_")) else ("special values",)
    yield from () if inspect.getdoc(getattr(clmath, row.name)) else ("documentation",)


def test_no_built_in_lacks_a_part():
    assert {
        row.name: found for row in builtins("math", "common", "geometric").values() if (found := [*lacking(row)])
    } == {}
