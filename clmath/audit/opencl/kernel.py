"""The OpenCL C kernel that calls one built-in on every element of its buffers, written from its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin, Parameter

__all__ = [
    "ENTRY",
    "EXTENSIONS",
    "SELECTION",
    "element_type",
    "extensions",
    "is_operator",
    "kernel_source",
    "selecting",
]

ENTRY = "call"  # the kernel's name in every program
SELECTION = "cl_khr_select_fprounding_mode"  # the extension of OpenCL 1.0 with the pragma that selects a mode
_OPERATORS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "recip": "1 / {}"}
EXTENSIONS = {"half": "cl_khr_fp16", "double": "cl_khr_fp64"}
_NANCODES = {"half": "ushort", "float": "uint", "double": "ulong"}


def element_type(kind: str, form: Format) -> str:
    """Return the OpenCL C type of one element of a parameter declared as ``kind`` (gentype, scalar, intn, nancode)."""
    if kind in ("gentype", "scalar"):
        return form.name
    return _NANCODES[form.name] if kind == "nancode" else kind.removesuffix("n")


def extensions(item: Item) -> tuple[str, ...]:
    """Return the extensions of OpenCL that a device must have for a case."""
    needed = {EXTENSIONS[name] for name in item.needs if name in EXTENSIONS}
    return tuple(sorted(needed | {name for name in (item.builtin.extension,) if name}))


def is_operator(row: Builtin) -> bool:
    """Whether ``row`` is written as an operator: a selected mode applies to operators, functions keep theirs."""
    return row.called in _OPERATORS


def selecting(mode: Rounding) -> str:
    """Return the text before a program whose operators are to round in ``mode``."""
    return f"#pragma OPENCL EXTENSION {SELECTION} : enable\n#pragma OPENCL SELECT_ROUNDING_MODE {mode}\n"


def kernel_source(row: Builtin, form: Format, width: int = 1, entry: str = ENTRY) -> str:
    """Return the program text for ``row`` in ``form``, with vectors of ``width`` components.

    Its parameters are the number of elements, then one buffer per input, then one buffer per result. Results are first
    read from their buffers, so that a built-in that does not store a result leaves the buffer unchanged.
    """
    inputs = [_Operand("in", i, p, form, width) for i, p in enumerate(row.inputs)]
    outputs = [_Operand("out", i, p, form, width) for i, p in enumerate(row.outputs)]
    buffers = [f"__global const {o.element} *{o.name}" for o in inputs]
    buffers += [f"__global {o.element} *{o.name}" for o in outputs]
    lines = [
        *_pragma(form),
        f"__kernel void {entry}(ulong n, {', '.join(buffers)})",
        "{",
        "    size_t i = get_global_id(0);",
        "    if (i >= n) return;",
        *(f"    {o.type} {o.value} = {o.load};" for o in inputs + outputs),
        f"    {outputs[0].value} = {_expression(row, form, inputs, outputs[1:])};",
        *(f"    {o.store};" for o in outputs),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _pragma(form: Format) -> list[str]:
    extension = EXTENSIONS.get(form.name)
    return [f"#pragma OPENCL EXTENSION {extension} : enable"] if extension else []


def _expression(row: Builtin, form: Format, inputs: list[_Operand], pointers: list[_Operand]) -> str:
    values = [o.value for o in inputs]
    if row.called in _OPERATORS:
        expression = _OPERATORS[row.called].format(*values)
        return expression.replace("1 /", f"({form.name})1 /")
    return f"{row.name}({', '.join([*values, *(f'&{o.value}' for o in pointers)])})"


class _Operand:
    """A buffer, and the private variable that holds the current element."""

    def __init__(self, role: str, index: int, parameter: Parameter, form: Format, width: int) -> None:
        self.name = f"{role}{index}"
        self.value = f"{role[0]}{index}"
        self.element = element_type(parameter.type, form)
        self.components = "" if width == 1 or parameter.type == "scalar" else str(width)
        self.type = self.element + self.components

    @property
    def load(self) -> str:
        """The expression that reads element i; vectors of 3 are tightly packed."""
        return f"vload{self.components}(i, {self.name})" if self.components else f"{self.name}[i]"

    @property
    def store(self) -> str:
        """The statement that writes element i."""
        return (
            f"vstore{self.components}({self.value}, i, {self.name})"
            if self.components
            else f"{self.name}[i] = {self.value}"
        )
