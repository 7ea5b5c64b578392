"""Every built-in is found by its name on the phase that serves it."""

from clmath import phases
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import builtins
from tests.cases import for_each


@for_each("name", builtins("math", "common", "geometric"))
def test_a_built_in_is_whole_or_has_kernels(name):
    assert {phases.has_kernel(name, form) for form in FORMATS} == {not phases.is_whole(name)}
