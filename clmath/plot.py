"""Curves of errors in Matplotlib, which the extra ``plot`` installs, and verdicts as tables in a notebook.

``error`` plots the errors of any Python function against the exact values of a built-in; ``report`` plots the errors
that an audit has measured, from the file of ``clmath audit --json``; ``verdicts`` shows the same file as a table.
"""

from __future__ import annotations

import fnmatch
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np

from clmath import errors, reference
from clmath.audit.records import several_reports
from clmath.audit.reports.charts import ALL, EQUALITY, Axis, allowed, share_of_limit
from clmath.audit.reports.page_tables import element, table
from clmath.audit.reports.terminal import error_text, worst_text
from clmath.functions.accuracy import limit, ulp_error
from clmath.numbers.formats import format_named
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from clmath.audit.counting.tally import Verdict
    from clmath.numbers.formats import Format as Form
    from clmath.typing import Edition, Format, Profile

__all__ = ["Verdicts", "error", "report", "verdicts"]

WITHIN, BEYOND, LIMIT = "#0072b2", "#d55e00", "#000000"  # two colours that colour-blind readers can distinguish
MOST = 24  # curves in one figure
_LARGE = 64.0  # ulp: larger errors are shown on a logarithmic scale
_APART = 0.09  # of the width: the least distance of two labels


def error(
    f: Callable[[np.ndarray], Any],
    name: str,
    interval: tuple[float, float],
    *,
    format: Format = "float",
    points: int = 4000,
    profile: Profile = "full",
    edition: Edition = "opencl-c++-1.0",
    ax: Axes | None = None,
) -> Axes:
    """Plot the error of ``f`` in ulp over ``interval``, with the limit of the specification, and return the axes.

    ``f`` takes one array and returns an array of the same shape and dtype; ``name``: the built-in of one argument that
    it computes. ``interval``: the least and the greatest argument; ``points`` numbers of ``format`` (half, float or
    double) are tried, evenly spaced. Errors are signed and measured before the exact value is rounded, so that correct
    rounding has errors up to 0.5 ulp. Dashed: the limit of ``profile`` in ``edition``. The worst input has its value as
    a hex float. ``ax``: the axes to plot on; by default, the axes of a new figure.

    Errors that are infinite or NaN (e.g. a number in place of NaN) are crosses at the upper edge.

    ImportError: no Matplotlib. ValueError: an unknown name, no interval, a result of another shape. TypeError: a result
    of another dtype.

    ``plot.error(np.sin, "sin", (0.0, 10.0))`` plots the errors of NumPy's sine of floats.
    """
    form = format_named(format, "plot.error()")
    x = _spaced(interval, form, points)
    allowed_error = limit(name, format, profile=profile, edition=edition)
    with np.errstate(all="ignore"):
        measured = ulp_error(f(x.copy()), name, (x,))
    if measured.shape != x.shape:
        raise errors.ShapeError(f"plot.error(): {name} has several results or arguments; name a function of one each")
    bound = _bound(allowed_error, name, x, form)
    axes = _new_axes("plot.error()") if ax is None else ax
    finite = np.isfinite(measured)
    beyond = np.abs(measured) > bound
    for chosen, colour, label in ((~beyond, WITHIN, "within the limit"), (beyond, BEYOND, "beyond the limit")):
        if (chosen & finite).any():
            axes.plot(x[chosen & finite], measured[chosen & finite], ".", color=colour, markersize=2, label=label)
    for sign in (-1.0, 1.0):
        axes.plot(
            x, sign * bound, "--", color=LIMIT, linewidth=1, label=f"limit: {allowed_error.text}" if sign > 0 else None
        )
    if not finite.all():
        edge = axes.get_xaxis_transform()  # the vertical place is a share of the height
        axes.plot(x[~finite], np.ones(np.sum(~finite)), "x", color=BEYOND, transform=edge, label="not a finite error")
    _name_worst(axes, x, np.where(finite, measured, 0.0))
    _scale(axes, np.abs(measured[finite]).max(initial=0.0))
    axes.margins(y=0.15)
    axes.set(xlabel="x", ylabel="error (ulp)")
    axes.set_title(f"{name}, {form.name}", loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, fontsize="small", frameon=False)
    return axes


