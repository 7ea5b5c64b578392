"""Free names, which lemmas assume but no value of a kernel has: a renamed mark must not become one of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("flint")

from proofs.registry import checked
from proofs.terms import multiples
from tests.proofs.proofs_of import KERNELS, lemmas_of

TEXT = """
apart_p away below bend_high bend_low bend_of_d bend_off between beyond beyond_1 both cube d d_of_e deficit delta
distance dividend error exact exact_quotient exact_second exact_third inverse_power last left left_out left_over length
length_b log_of_sine low lower of_fourth of_second of_second_lo of_third of_third_lo off off_q others p part q rest
rest_of_y root rounded rounding s second sigma sine_low sine_off size total u w
"""
FREE = frozenset(TEXT.split())


def free_in(lemma):
    """Return the free names of a lemma on its first, middle and last subintervals."""
    return {name for place in (0, len(lemma.over) // 2, -1) for name in lemma.free(lemma.over[place])}


@pytest.mark.slow
def test_lemmas_assume_marks_of_their_kernel_and_known_free_names():
    found = set()
    for phase, name in KERNELS:
        for lemma in lemmas_of(phase, name):
            free = free_in(lemma)
            assert free <= FREE, (phase, name, lemma.name)
            found |= free
    assert found == FREE


def test_free_name_that_another_function_marks_is_an_error():
    first, second = lemmas_of("narrowing", "exp")[:2]
    names = {name: place for name, place in second.traced.program.names.items() if name != "tame"}
    unmarked = replace(second.traced, program=replace(second.traced.program, names=names))
    wrong = replace(second, assume={"tame": multiples(0)}, traced=unmarked)
    with pytest.raises(LookupError, match=f"{second.name} of exp: tame is not marked in the function"):
        checked(lambda _: (first, wrong), "exp")
