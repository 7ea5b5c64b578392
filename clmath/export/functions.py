"""The text of one built-in: its kernels, the rounding of their enclosures, and the public functions."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.device.source import enclosing_functions, kinds, listed, narrowing_functions, templates
from clmath.export import climb, whole
from clmath.ir.printing import C_TYPES, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.export.climb import Result
    from clmath.export.request import Language, Request
    from clmath.ir.program import Kind
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["FORMS", "Function", "declarations", "filled", "source"]

_SUFFIXES = {"half": "_h", "float": "f", "double": ""}  # suffixes of the names of functions
TYPES = {"half": "clmath_half", "float": "float", "double": "double"}
FORMS = {type: name for name, type in TYPES.items()}
_INT = "int"


_template = templates(__file__)


def filled(name: str, fill: Mapping[str, object]) -> str:
    """Return a file of the folder ``templates`` with its fields filled."""
    return string.Template(_template(name)).substitute(fill)


class Function(NamedTuple):
    """A built-in in a format as callers see it."""

    row: Builtin
    form: Format

    @property
    def name(self) -> str:
        """Return the name of the function on numbers."""
        return f"clmath_{self.row.name}{_SUFFIXES[self.form.name]}"

    @property
    def results(self) -> tuple[Result, ...]:
        """The kernels of its results."""
        return climb.results(self.row, self.form)

    def type(self, declared: str) -> str:
        """Return the type in C of a parameter with this declaration."""
        return TYPES.get(self.form.name if declared == "gentype" else declared, _INT)

    @property
    def inputs(self) -> list[tuple[str, str]]:
        """Types and names of the arguments."""
        return [(self.type(p.type), p.name) for p in self.row.inputs]

    @property
    def outputs(self) -> list[tuple[str, str]]:
        """Types and names of the results; the first one is returned."""
        return [(self.type(p.type), p.name) for p in self.row.outputs]

    @property
    def declared(self) -> str:
        """The declaration in C of the function on numbers."""
        fill = _public_fill(self)
        return f"{fill['type']} {self.name}({fill['inputs']}{fill['more']}, clmath_rounding mode)"

    @property
    def has_ends(self) -> bool:
        """Whether a function for both ends of an interval exists, as for every single result that is rounded once."""
        return [type for type, _ in self.outputs] == [TYPES[self.form.name]] and not self.row.formula

    @property
    def is_whole(self) -> bool:
        """Whether its results need no enclosure."""
        return whole.is_whole(self.row)

    @property
    def is_complete(self) -> bool:
        """Whether every call is decided.

        True if only arithmetic is rounded, if anything; also for one argument in formats whose numbers were all tried.
        """
        known = all(result.kernel.is_exact for result in self.results)
        return known or (self.form.is_narrow and len(self.row.inputs) == 1)

    def value(self, type: str, name: str) -> str:
        """Return an argument as the number that kernels take; its encoding, if bits are moved."""
        known = "CODE" if self.row.moves_bits else "OF"
        return f"{known}_{self.form.name}({name})" if type != _INT else f"(double)({name})"

    def stored(self, type: str, code: str) -> str:
        """Return a result from its encoding."""
        return f"TO_{FORMS[type]}({code})" if type != _INT else f"(int)({code})"


def declarations(function: Function, language: Language) -> str:
    """Return the header's lines on a built-in in a format: on numbers, on both ends, and in C on arrays."""
    fill = _public_fill(function)
    texts = [filled("declaration.h", {"declared": function.declared})]
    texts += [filled("interval.h", fill)] * function.has_ends
    texts += [filled("array.h", fill)] * (language == "c")
    return "".join(texts)


def _public_fill(function: Function) -> dict[str, str]:
    type = TYPES[function.form.name]
    inputs = ", ".join(f"{type} {name}" for type, name in function.inputs)
    more = "".join(f", {type} *{name}" for type, name in function.outputs[1:])
    return {
        "name": function.name,
        "type": function.outputs[0][0],
        "inputs": inputs,
        "more": more,
        "number": type,
        "array": _array_parameters(function, "const ", ""),
    }


