"""Clmath's functions in the form in which an audit calls built-ins: arrays in, an array out."""

from __future__ import annotations

import functools

import numpy as np

import clmath
from clmath import constants
from clmath.audit.exact import groups
from clmath.audit.exact.exact_criteria import UNDEFINED
from clmath.audit.plan import printed_rows, sampled_rows
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import WIDTHS, item_for
from clmath.audit.plan.types import TEXT
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.host import Host, checked
from clmath.callables import AnyFunction
from clmath.errors import ClmathError
from clmath.numbers.formats import Format
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import Builtin
from clmath.spec.families import conversions_beyond, has_known_result, is_sampled, keywords, widens


class Clmath(Host):
    """The functions of this package, rounding to nearest even."""

    name = "clmath"
    widths = WIDTHS

    def describe(self) -> dict[str, str]:
        """Return the kind and the version."""
        return {"kind": "clmath", "version": clmath.__version__}

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the package has the function for ``form``."""
        computes = not form.extra or form in row.computed or row.chapter == "conversions"
        return computes and row.takes(form.name) and function_of(row, form) is not None

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Call the public function once on all elements."""
        try:
            item = item_for(row, form, args)
            function = function_of(row, form, vector=item.vector > 1)
            assert function is not None  # as defines has found
            by_component = (a[:, np.newaxis] if alone else a for a, alone in zip(args, item.shared, strict=True))
            return checked(self.name, row, form, args, function(*by_component))
        except (AttributeError, ClmathError) as error:
            raise TargetError(f"clmath: {error}") from None


def function_of(row: Builtin, form: Format, *, vector: bool = False) -> AnyFunction | None:
    """The function that computes a built-in, or None if clmath has none. ``vector``: whether it gets vectors."""
    if row.chapter in _CHAPTERS:
        return functools.partial(_CHAPTERS[row.chapter], row, form)
    if widens(row):
        return functools.partial(_widened, row, form)
    if row.name in conversions_beyond():
        mode = next((mode for mode in MODES if row.name.endswith(mode)), None)
        return functools.partial(clmath.convert, type=row.result, rounding=mode)  # type: ignore[arg-type] # it is one
    found: AnyFunction | None = getattr(clmath, row.called, None)
    named = keywords(row, vector=vector)
    return functools.partial(found, **named) if found is not None and named else found


def _widened(row: Builtin, form: Format, *args: np.ndarray) -> object:
    """Return the results of an operator on a vector and a scalar, which has no last axis."""
    return getattr(clmath, row.called)(*ExactItem(row, form, 2).widened(args), vector=True)


def _constant(row: Builtin, form: Format, items: np.ndarray) -> object:
    value = getattr(constants, row.name)
    return np.full(items.shape, value if value or not row.optional else UNDEFINED).astype(form.dtype)


def _read_or_written(row: Builtin, form: Format, x: np.ndarray) -> object:
    if is_sampled(row):
        return sampled_rows.computed(row, form.name, x)
    return getattr(clmath, row.name)(x, *(() if has_known_result(row) else (form.name,)))


def _memory(row: Builtin, form: Format, values: np.ndarray) -> object:  # noqa: ARG001 - one signature for all
    """Load or store consecutive vectors; aligned vectors of three components take the memory of four."""
    if row.moves_bits:
        return _moved(row, values)
    name, _, mode = row.name.partition("_half")
    function = getattr(clmath, f"{name}_half")
    width, offsets = values.shape[-1], np.arange(len(values))
    memory = np.zeros((len(values), 4 if width == 3 and 1 not in row.widths else width), np.float16)
    if row.inputs[0].type == "storage":
        memory[:, :width] = values
        return function(offsets, memory.reshape(-1), width).reshape(values.shape)
    vectors = values if width > 1 else values[:, 0]
    function(vectors, offsets, memory.reshape(-1), width, rounding=mode.removeprefix("_") or None)
    return memory[:, :width]


def _moved(row: Builtin, values: np.ndarray) -> object:
    offsets, width = np.arange(len(values)), values.shape[-1]
    if row.inputs[0].type == "packed":
        return clmath.vload(offsets, values.reshape(-1), width)
    memory = np.zeros(values.size, values.dtype)
    clmath.vstore(values, offsets, memory)
    return memory.reshape(values.shape)


