"""Texts of OpenCL C kernels that call one built-in, or one of many, on every element of their buffers or groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clmath.audit.exact.exact_criteria import UNDEFINED
from clmath.audit.plan.exact_item import ExactItem, dimensions_of
from clmath.audit.plan.item import Item
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Rounding
from clmath.spec.builtins import Builtin, Parameter

ENTRY = "call"  # the kernel's name in every program
SELECTION = "cl_khr_select_fprounding_mode"  # the extension of OpenCL 1.0 with the pragma that selects a mode
_OPERATORS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "recip": "1 / {}"}
EXTENSIONS = {"half": "cl_khr_fp16", "double": "cl_khr_fp64"}
_NANCODES = {"half": "ushort", "float": "uint", "double": "ulong"}
_PLACES = {"sub_group": "get_sub_group_id", "local_id": "get_sub_group_local_id", "size": "get_sub_group_size"}


def element_type(kind: str, form: Format) -> str:
    """Return the OpenCL C type of one element of a parameter declared as ``kind`` (gentype, scalar, intn, nancode)."""
    if kind in ("gentype", "scalar"):
        return form.name
    return _NANCODES[form.name] if kind == "nancode" else kind.removesuffix("n")


def extensions(item: Item) -> tuple[str, ...]:
    """Return the extensions of OpenCL that a device must have for a case."""
    needed = {EXTENSIONS[name] for name in item.needs if name in EXTENSIONS}
    return tuple(sorted(needed | {name for name in (item.builtin.extension,) if name}))


def pragmas(needed: Iterable[str]) -> list[str]:
    """Return the lines before a program that needs types which are optional in OpenCL C."""
    return [f"#pragma OPENCL EXTENSION {name} : enable" for name in needed if name in EXTENSIONS.values()]


def program_text(parameters: Iterable[str], body: Iterable[str], before: Iterable[str] = (), entry: str = ENTRY) -> str:
    """Return the text of a program with a kernel, whose first parameter is ``n``, the number of calls."""
    kernel = f"__kernel void {entry}({', '.join(['ulong n', *parameters])})"
    return "\n".join([*before, kernel, "{", *(f"    {line}" for line in body), "}", ""])


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
    body = [
        "size_t i = get_global_id(0);",
        "if (i >= n) return;",
        *(f"{o.type} {o.value} = {o.load};" for o in inputs + outputs),
        f"{outputs[0].value} = {_call(row, form, inputs, outputs[1:])};",
        *(f"{o.store};" for o in outputs),
    ]
    return program_text(buffers, body, pragmas([EXTENSIONS.get(form.name, "")]), entry)


def _call(row: Builtin, form: Format, inputs: list[_Operand], pointers: list[_Operand]) -> str:
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


def slots_of(rows: Iterable[Builtin]) -> int:
    """Return the number of inputs of a kernel for all of these built-ins."""
    return max(len(row.inputs) for row in rows)


def group_source(items: Sequence[ExactItem], *, conditional: bool = False) -> str:
    """Return the program text: its kernel takes the number of calls, the number of a built-in, inputs, a result.

    The number of inputs is the largest of all built-ins. All items have the same number of components. Results that a
    built-in does not store are unchanged in their buffer. ``conditional``: for a compiler that gets the device's
    extensions as -D HAS_cl_khr_fp64 and the like, and -D ALONE=3 to compile only one built-in.
    """
    needed = sorted({name for item in items for name in extensions(item)})
    buffers = [f"__global const void *in{k}" for k in range(slots_of(item.builtin for item in items))]
    before = [line for name in needed for line in _under(f"defined HAS_{name}", pragmas([name]), conditional)]
    body = [
        "size_t i = get_global_id(0);",
        "if (i >= n) return;",
        "switch (which) {",
        *(line for number, item in enumerate(items) for line in _chosen(number, item, conditional)),
        "}",
    ]
    return program_text(["uint which", *buffers, "__global void *out"], body, before)


def _chosen(number: int, item: ExactItem, conditional: bool) -> Iterator[str]:
    """Yield the statements for one built-in."""
    lines = [f"case {number}: {{"]
    if item.builtin.chapter == "contraction":
        switch = item.builtin.name.split("_")[2].upper()
        lines += [] if switch == "NONE" else [f"#pragma OPENCL FP_CONTRACT {switch}"]
    lines += [*_statements(item), "    break; }"]
    present = "".join(f" && defined HAS_{name}" for name in extensions(item))
    yield from _under(f"(!defined ALONE || ALONE == {number}){present}", lines, conditional)


def _under(condition: str, lines: Sequence[str], conditional: bool) -> Iterator[str]:
    """Yield lines, under a condition of the preprocessor if they are ``conditional``."""
    yield from (f"#if {condition}", *lines, "#endif") if conditional and lines else lines


def _statements(item: ExactItem) -> Iterator[str]:
    row = item.builtin
    if item.is_macro and not row.formula:
        yield from (f"#ifdef {row.name}", f"    {_stored(item, row.name)};")
        yield from ("#else", f"    {_stored(item, str(UNDEFINED))};") if row.optional else ()
        yield "#endif"
    elif row.result == "storage":
        name, _, mode = row.name.partition("_half")
        yield f"    {name}_half{_components(item, row.result)}{mode}({_loaded(item, 0)}, i, (__global half *)out);"
    elif row.inputs[0].type == "storage":
        call = f"{row.name}{_components(item, 'storage')}(i, (__global const half *)in0)"
        yield f"    {_stored(item, call)};"
    elif row.result == "packed":
        components = ", ".join(f"((__global const {item.arguments[0]} *)in0)[{place}]" for place in _places(item))
        vector = f"({item.result.name}{item.components})({components})"
        yield f"    {row.name}{item.components}({vector}, i, (__global {item.result.name} *)out);"
    elif row.inputs[0].type == "packed":
        yield f"    {item.result.name}{item.components} v = {_loaded(item, 0)};"
        for component, place in enumerate(_places(item)):
            yield f"    ((__global {item.result.name} *)out)[{place}] = v.s{component:x};"
    else:
        yield f"    {_stored(item, _expression(item))};"


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


def work_group_source(item: ExactItem) -> str:
    """Return the program text: its kernel takes the number of groups, a buffer for each argument and for the result.

    Work-items are numbered by their linear local ids, so that groups may have one, two or three dimensions. A scalar
    argument is one number for each group. Functions of sub-groups have three more buffers: the number of a work-item's
    sub-group, its place there, and the size.
    """
    inputs = list(zip(item.builtin.inputs, item.arguments, strict=True))
    values = [f"in{k}[{'i' if item.has_components(p.type) else 'group'}]" for k, (p, _) in enumerate(inputs)]
    buffers = [f"__global const {type} *in{k}" for k, (_, type) in enumerate(inputs)]
    places = [p.name for p in item.builtin.outputs[1:]]
    outputs = [f"__global {item.result.name} *out", *(f"__global uint *{name}" for name in places)]
    stores = [f"out[i] = {_group_call(item, values)};", *(f"{name}[i] = {_PLACES[name]}();" for name in places)]
    body = [
        "const size_t x = get_local_size(0), y = get_local_size(1), z = get_local_size(2);",
        "const size_t group = get_group_id(0);",
        "size_t i = get_local_id(0) + x * (get_local_id(1) + y * (get_local_id(2) + z * group));",
        f"if (group < n) {{ {' '.join(stores)} }}",
    ]
    sub_groups = ("#ifdef cl_khr_subgroups", "#pragma OPENCL EXTENSION cl_khr_subgroups : enable", "#endif")
    before = [*pragmas(extensions(item)), *(sub_groups if places else ())]
    return program_text([*buffers, *outputs], body, before)


def _group_call(item: ExactItem, values: list[str]) -> str:
    """Return the call; if parameter and result are bool in the text and int in OpenCL C, every nonzero value is true.

    The number of a work-item is taken modulo the size of the sub-group, so that every sub-group has such a one. In a
    work-group it is split into one number for each dimension.
    """
    if item.builtin.inputs[-1].name == "sub_group_local_id":
        values = [values[0], f"{values[1]} % get_sub_group_size()"]
    if item.builtin.inputs[-1].name == "local_id":
        id = values[1]
        values[1:] = [(id,), (f"{id} % x", f"{id} / x"), (f"{id} % x", f"{id} / x % y", f"{id} / (x * y)")][
            dimensions_of(item.width) - 1
        ]
    if item.builtin.inputs[0].name == "predicate":
        return f"{item.builtin.name}({values[0]} != 0) != 0"
    return f"{item.builtin.name}({', '.join(values)})"
