"""Python targets are also called with arrays in other layouts and shapes; results must not depend on them."""

from __future__ import annotations

import numpy as np

from clmath.audit.targets.function import Function
from clmath.audit.targets.layouts import LARGE, LAYOUTS
from tests.audit.faulty import verdicts
from tests.cases import for_each


def judged(function, name, inputs=100, widths=(1,), types=("float",)):
    """Return the verdicts on a target with one function."""
    target = Function(type("Target", (), {name: staticmethod(function)}), "tests:Target")
    return verdicts(target, [name], list(types), inputs=inputs, widths=widths)


def layout(words):
    """Return the text of the layout with these words."""
    return next(one.text for one in LAYOUTS if words in one.text)


def ignores_strides(x):
    y = np.sqrt(x)
    if x.ndim and x.size and x.strides[0] > x.itemsize:
        y[:] = np.sqrt(x.reshape(-1)[0])
    return y


def goes_backwards(x):
    return np.sqrt(x[::-1] if x.ndim and x.strides[0] < 0 else x)


def reads_aligned(x):
    return np.sqrt(x) if x.flags.aligned else np.zeros_like(x)


def trusts_that_arrays_are_written(x):
    return np.sqrt(x) if x.flags.writeable else np.full(x.shape, x.flat[0])


def reads_memory(x):
    return np.sqrt(x) if x.ndim == 0 or x.strides[0] else np.zeros(x.shape, x.dtype)


def mixes_rows_and_columns(x):
    return np.sqrt(x).ravel(order="K").reshape(x.shape)


def counts_one_element(x):
    return np.sqrt(x) if x.ndim else np.asarray(x) + x.dtype.type(1)


def stops_at_a_limit(x):
    y = np.sqrt(x)
    y[100_000:] = 0
    return y


@for_each(
    "function, words",
    [
        (ignores_strides, "every other element"),
        (goes_backwards, "from its end"),
        (reads_aligned, "odd address"),
        (trusts_that_arrays_are_written, "read-only"),
        (reads_memory, "one element many times"),
        (mixes_rows_and_columns, "transpose"),
        (counts_one_element, "without dimensions"),
    ],
)
def test_function_that_depends_on_the_layout_fails(function, words):
    (verdict,) = judged(function, "sqrt")
    assert verdict.status == "fail"
    assert verdict.reason.startswith(f"depends on the layout of the arguments in memory: they were {layout(words)}")


def test_large_array_is_tried_if_inputs_are_many():
    assert [one.status for one in judged(stops_at_a_limit, "sqrt", inputs=8191)] == ["pass"]
    (verdict,) = judged(stops_at_a_limit, "sqrt", inputs=8192)
    assert verdict.status == "fail"
    assert f"an array of {LARGE} elements" in verdict.reason


def test_vectors_are_tried_in_other_layouts():
    (verdict,) = judged(ignores_strides, "sqrt", widths=(4,))
    assert verdict.status == "fail"


@for_each("name, function", [("sqrt", np.sqrt), ("hypot", np.hypot), ("isnan", np.isnan), ("fabs", np.abs)])
def test_correct_functions_pass(name, function):
    found = judged(function, name, types=("half", "float", "double"))
    assert [one.status for one in found] == ["pass"] * 3


def of_one_dimension(x):
    if x.ndim != 1 or not x.size:
        raise ValueError("an array of one dimension is needed")
    return np.sqrt(x)


def test_function_may_refuse_other_shapes():
    assert [one.status for one in judged(of_one_dimension, "sqrt")] == ["pass"]


def refuses_read_only(x):
    x.flags.writeable = True
    if not x.flags.owndata:
        raise ValueError("memory of its own is needed")
    return np.sqrt(x)


def test_function_may_not_refuse_a_layout():
    (verdict,) = judged(refuses_read_only, "sqrt")
    assert verdict.status == "not judged"
    assert verdict.reason.endswith(f"its arguments were {LAYOUTS[0].text}")


def test_layouts_are_tried_in_an_isolated_target(clm, tmp_path, monkeypatch):
    (tmp_path / "laid_out.py").write_text(
        "import numpy as np\n"
        "class Target:\n"
        "    def hypot(x, y):\n"
        "        return np.hypot(x[::-1] if x.ndim and x.strides[0] < 0 else x, y)\n"
    )
    monkeypatch.chdir(tmp_path)
    status, out, _ = clm("audit", "laid_out:Target", "--functions", "hypot", "--types", "float", "--inputs", "100")
    assert status == 1
    assert "depends on the layout of the arguments in memory: they were an array from its end" in out
    assert "this input passes alone: no replay shows the failure, an audit does" in out
