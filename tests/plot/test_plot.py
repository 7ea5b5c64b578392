"""clmath.plot: curves of errors whose sizes are known, and of the report of an audit."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.cli import main

pytest.importorskip("matplotlib", reason="pip install 'clmath[plot]'").use("Agg")
plot = pytest.importorskip("clmath.plot")


TARGET = """
import numpy as np

def wrong(name, x):
    return np.sqrt(x) * np.float32(1.000001) if name == "sqrt" else np.exp(x)
"""


@pytest.fixture(autouse=True)
def closed():
    from matplotlib import pyplot as plt

    yield
    plt.close("all")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The report of an audit in which exp passes, and sqrt does not."""
    found = tmp_path_factory.mktemp("plot") / "report.json"
    module = found.with_name("planted_for_plot.py")
    module.write_text(TARGET)
    words = ["--functions", "sqrt,exp", "--types", "float", "--inputs", "1000", "--json", str(found)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found.parent)
        assert main(["audit", "planted_for_plot:wrong", *words]) == 1
    return found


def points(axes, label):
    return {line.get_label(): line for line in axes.lines}[label].get_xydata()


def test_correctly_rounded_results_are_within_half_an_ulp():
    axes = plot.error(clmath.exp, "exp", (-2.0, 2.0), format="double", points=1000)
    generated = points(axes, "within the limit")
    assert len(generated) == 1000
    assert np.abs(generated[:, 1]).max() <= 0.5
    assert "beyond the limit" not in axes.get_legend_handles_labels()[1]
    assert points(axes, "limit: 3 ulp")[:, 1].tolist() == [3.0] * 1000


def test_errors_beyond_the_limit_have_a_colour_and_the_worst_is_named():
    def sqrt(x):
        right = clmath.sqrt(x)
        return np.where(x > 2, right + 5 * np.spacing(right), right)

    axes = plot.error(sqrt, "sqrt", (1.0, 3.0), points=201)
    beyond = points(axes, "beyond the limit")
    assert beyond[:, 0].min() > 2
    assert len(beyond) == 100
    (text,) = axes.texts
    assert text.get_text().startswith(("+5.", "+4."))
    assert text.get_text().endswith(" ulp at " + float(text.xy[0]).hex())


def test_a_number_where_nan_is_due_is_a_cross_at_the_edge():
    axes = plot.error(lambda x: np.log(np.abs(x)), "log", (-2.0, 2.0), points=101)
    assert len(points(axes, "not a finite error")) == 50


def test_error_uses_the_axes_of_the_caller():
    from matplotlib import pyplot as plt

    axes = plt.subplots()[1]
    assert plot.error(np.abs, "fabs", (-1, 1), ax=axes) is axes


@pytest.mark.parametrize("interval", [(1.0, 1.0), (2.0, 1.0), (0.0, np.inf), (np.nan, 1.0), (1, 2, 3), None])
def test_an_interval_without_numbers_is_refused(interval):
    with pytest.raises(errors.RangeError, match="is not an interval; give two finite numbers of float"):
        plot.error(np.sin, "sin", interval)


def test_number_of_points_without_a_meaning_is_refused():
    with pytest.raises(errors.RangeError, match="points=0 is not a positive integer"):
        plot.error(np.sin, "sin", (0.0, 1.0), points=0)


def test_function_may_write_into_its_argument():
    axes = plot.error(lambda x: np.sqrt(x, out=x), "sqrt", (1.0, 2.0), points=50)
    assert np.abs(points(axes, "within the limit")[:, 1]).max() <= 0.5


def test_integer_results_are_refused():
    with pytest.raises(errors.DTypeError, match="results of ilogb are integers"):
        plot.error(clmath.ilogb, "ilogb", (1.0, 2.0))


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'clmath\[plot\]'"):
        plot.error(np.sin, "sin", (0.0, 1.0))


def test_failing_cases_of_a_report_come_first(path):
    first, second = plot.report(path).axes
    assert first.get_title() == "sqrt, float: fail; limit 3 ulp"
    assert second.get_title() == "exp, float: pass; limit 3 ulp"


def test_report_shows_the_functions_that_are_named(path):
    (only,) = plot.report(path, "ex*").axes
    assert only.get_title().startswith("exp")
    with pytest.raises(errors.ClmathError, match="has no errors of 'sin' to draw"):
        plot.report(path, "sin")


def test_verdicts_are_a_table(path):
    found = plot.verdicts(path)
    assert len(found) == 2
    assert [line.split("\t")[::6] for line in str(found).splitlines()] == [["sqrt", "fail"], ["exp", "pass"]]
    assert "<td>sqrt</td><td>float</td><td>3 ulp</td>" in found._repr_html_()