def report(path: str | Path, functions: str | Sequence[str] = "*") -> Figure:
    """Plot the largest errors by binade of the argument that an audit has measured, and return the figure.

    ``path``: a file of ``clmath audit --json``. ``functions``: names or globs of built-ins. One curve for each
    argument of each case, at most 24: failing cases come first, then cases with the largest share of their limit.
    The scale of errors is logarithmic, errors beyond the limit have another colour; dashed: the limit. A case without
    measured errors (integers, conversions) has no curve.

    ImportError: no Matplotlib. ClmathError: the file is not a report, has no curve of these ``functions``, or was
    changed.
    """
    plt = _pyplot("plot.report()")
    curves = [(v, i) for v in sorted(_cases(path, functions, "plot.report()"), key=_rank) for i in _measured(v)][:MOST]
    if not curves:
        raise errors.ClmathError(
            f"plot.report(): {path} has no errors of {functions!r} to draw: all results are correctly rounded, or "
            "none was measured; plot.verdicts() shows the verdicts"
        )
    size = (9, 2.4 * len(curves))
    figure: Figure
    figure, axes = plt.subplots(len(curves), 1, figsize=size, squeeze=False, layout="constrained")
    for (verdict, i), ax in zip(curves, axes[:, 0], strict=True):
        _draw_curve(ax, verdict, i)
    return figure


def verdicts(path: str | Path, functions: str | Sequence[str] = "*") -> Verdicts:
    """Return the verdicts of an audit, which a notebook shows as a table.

    ``path`` and ``functions`` are as in ``report``. ClmathError: the file is not a report, or was changed.
    """
    return Verdicts(tuple(_cases(path, functions, "plot.verdicts()")))


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of an audit: ``len()`` is their number, ``str()`` has a line for each."""

    cases: tuple[Verdict, ...]

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.cases)

    def __str__(self) -> str:
        """Return a line for each case, with tabs between the columns."""
        return "\n".join("\t".join(_cells(v)) for v in self.cases)

    def _repr_html_(self) -> str:
        """Return the table of a notebook."""
        head = [element("th", text) for text in ("built-in", "type", "limit", "worst (ulp)", "at", "inputs", "verdict")]
        rows = [element("tr", *(element("td", text) for text in _cells(v))) for v in self.cases]
        return ET.tostring(table(head, rows), encoding="unicode", method="html")


def _cells(verdict: Verdict) -> tuple[str, ...]:
    """Return the texts of a case, as in the terminal's table."""
    item = verdict.item
    name = item.builtin.name + (f" {item.form}{item.components}" if item.components > 1 else "")
    tried = f"{verdict.tally.tried} {'sampled' if verdict.is_sampled else 'all'}"
    error = error_text(verdict.worst_error)
    return name, item.form.name, verdict.limit, error, worst_text(verdict), tried, verdict.with_share(verdict.status)


def _spaced(interval: tuple[float, float], form: Form, points: int) -> np.ndarray:
    """Return numbers of the format, evenly spaced over the interval."""
    ends = np.asarray(interval, np.float64) if isinstance(interval, tuple | list) else np.empty(0)
    with np.errstate(over="ignore"):
        are_finite = np.isfinite(ends.astype(form.dtype)).all()
    if ends.shape != (2,) or not are_finite or not ends[0] < ends[1]:
        rule = f"give two finite numbers of {form.name}, the smaller one first"
        raise errors.RangeError(f"plot.error(): {interval} is not an interval; {rule}")
    if not isinstance(points, int) or points < 1:
        raise errors.RangeError(f"plot.error(): points={points!r} is not a positive integer")
    low, high = ends
    return np.unique(np.linspace(low, high, points).astype(form.dtype))


