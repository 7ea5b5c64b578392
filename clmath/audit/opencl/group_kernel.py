"""One OpenCL C kernel for many built-ins that are judged bit by bit; an argument selects the built-in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.exact.left_open import UNDEFINED
from clmath.audit.opencl.kernel import ENTRY, EXTENSIONS, extensions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.spec.builtins import Builtin

__all__ = ["ENTRY", "group_source", "slots_of"]


def slots_of(rows: Iterable[Builtin]) -> int:
    """Return the number of inputs of a kernel for all of these built-ins."""
    return max(len(row.inputs) for row in rows)


def group_source(items: Sequence[ExactItem], *, conditional: bool = False) -> str:
    """Return the program text: its kernel takes the number of calls, the number of a built-in, inputs, a result.

    The number of inputs is the largest of all built-ins. All items have the same number of components. Results that a
    built-in does not store are unchanged in their buffer. ``conditional``: for a compiler that gets the device's
    extensions as -D HAS_cl_khr_fp64 and the like, and -D ALONE=3 to compile only one built-in.
    """
    needed = sorted({name for item in items for name in extensions(item) if name in EXTENSIONS.values()})
    buffers = [f"__global const void *in{k}" for k in range(slots_of(item.builtin for item in items))]
    lines = [
        *(line for name in needed for line in _pragma(name, conditional)),
        f"__kernel void {ENTRY}(ulong n, uint which, {', '.join(buffers)}, __global void *out)",
        "{",
        "    size_t i = get_global_id(0);",
        "    if (i >= n) return;",
        "    switch (which) {",
        *(line for number, item in enumerate(items) for line in _chosen(number, item, conditional)),
        "    }",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _pragma(extension: str, conditional: bool) -> Iterator[str]:
    lines = [f"#pragma OPENCL EXTENSION {extension} : enable"]
    yield from _under(f"defined HAS_{extension}", lines) if conditional else lines


def _chosen(number: int, item: ExactItem, conditional: bool) -> Iterator[str]:
    lines = _case(number, item)
    present = "".join(f" && defined HAS_{name}" for name in extensions(item))
    yield from _under(f"(!defined ALONE || ALONE == {number}){present}", lines) if conditional else lines


def _under(condition: str, lines: Iterable[str]) -> Iterator[str]:
    yield from (f"#if {condition}", *lines, "#endif")


def _case(number: int, item: ExactItem) -> Iterator[str]:
    yield f"    case {number}: {{"
    if item.builtin.chapter == "contraction":
        switch = item.builtin.name.split("_")[2].upper()
        yield from () if switch == "NONE" else (f"#pragma OPENCL FP_CONTRACT {switch}",)
    yield from _statements(item)
    yield "        break; }"


def _statements(item: ExactItem) -> Iterator[str]:
    row = item.builtin
    if item.is_macro and not row.formula:
        yield from (f"#ifdef {row.name}", f"        {_stored(item, row.name)};")
        yield from ("#else", f"        {_stored(item, str(UNDEFINED))};") if row.optional else ()
        yield "#endif"
    elif row.result == "storage":
        name, _, mode = row.name.partition("_half")
        yield f"        {name}_half{_components(item, row.result)}{mode}({_loaded(item, 0)}, i, (__global half *)out);"
    elif row.inputs[0].type == "storage":
        call = f"{row.name}{_components(item, 'storage')}(i, (__global const half *)in0)"
        yield f"        {_stored(item, call)};"
    elif row.result == "packed":
        components = ", ".join(f"((__global const {item.arguments[0]} *)in0)[{place}]" for place in _places(item))
        vector = f"({item.result.name}{item.components})({components})"
        yield f"        {row.name}{item.components}({vector}, i, (__global {item.result.name} *)out);"
    elif row.inputs[0].type == "packed":
        yield f"        {item.result.name}{item.components} v = {_loaded(item, 0)};"
        for component, place in enumerate(_places(item)):
            yield f"        ((__global {item.result.name} *)out)[{place}] = v.s{component:x};"
    else:
        yield f"        {_stored(item, _expression(item))};"


def _places(item: ExactItem) -> list[str]:
    """Return the places of the components of vector i."""
    return [f"i * {item.components} + {component}" for component in range(item.components)]


def _expression(item: ExactItem) -> str:
    row = item.builtin
    values = {name: _loaded(item, k) for k, name in enumerate(row.names)}
    formula = row.operator or row.formula or row.uncontracted
    if formula:
        return " ".join(values.get(word, word) for word in formula.split())
    return f"{_name(item)}({', '.join(values.values())})"


def _name(item: ExactItem) -> str:
    """Return the name of the built-in in a call: convert_int4_sat if it takes vectors of four components."""
    type = f"_{item.builtin.result}"
    return item.builtin.called.replace(type, f"{type}{_components(item, item.builtin.result)}", 1)


def _components(item: ExactItem, kind: str) -> str:
    return str(item.components) if item.components > 1 and item.has_components(kind) else ""


def _loaded(item: ExactItem, k: int) -> str:
    """Return the expression that reads argument ``k`` of call i; vectors are tightly packed."""
    pointer = f"(__global const {item.arguments[k]} *)in{k}"
    components = "" if item.shared[k] else _components(item, item.builtin.inputs[k].type)
    return f"vload{components}(i, {pointer})" if components else f"(({pointer})[i])"


def _stored(item: ExactItem, value: str) -> str:
    pointer, components = f"(__global {item.result.name} *)out", _components(item, item.builtin.result)
    return f"vstore{components}({value}, i, {pointer})" if components else f"({pointer})[i] = {value}"