def _array_parameters(function: Function, const: str, space: str) -> str:
    """Return the arrays of arguments and of results."""
    read = [f"{space}{const}{type} *{name}" for type, name in function.inputs]
    return ", ".join(read + [f"{space}{type} *{name}" for type, name in function.outputs])


def source(row: Builtin, asked: Request) -> tuple[Tables, str]:
    """Return the tables of a built-in's file, and the text that follows them."""
    tables = Tables()
    functions = [Function(row, form) for form in asked.formats_of(row)]
    texts = [_kernel(row, kernel, tables) for kernel in _kernels(functions)]
    write = _whole if whole.is_whole(row) else _function
    texts += [write(function, asked.language, tables) for function in functions]
    return tables, "\n".join(texts)


def _kernels(functions: Sequence[Function]) -> list[Kernel]:
    """Return all kernels that functions use, each once."""
    results = [result for function in functions for result in function.results]
    return list(dict.fromkeys(kernel for result in results for kernel in (result.kernel, *climb.further(result))))


def _stem(row: Builtin, kernel: Kernel) -> str:
    """Return the prefix of a kernel's functions in the file of ``row``; files may be included in one another."""
    return f"clmath_{row.name}_{kernel.phase}_{kernel.name}_"


def _kernel(row: Builtin, kernel: Kernel, tables: Tables) -> str:
    """Return the functions of a kernel."""
    stem = _stem(row, kernel)
    if kernel.is_integer:
        inputs: list[Kind] = ["double"] * len(row.inputs)
        return printed(f"{stem}values", trace(kernel.function, inputs, ["long"], tables))
    return "\n".join([enclosing_functions(kernel, tables, stem), narrowing_functions(kernel, tables, stem)])


def _whole(function: Function, language: Language, tables: Tables) -> str:
    """Return the functions of a built-in in a format that needs no enclosure."""
    fill = _scalar_fill(function) | _array_fill(function, language)
    texts = [whole.text(function.name, function.row, function.form, ["long"] * len(function.outputs), tables)]
    texts.append(filled("scalar.c", fill))
    if function.has_ends:
        texts.append(filled("interval_whole.c", fill))
    if language != "c":
        texts.append(filled("array_device.c", fill))
    elif function.row.moves_bits:
        texts.append(filled("array.c", fill))
    else:
        fill["stores_in_case"] = fill["stores"].replace("\n", f"\n{' ' * 8}")
        cases = [filled("array_case.c", fill | {"number": n, "mode": mode}) for n, mode in enumerate(MODES)]
        texts.append(filled("array_whole.c", fill | {"cases": "".join(cases)}))
    return "\n".join(texts)


def _function(function: Function, language: Language, _: Tables) -> str:
    """Return the functions of a built-in in a format, the inner ones first."""
    numbers = [
        filled("climb.c", _climb_fill(function, i, result))
        for i, result in enumerate(function.results)
        if not result.kernel.is_integer
    ]
    fill = _scalar_fill(function)
    texts = [*numbers, filled("scalar.c", fill)]
    if function.has_ends:
        texts.append(filled("interval.c", fill | _ends_fill(function)))
    fill |= _array_fill(function, language)
    if language != "c":
        texts.append(filled("array_device.c", fill))
    else:
        texts.append(
            filled("array_blocks.c", fill | _block_fill(function)) if function.has_ends else filled("array.c", fill)
        )
    return "\n".join(texts)


