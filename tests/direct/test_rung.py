"""Every built-in is found by its name on the phase that serves it."""

from clmath import kernels, ladder
from clmath.direct.rung import DIRECT
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import builtins
from tests.cases import for_each


@for_each("name", builtins())
def test_a_built_in_is_direct_or_has_a_kernel(name):
    """Not both; what is neither asks the reference, as single numbers do."""
    assert ladder.direct(name) is None or not any(ladder.has_kernel(name, form) for form in FORMATS)


def test_names_stand_for_one_built_in_each():
    """``DIRECT`` is collected from modules: none hides another's function."""
    assert set(DIRECT) <= set(builtins())
    assert all(implementation.__name__ in (name, name.removeprefix("fast_")) for name, implementation in DIRECT.items())
    assert not set(DIRECT) & set(kernels.FAST.kernels)
