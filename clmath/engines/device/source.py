"""The text of programs for a device: traced functions, and the entries that apply them to buffers.

The texts of OpenCL C and CUDA C differ only in their headers, which define each operation.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath.engines.device.ends import again, at_once
from clmath.ir.printing import C_TYPES, function, listed, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.kernels import exact
from clmath.numbers.rounded_encodings import MODE_NUMBERS, half_value
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clmath.ir.program import Kind, Program
    from clmath.kernels import Kernel
    from clmath.numbers.rounding import Rounding

Language: TypeAlias = Literal["opencl", "cuda"]
WORDS = {"half": "Short", "float": "Word", "double": "Double"}  # types in which encodings are stored
_ELEMENTS = {"half": "Short", "float": "float", "double": "double", "int": "int"}  # types in buffers of arguments
_DECISION: tuple[Kind, ...] = ("long", "bool")  # an encoding, and a condition
_ARITHMETIC = {"double_add": "+", "double_sub": "-", "double_mul": "*", "double_div": "/"}
_BITWISE, _ORDER = {"and": "&", "or": "|", "xor": "^"}, {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_EVERYWHERE = {
    f"{kind}_{name}": sign
    for kind, signs in (("double", _ORDER | {"eq": "==", "ne": "!="}), ("long", _BITWISE | _ORDER), ("bool", _BITWISE))
    for name, sign in signs.items()
}
OPERATORS = _ARITHMETIC | _EVERYWHERE


@dataclass(frozen=True)
class Source:
    """A program's text, without the header of a language, its one entry, and the tables of its calls."""

    entry: str
    text: str
    tables: NDArray[np.float64]


def templates(module: str) -> Callable[[str], str]:
    """Return the function that reads a file of the folder ``templates`` next to a module."""
    folder = Path(module).with_name("templates")
    return functools.cache(lambda name: (folder / name).read_text(encoding="utf-8"))


template = templates(__file__)


def header(language: Language) -> str:
    """Return the text that precedes a program: the definitions of its operations in ``language``."""
    return with_operators(template(f"{language}.h"))


def with_operators(text: str) -> str:
    """Return a header with the operations of all languages, and the arithmetic that some have as operators."""
    arithmetic, operators = (
        "\n".join(f"#define {name}(a, b) ((a) {sign} (b))" for name, sign in signs.items())
        for signs in (_ARITHMETIC, _EVERYWHERE)
    )
    operations = f"{template('operations.h')}{operators}"
    return Template(text).substitute(double_arithmetic=arithmetic, operations=operations)


def kinds(kernel: Kernel) -> list[Kind]:
    """Return the kinds of the parts of one enclosure of ``kernel``."""
    return ["long" if part == "exponent" else "double" for part in kernel.parts]


def arguments(kernel: Kernel) -> int:
    """Return the number of arguments of ``kernel``."""
    return len(inspect.signature(kernel.function).parameters)


def enclosing_functions(kernel: Kernel, tables: Tables, stem: str = "") -> str:
    """Return ``find``, which encloses every result, by the code path of the element's argument, and perhaps ``refine``.

    ``refine`` takes the arguments and the parts of one result, and returns these with exact results found. ``stem``:
    the prefix of the names of all functions.
    """
    inputs, parts = _doubles(arguments(kernel)), kinds(kernel)
    found = parts * kernel.results
    if kernel.is_exact:
        return _by_values(kernel, inputs, tables, stem)
    general = f"{stem}general" if kernel.record.ordinary else f"{stem}find"
    texts = [printed(general, trace(kernel.function, inputs, found, tables))]
    if kernel.record.ordinary is not None:
        holds, ordinary = kernel.record.ordinary
        texts += [
            printed(f"{stem}is_ordinary", trace(holds, inputs, ["bool"], tables)),
            printed(f"{stem}ordinary", trace(ordinary, inputs, found, tables)),
            _by_its_way(len(inputs), found, stem),
        ]
    if kernel.record.refine is not None:
        texts.append(printed(f"{stem}refine", trace(kernel.record.refine, inputs + parts, parts, tables)))
    return "\n".join(texts)