def _climb_fill(function: Function, number: int, result: Result) -> dict[str, str]:
    """Return the kernels that decide one result after the first kernel."""
    row, form, kernel = function.row, function.form, result.kernel
    stages = [_deciding(row, form, kernel, "p", refines=kernel.record.refine is not None)]
    if kernel.narrow:
        stages.append(_narrowing(row, form, kernel, "p"))
    for prefix, other in zip(string.ascii_lowercase, climb.further(result), strict=False):
        stages.append(_finding(row, form, other, prefix))
        if other.narrow:
            stages.append(_narrowing(row, form, other, prefix))
    return {
        "name": f"{function.name}_climb{number}",
        "what": f"{row.name} in {form}",
        "inputs": ", ".join(f"const double x{i}" for i in range(len(row.inputs))),
        "parts": ", ".join(f"{C_TYPES[kind]} p{i}" for i, kind in enumerate(kinds(kernel))),
        "stages": "    if (*low == *high) return true;\n".join(stages),
        "unused": "".join(f"(void)x{i}; " for i in range(len(row.inputs))),
    }


def _values(row: Builtin) -> str:
    return listed("x", len(row.inputs))


def _deciding(row: Builtin, form: Format, kernel: Kernel, prefix: str, *, refines: bool) -> str:
    """Return the lines that find exact results among parts, and round them."""
    parts, stem = listed(prefix, len(kernel.parts)), _stem(row, kernel)
    targets = listed(f"&{prefix}", len(kernel.parts))
    refine = f"    {stem}refine({_values(row)}, {parts}, {_tables(row)}, {targets});\n" if refines else ""
    return f"{refine}    clmath_ends_{form}_of_{kernel.phase}(mode, {_tables(row)}, {parts}, code, low, high);\n"


def _narrowing(row: Builtin, form: Format, kernel: Kernel, prefix: str) -> str:
    """Return the lines that narrow the parts of a kernel, and decide again."""
    parts, targets = listed(prefix, len(kernel.parts)), listed(f"&{prefix}", len(kernel.parts))
    narrow = f"    {_stem(row, kernel)}narrow({_values(row)}, {parts}, {_tables(row)}, {targets});\n"
    return narrow + _deciding(row, form, kernel, prefix, refines=False)


def _finding(row: Builtin, form: Format, kernel: Kernel, prefix: str) -> str:
    """Return the lines that evaluate another kernel, and decide with its parts."""
    targets = listed(f"&{prefix}", len(kernel.parts))
    declared = " ".join(f"{C_TYPES[kind]} {prefix}{i};" for i, kind in enumerate(kinds(kernel)))
    find = f"    {_stem(row, kernel)}find({_values(row)}, {_tables(row)}, {targets});\n"
    return f"    {declared}\n{find}{_deciding(row, form, kernel, prefix, refines=kernel.record.refine is not None)}"


def _tables(row: Builtin) -> str:
    return f"clmath_{row.name}_tables"


def _scalar_fill(function: Function) -> dict[str, str]:
    """Return the common part of the functions on numbers."""
    row, outputs = function.row, function.outputs
    kind = "Long" if row.moves_bits else "double"
    passed = ", ".join(function.value(type, name) for type, name in function.inputs)
    stored = [f"*{name} = {function.stored(type, f'code{i}')};" for i, (type, name) in enumerate(outputs)]
    return _public_fill(function) | {
        "row": row.name,
        "tables": _tables(row),
        "numbers": ", ".join(f"const {kind} x{i}" for i in range(len(row.inputs))),
        "values": _values(row),
        "codes": ", ".join(f"Long *r{i}" for i in range(len(outputs))),
        "declared": f"Long {', '.join(f'code{i} = 0' for i in range(len(outputs)))};",
        "found": listed("&code", len(outputs)),
        "passed": passed,
        "finding": "".join(_evaluating(function)),
        "stored": "".join(f"    {line}\n" for line in stored[1:]),
        "returned": function.stored(outputs[0][0], "code0"),
        "low": function.stored(outputs[0][0], "low"),
        "high": function.stored(outputs[0][0], "high"),
    }


