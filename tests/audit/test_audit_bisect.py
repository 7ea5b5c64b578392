"""The search for the input at fault."""

from clmath.audit.isolation.culprit import narrowed
from tests.cases import for_each


@for_each("count", [1, 2, 3, 7, 64, 8191])
def test_the_single_input_at_fault_is_found(count):
    for culprit in {0, count // 3, count // 2, count - 1}:
        asked = []

        def fails(low, high, culprit=culprit, asked=asked):
            asked.append((low, high))
            return low <= culprit < high

        assert narrowed(fails, count) == culprit
        assert len(asked) <= count.bit_length() + 1
        assert (0, count) not in asked


def test_first_of_several_inputs_at_fault_is_found():
    assert narrowed(lambda low, high: any(low <= k < high for k in (3, 77, 500)), 512) == 3
    assert narrowed(lambda *_: True, 512) == 0


def test_failure_of_inputs_only_together_has_no_single_culprit():
    assert narrowed(lambda low, high: low <= 3 < high and low <= 4 < high, 8) is None
    assert narrowed(lambda low, high: high - low > 5, 100) is None
    assert narrowed(lambda *_: False, 100) is None