def narrowing_functions(kernel: Kernel, tables: Tables, stem: str = "") -> str:
    """Return ``narrow``, which takes the arguments of ``refine`` and narrows enclosures; empty without one."""
    narrow = kernel.narrow
    if narrow is None:
        return ""
    inputs, parts = _doubles(arguments(kernel)), kinds(kernel)
    return printed(f"{stem}narrow", trace(narrow, inputs + parts, parts, tables))


def _doubles(count: int) -> list[Kind]:
    return ["double"] * count


def _by_its_way(count: int, found: Sequence[Kind], stem: str) -> str:
    """Return the function that chooses the code path of an element."""
    values, targets = listed("v", count), listed("r", len(found))
    lines = [
        "bool holds;",
        f"{stem}is_ordinary({values}, tables, &holds);",
        f"if (holds) {stem}ordinary({values}, tables, {targets});",
        f"else {stem}general({values}, tables, {targets});",
    ]
    return function(f"{stem}find", _doubles(count), [C_TYPES[kind] for kind in found], lines)


def _by_values(kernel: Kernel, inputs: Sequence[Kind], tables: Tables, stem: str) -> str:
    """Return ``find`` of a kernel whose function gives exact values."""
    parts, count = kinds(kernel), len(kernel.parts)
    enclose = exact.in_two if "lo" in kernel.parts else exact.in_one
    lines = [
        f"double {listed('y', kernel.results)};",
        f"{stem}values({listed('v', len(inputs))}, tables, {listed('&y', kernel.results)});",
    ]
    for n in range(kernel.results):
        targets = ", ".join(f"r{n * count + i}" for i in range(count))
        lines.append(f"{stem}enclose(y{n}, tables, {targets});")
    texts = [
        printed(f"{stem}values", trace(kernel.function, inputs, _doubles(kernel.results), tables)),
        printed(f"{stem}enclose", trace(enclose, ["double"], parts, tables)),
        function(f"{stem}find", _doubles(len(inputs)), _all_types(kernel), lines),
    ]
    return "\n".join(texts)


def in_each_mode(
    name: str,
    parts: Sequence[Kind],
    programs: Iterable[Program],
    outputs: Sequence[Kind] = _DECISION,
    modes: Sequence[Rounding] = MODES,
) -> str:
    """Return the function ``name`` that runs the program of its ``mode``: one compilation serves all launches."""
    texts = [printed(f"{name}_{mode}", program) for mode, program in zip(modes, programs, strict=True)]
    inputs = ", ".join(f"const {C_TYPES[kind]} v{i}" for i, kind in enumerate(parts))
    targets = ", ".join(f"{C_TYPES[kind]} *r{i}" for i, kind in enumerate(outputs))
    values, stored = listed("v", len(parts)), listed("r", len(outputs))
    cases = "".join(
        f"        case {MODE_NUMBERS[mode]}: {name}_{mode}({values}, tables, {stored}); break;\n" for mode in modes
    )
    head = f"FUNCTION void {name}(const int mode, TABLE, {inputs}, {targets}) {{\n    switch (mode) {{\n"
    return "\n".join([*texts, f"{head}{cases}    }}\n}}\n"])


def rounding_functions(kernel: Kernel, form: str, tables: Tables, modes: Sequence[Rounding] = MODES) -> str:
    """Return ``at_once`` and ``decide``, which take one of ``modes`` and the parts of one result."""
    parts, is_wide = kinds(kernel), kernel.record.is_wide
    programs = (trace(at_once, parts, _DECISION, tables, form, MODE_NUMBERS[mode], is_wide) for mode in modes)
    first = in_each_mode("at_once", parts, programs, modes=modes)
    return "\n".join([first, deciding_function(kernel, form, tables, modes)])


def deciding_function(kernel: Kernel, form: str, tables: Tables, modes: Sequence[Rounding] = MODES) -> str:
    """Return the function ``decide``."""
    parts = kinds(kernel)
    programs = (trace(again, parts, _DECISION, tables, form, MODE_NUMBERS[mode]) for mode in modes)
    return in_each_mode("decide", parts, programs, modes=modes)


def rounded(kernel: Kernel, form: str, types: Sequence[str]) -> Source:
    """Return the program that rounds every result to ``form`` in a mode, and flags the undecided elements."""
    tables, fill = Tables(), entry(kernel, types)
    fill["codes"] = ", ".join(f"GLOBAL {WORDS[form]} *codes{n}" for n in range(kernel.results))
    fill["roundings"] = "\n    ".join(_rounding(kernel, form, n) for n in range(kernel.results))
    functions = [
        reading(types, tables),
        enclosing_functions(kernel, tables),
        rounding_functions(kernel, form, tables),
    ]
    return _source("rounded", functions, fill, tables)