def _ends_fill(function: Function) -> dict[str, str]:
    """Return the fields for computing both ends."""
    first = function.results[0].kernel
    return {
        "stem": _stem(function.row, first),
        "parts": " ".join(f"{C_TYPES[kind]} p{i};" for i, kind in enumerate(kinds(first) * first.results)),
        "targets": listed("&p", len(first.parts)),
        "p": listed("p", len(first.parts)),
        "at_once": f"clmath_at_once_{function.form}{'_wide' * first.record.is_wide}",
    }


def _evaluating(function: Function) -> Iterator[str]:
    """Yield the lines that evaluate every result."""
    row, count = function.row, 0
    if function.is_whole:
        values, codes = _values(row), listed("r", len(function.outputs))
        of_all = f"_moved({values}, {_tables(row)}" if row.moves_bits else f"_in_mode(mode, {_tables(row)}, {values}"
        yield f"    {function.name}{of_all}, {codes});\n"
    for i, result in enumerate(function.results):
        kernel = result.kernel
        if kernel.is_integer:
            yield f"    {_stem(row, kernel)}values({_values(row)}, {_tables(row)}, r{i});\n"
            continue
        first = count
        if result.number == 0:
            parts = kinds(kernel) * kernel.results
            declared = " ".join(f"{C_TYPES[kind]} p{first + n};" for n, kind in enumerate(parts))
            targets = ", ".join(f"&p{first + n}" for n in range(len(parts)))
            yield f"    {declared}\n    {_stem(row, kernel)}find({_values(row)}, {_tables(row)}, {targets});\n"
        count += len(kernel.parts)
        names = ", ".join(f"p{first + n}" for n in range(len(kernel.parts)))
        yield filled(
            "result.c",
            {
                "at_once": f"clmath_at_once_{function.form}{'_wide' * kernel.record.is_wide}",
                "climb": f"{function.name}_climb{i}",
                "tables": _tables(row),
                "values": _values(row),
                "parts": names,
                "i": i,
            },
        )


def _array_fill(function: Function, language: Language) -> dict[str, str]:
    space = "" if language == "c" else "GLOBAL "
    inputs = ", ".join(function.value(type, f"{name}[i]") for type, name in function.inputs)
    stored = [f"{name}[i] = {function.stored(type, f'code{i}')};" for i, (type, name) in enumerate(function.outputs)]
    return {
        "array": _array_parameters(function, "const ", space),
        "elements": inputs,
        "stores": "\n        ".join(stored),
    }


def _block_fill(function: Function) -> dict[str, str]:
    """Return the fields for computing blocks of a function with one result."""
    row, kernel = function.row, function.results[0].kernel
    parts = kinds(kernel)
    names = [name for _, name in function.inputs]
    fill = {
        "stem": _stem(row, kernel),
        "row": row.name,
        "elements": ", ".join(function.value(type, f"{name}[i]") for type, name in function.inputs),
        "targets": ", ".join(f"&p{i}[i]" for i in range(len(parts))),
    }
    return {
        "sources": ", ".join(f"const {type} *restrict {name}" for type, name in function.inputs),
        "enclosures": ", ".join(f"{C_TYPES[kind]} *restrict p{i}" for i, kind in enumerate(parts)),
        "ways": _ways(kernel, fill),
        "room": " ".join(f"{C_TYPES[kind]} p{i}[BLOCK];" for i, kind in enumerate(parts)),
        "pointers": ", ".join(f"{name} + first" for name in names),
        "arrays": listed("p", len(parts)),
        "rounding": f"{function.form}{'_wide' * kernel.record.is_wide}",
        "parts_of_one": ", ".join(f"p{i}[j]" for i in range(len(parts))),
        "stored_one": function.stored(function.outputs[0][0], "codes[j]"),
    }


def _ways(kernel: Kernel, fill: Mapping[str, str]) -> str:
    """Return the loops over a block; if the kernel has one for the main range, it is used if all numbers are in it."""
    if kernel.record.ordinary is None:
        return filled("way.c", {**fill, "way": "find"})
    ways = {way: filled("way.c", {**fill, "way": way}) for way in ("ordinary", "general")}
    return filled("ways.c", {**fill, **ways})
