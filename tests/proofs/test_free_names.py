"""Names that lemmas assume and no value of a kernel has: a mark that is renamed must not become one of them."""

from __future__ import annotations

import pytest

from tests.proofs.stated import KERNELS, lemmas_of

TEXT = """
apart_p away b b_lo below bend_of_d bend_off between beyond beyond_1 both cube d d_of_e distance dividend
error exact exact_second exact_third inverse_power last left left_out left_over length length_b log_of_sine
low lower of_fourth of_second of_second_lo of_third of_third_lo off off_q others p part q quotient rest
rest_of_y root rounded rounding s s_lo second sine_off size total u w
"""
FREE = frozenset(TEXT.split())


def assumed_by(lemma):
    """Return the names that a lemma assumes on its first, middle and last subintervals."""
    places = {0, len(lemma.over) // 2, len(lemma.over) - 1}
    return {name for place in places for name, _ in lemma.statement(lemma.over[place]).assume}


@pytest.mark.slow
def test_lemmas_assume_marks_of_their_kernel_and_known_free_names():
    found = set()
    for phase, name in KERNELS:
        for lemma in lemmas_of(phase, name):
            free = assumed_by(lemma) - lemma.traced.program.names.keys()
            assert free <= FREE, (phase, name, lemma.name)
            found |= free
    assert found == FREE