def integers(kernel: Kernel, types: Sequence[str]) -> Source:
    """Return the program that stores the int results of ``kernel``."""
    tables, fill = Tables(), entry(kernel, types)
    functions = [
        reading(types, tables),
        printed("values", trace(kernel.function, _doubles(len(types)), ["long"], tables)),
    ]
    lines = [fill["arguments"], "Long found;", f"values({fill['values']}, tables, &found);", "targets[i] = (int)found;"]
    return on_each("integers", functions, [fill["sources"], "GLOBAL int *targets"], lines, tables)


def narrowed(kernel: Kernel, types: Sequence[str]) -> Source:
    """Return the program that rounds listed elements to double by narrower enclosures, and lists undecided ones."""
    assert kernel.narrow, kernel
    tables, fill = Tables(), entry(kernel, types)
    fill["refine"], fill["parts_found"] = refining(kernel, 0), ", ".join(parts_of(kernel, 0))
    functions = [
        reading(types, tables),
        enclosing_functions(kernel, tables),
        narrowing_functions(kernel, tables),
        deciding_function(kernel, "double", tables),
    ]
    return _source("narrowed", functions, fill, tables)


def reading(types: Sequence[str], tables: Tables) -> str:
    """Return the function that reads halves, if any are read."""
    return printed("half_value", trace(half_value, ["long"], ["double"], tables)) if "half" in types else ""


def on_each(name: str, functions: list[str], buffers: list[str], lines: list[str], tables: Tables) -> Source:
    """Return the program ``name`` that runs ``lines`` for each element i of a range."""
    body = "\n        ".join(line for line in lines if line)
    return _source("each", functions, {"name": name, "buffers": ", ".join(buffers), "body": body}, tables, name)


def _source(file: str, functions: list[str], fill: dict[str, str], tables: Tables, name: str = "") -> Source:
    text = Template(template(f"{file}.c")).substitute(fill)
    return Source(name or file, "\n".join([*functions, text]), tables.entries)


def _all_types(kernel: Kernel) -> list[str]:
    return [C_TYPES[kind] for kind in kinds(kernel) * kernel.results]


def entry(kernel: Kernel, types: Sequence[str]) -> dict[str, str]:
    """Return the beginning of all entries: the arguments from their buffers, and the parts to find."""
    parts = _all_types(kernel)
    return {
        "sources": ", ".join(f"GLOBAL const {_ELEMENTS[type]} *all_x{i}" for i, type in enumerate(types)),
        "arguments": "\n    ".join(_argument(i, type) for i, type in enumerate(types)),
        "values": listed("x", len(types)),
        "parts": "\n    ".join(f"{type} p{i};" for i, type in enumerate(parts)),
        "found": listed("&p", len(parts)),
    }


def _argument(i: int, type: str) -> str:
    """Return the lines that read an argument."""
    if type == "half":
        return f"double x{i};\n    half_value((Long)all_x{i}[i], tables, &x{i});"
    read = "widened" if type == "float" else "(double)"
    return f"const double x{i} = {read}(all_x{i}[i]);"


def parts_of(kernel: Kernel, n: int) -> list[str]:
    """Return the names of the parts of result number ``n``."""
    count = len(kernel.parts)
    return [f"p{i}" for i in range(n * count, (n + 1) * count)]


def refining(kernel: Kernel, n: int) -> str:
    """Return the call that finds the exact results of result number ``n``, if there is one."""
    if kernel.record.refine is None:
        return ""
    parts = parts_of(kernel, n)
    values = ", ".join([listed("x", arguments(kernel)), *parts])
    return f"refine({values}, tables, {', '.join(f'&{part}' for part in parts)});"


def _rounding(kernel: Kernel, form: str, n: int) -> str:
    """Return the block that rounds result number ``n``."""
    fill = {"n": n, "parts": ", ".join(parts_of(kernel, n)), "refine": refining(kernel, n), "word": WORDS[form]}
    return Template(template("rounding.c")).substitute(fill).strip()