def _work_group(row: Builtin, form: Format, *args: np.ndarray) -> object:
    """Return the results of the work-items of groups; each whole group is one sub-group."""
    found = _returned(row, form, *args)
    return (found, *groups.one_sub_group(args[0].shape)) if row.outputs[1:] else found


def _returned(row: Builtin, form: Format, x: np.ndarray, *local_id: np.ndarray) -> np.ndarray:
    """Return the results of clmath's function for all work-items; the last axis is the axis of work-items."""
    name, over, op = groups.parts(ExactItem(row, form, x.shape[-1]))
    if over == "broadcast":
        values = _broadcast(getattr(clmath, name), x, local_id[0])[:, np.newaxis]
    elif over in ("all", "any"):
        values = getattr(clmath, name)(x)[:, np.newaxis].astype(form.dtype)
    else:
        found = getattr(clmath, name)(x, op)
        values = found[:, np.newaxis] if over == "reduce" else found
    return np.array(np.broadcast_to(values, x.shape))


def _broadcast(function: AnyFunction, x: np.ndarray, local_id: np.ndarray) -> np.ndarray:
    """Return one value for each group; a call takes one work-item for all groups."""
    values = np.empty(len(x), x.dtype)
    for number in np.unique(local_id).tolist():
        here = local_id == number
        values[here] = function(x[here], number)
    return values


def _print(row: Builtin, form: Format, *args: np.ndarray) -> object:
    """Return the text that sprintf gives for each call."""
    formats = printed_rows.formats_of(row, form.name)
    texts = [_text(row, formats[number], values) for *values, number in zip(*args, strict=True)]
    return np.array(printed_rows.stored_texts(texts), TEXT.dtype)


def _text(row: Builtin, format: str, values: list[np.generic]) -> str:
    """Return the text of one call; the value 0 of an earlier call of printf is a part of its format."""
    sprintf: AnyFunction = clmath.sprintf
    if printed_rows.has_several(row):
        return str(sprintf(format.replace(printed_rows.RETURNED, "0"), *printed_rows.passed(values, format)))
    components = printed_rows.given(values, format)
    if len(components) > 1:
        return str(sprintf(format, np.array(components)))
    return str(sprintf(format, components[0] if components else printed_rows.LITERAL))


def _expression(row: Builtin, form: Format, *args: np.ndarray) -> object:  # noqa: ARG001 - one signature for all
    """Return the value of an expression: without contraction every operation is rounded, with it only the sum."""
    return _EXPRESSIONS[row.formula or row.uncontracted][bool(row.formula)](*args)


def _sum_of_products(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> object:
    with clmath.fp_contract("ON"):
        return clmath.dot(np.stack([a, c], -1), np.stack([b, d], -1))


_EXPRESSIONS: dict[str, tuple[AnyFunction, AnyFunction]] = {
    "a * b + c": (lambda a, b, c: clmath.add(clmath.mul(a, b), c), clmath.fma),
    "a * b - c": (lambda a, b, c: clmath.sub(clmath.mul(a, b), c), lambda a, b, c: clmath.fma(a, b, -c)),
    "c - a * b": (lambda a, b, c: clmath.sub(c, clmath.mul(a, b)), lambda a, b, c: clmath.fma(-a, b, c)),
    "a * b + c * d": (
        lambda a, b, c, d: clmath.add(clmath.mul(a, b), clmath.mul(c, d)),
        _sum_of_products,
    ),
    "a * b - c * d": (
        lambda a, b, c, d: clmath.sub(clmath.mul(a, b), clmath.mul(c, d)),
        lambda a, b, c, d: _sum_of_products(a, b, -c, d),
    ),
}
"""Pairs of functions: with every operation rounded, and with only the sum rounded."""


_CHAPTERS: dict[str, AnyFunction] = {
    "constants": _constant,
    "contraction": _expression,
    "groups": _work_group,
    "images": _read_or_written,
    "memory": _memory,
    "printf": _print,
}