def _bound(allowed_error: Any, name: str, x: np.ndarray, form: Form) -> np.ndarray:
    """Return the limit in ulp at each argument; half an ulp if equality is required."""
    (exact, *_) = reference.enclose(name, (x,), form)
    if not isinstance(exact, Enclosure):
        raise errors.DTypeError(f"plot.error(): results of {name} are integers, which have no error in ulp")
    bound = allowed_error.bound((x,), exact, form)
    return np.where(np.isnan(bound), EQUALITY, bound)


def _name_worst(axes: Axes, x: np.ndarray, measured: np.ndarray) -> None:
    """Write the largest error next to its point, toward the middle of the axes."""
    worst = int(np.argmax(np.abs(measured)))
    side = "left" if x[worst] < (x[0] + x[-1]) / 2 else "right"
    text = f"{measured[worst]:+.3g} ulp at {float(x[worst]).hex()}"
    place = (x[worst], measured[worst])
    axes.annotate(text, place, fontsize="small", ha=side, textcoords="offset points", xytext=(0, 6))


def _scale(axes: Axes, most: float) -> None:
    """Make the axis of errors logarithmic if errors are large."""
    if most > _LARGE:
        axes.set_yscale("symlog", linthresh=1.0)


def _cases(path: str | Path, functions: str | Sequence[str], call: str) -> Iterator[Verdict]:
    """Yield the verdicts of a file on the built-ins whose names match."""
    globs = [functions] if isinstance(functions, str) else list(functions)
    for one in several_reports.read(Path(path), call).reports.values():
        for verdict in one.rows:
            if any(fnmatch.fnmatchcase(verdict.item.builtin.name, glob) for glob in globs):
                yield verdict


def _measured(verdict: Verdict) -> Iterator[int]:
    """Return the numbers of the arguments over which errors were measured."""
    return (i for i, worst in enumerate(verdict.tally.spread.worst) if worst)


def _rank(verdict: Verdict) -> tuple[bool, float]:
    """Return a sort key: failing cases first, then by the share of the limit that the largest error takes."""
    share = share_of_limit(verdict)
    return verdict.status != "fail", 0.0 if math.isnan(share) else -share


def _draw_curve(ax: Axes, verdict: Verdict, i: int) -> None:
    """Plot the largest error of each binade, or part of one, of an argument."""
    item, worst, limits = verdict.item, verdict.tally.spread.worst[i], allowed(verdict)
    axis = Axis.of(item, [stretch for stretch, _ in worst])
    places = np.array([axis.places[stretch] for stretch, _ in worst])
    errors_found = np.array([error for _, error in worst])
    bound = np.array([limits.get(stretch, limits.get(ALL, math.inf)) for stretch, _ in worst])
    beyond = errors_found > bound
    for chosen, colour in ((~beyond, WITHIN), (beyond, BEYOND)):
        ax.bar(places[chosen], errors_found[chosen], width=1.0, align="edge", color=colour)
    order = np.argsort(places)
    ax.step(places[order], bound[order], "--", where="post", color=LIMIT, linewidth=1)
    _scale(ax, errors_found[np.isfinite(errors_found)].max(initial=0.0))
    labels = _apart(axis.labels(item.measured[i]))
    ax.set_xticks([share * axis.count for share, _ in labels], [text for _, text in labels], fontsize="small")
    target = f"{item.builtin.name}, {item.form.name}: {verdict.status}; limit {verdict.limit}"
    ax.set(xlim=(0, axis.count), ylabel="error (ulp)")
    ax.set_title(target, fontsize="medium")


def _apart(labels: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return the labels that do not overlap a more important one."""
    shown: list[tuple[float, str]] = []
    for share, text in labels:
        if all(abs(share - other) >= _APART for other, _ in shown):
            shown.append((share, text))
    return shown


def _new_axes(call: str) -> Axes:
    axes: Axes = _pyplot(call).subplots(figsize=(9, 4), layout="constrained")[1]
    return axes


def _pyplot(call: str) -> Any:
    try:
        from matplotlib import pyplot as plt
    except ImportError:
        raise errors.missing(call, "matplotlib", "plot") from None
    return plt
