"""The text of one built-in: its kernels, the rounding of their enclosures, and the public functions."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.device.source import enclosing_functions, kinds, narrowing_functions, templates
from clmath.export import climb, whole
from clmath.ir.printing import C_TYPES, listed, printed
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
        fill = _fields(self)
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
    fill = _fields(function)
    texts = [filled("declaration.h", {"declared": function.declared})]
    texts += [filled("interval.h", fill)] * function.has_ends
    texts += [filled("array.h", fill)] * (language == "c")
    return "".join(texts)


def source(row: Builtin, asked: Request) -> tuple[Tables, str]:
    """Return the tables of a built-in's file, and the text that follows them."""
    tables = Tables()
    functions = [Function(row, form) for form in asked.formats_of(row)]
    texts = [_Used(row, kernel).text(tables) for kernel in _kernels(functions)]
    texts += [_function(function, asked.language, tables) for function in functions]
    return tables, "\n".join(texts)


def _kernels(functions: Sequence[Function]) -> list[Kernel]:
    """Return all kernels that functions use, each once."""
    results = [result for function in functions for result in function.results]
    return list(dict.fromkeys(kernel for result in results for kernel in (result.kernel, *climb.further(result))))


class _Used(NamedTuple):
    """A kernel in the file of a built-in, and the calls of its functions; its parts are a ``prefix`` and a number."""

    row: Builtin
    kernel: Kernel

    @property
    def stem(self) -> str:
        """The prefix of its functions, which differs from file to file: files may be included in one another."""
        return f"clmath_{self.row.name}_{self.kernel.phase}_{self.kernel.name}_"

    def text(self, tables: Tables) -> str:
        """Return its functions."""
        if self.kernel.is_integer:
            inputs: list[Kind] = ["double"] * len(self.row.inputs)
            return printed(f"{self.stem}values", trace(self.kernel.function, inputs, ["long"], tables))
        of_kernel = self.kernel, tables, self.stem
        return "\n".join([enclosing_functions(*of_kernel), narrowing_functions(*of_kernel)])

    def called(self, function: str, *arguments: str) -> str:
        """Return the line that calls one of its functions; the tables come before the last of ``arguments``."""
        *read, written = arguments
        given = ", ".join([_values(self.row), *read, _tables(self.row), written])
        return f"    {self.stem}{function}({given});\n"

    def declaration(self, prefix: str, first: int = 0) -> str:
        """Return the declaration of the parts of all its results, numbered from ``first`` on."""
        parts = enumerate(kinds(self.kernel) * self.kernel.results, first)
        return " ".join(f"{C_TYPES[kind]} {prefix}{i};" for i, kind in parts)

    def finding(self, prefix: str, first: int = 0) -> str:
        """Return the lines that evaluate its enclosures."""
        count = len(kinds(self.kernel)) * self.kernel.results
        targets = ", ".join(f"&{prefix}{first + i}" for i in range(count))
        return f"    {self.declaration(prefix, first)}\n{self.called('find', targets)}"

    def deciding(self, form: Format, prefix: str) -> Iterator[str]:
        """Yield the lines that find exact results among its parts and round, then the lines that narrow the parts."""
        names, targets = (listed(f"{sign}{prefix}", len(self.kernel.parts)) for sign in ("", "&"))
        ends = f"clmath_ends_{form}_of_{self.kernel.phase}"
        rounds = f"    {ends}(mode, {_tables(self.row)}, {names}, code, low, high);\n"
        refine = self.called("refine", names, targets) if self.kernel.record.refine is not None else ""
        yield f"{refine}{rounds}"
        if self.kernel.narrow:
            yield f"{self.called('narrow', names, targets)}{rounds}"


def _function(function: Function, language: Language, tables: Tables) -> str:
    """Return the functions of a built-in in a format, the inner ones first."""
    fill = _fields(function, language)
    if function.is_whole:
        texts = [whole.text(function.name, function.row, function.form, ["long"] * len(function.outputs), tables)]
    else:
        results = [(i, result) for i, result in enumerate(function.results) if not result.kernel.is_integer]
        texts = [filled("climb.c", _climb_fill(function, i, result)) for i, result in results]
    texts.append(filled("scalar.c", fill))
    if function.has_ends:
        ends = {} if function.is_whole else _ends_fill(function)
        texts.append(filled("interval.c" if ends else "interval_whole.c", fill | ends))
    return "\n".join([*texts, _array(function, language, fill)])


def _array(function: Function, language: Language, fill: dict[str, str]) -> str:
    """Return the function on arrays."""
    if language != "c":
        return filled("array_device.c", fill)
    if function.is_whole and not function.row.moves_bits:
        more = fill | {"stores_in_case": fill["stores"].replace("\n", f"\n{' ' * 8}")}
        cases = [filled("array_case.c", more | {"number": str(n), "mode": mode}) for n, mode in enumerate(MODES)]
        return filled("array_whole.c", fill | {"cases": "".join(cases)})
    if function.has_ends and not function.is_whole:
        return filled("array_blocks.c", fill | _block_fill(function, fill))
    return filled("array.c", fill)


def _climb_fill(function: Function, number: int, result: Result) -> dict[str, str]:
    """Return the kernels that decide one result after the first kernel."""
    row, form, kernel = function.row, function.form, result.kernel
    stages = [*_Used(row, kernel).deciding(form, "p")]
    for prefix, other in zip(string.ascii_lowercase, climb.further(result), strict=False):
        one, *more = _Used(row, other).deciding(form, prefix)
        stages += [_Used(row, other).finding(prefix) + one, *more]
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


def _tables(row: Builtin) -> str:
    return f"clmath_{row.name}_tables"


def _fields(function: Function, language: Language = "c") -> dict[str, str]:
    """Return the fields of the templates of a function: on numbers, on both ends and on arrays."""
    row, inputs, outputs = function.row, function.inputs, function.outputs
    number, kind = TYPES[function.form.name], "Long" if row.moves_bits else "double"
    space = "" if language == "c" else "GLOBAL "
    arrays = [f"{space}const {type} *{name}" for type, name in inputs]
    arrays += [f"{space}{type} *{name}" for type, name in outputs]
    stored = [(name, function.stored(type, f"code{i}")) for i, (type, name) in enumerate(outputs)]
    return {
        "name": function.name,
        "type": outputs[0][0],
        "inputs": ", ".join(f"{type} {name}" for type, name in inputs),
        "more": "".join(f", {type} *{name}" for type, name in outputs[1:]),
        "number": number,
        "array": ", ".join(arrays),
        "row": row.name,
        "tables": _tables(row),
        "numbers": ", ".join(f"const {kind} x{i}" for i in range(len(inputs))),
        "values": _values(row),
        "codes": ", ".join(f"Long *r{i}" for i in range(len(outputs))),
        "declared": f"Long {', '.join(f'code{i} = 0' for i in range(len(outputs)))};",
        "found": listed("&code", len(outputs)),
        "passed": ", ".join(function.value(type, name) for type, name in inputs),
        "elements": ", ".join(function.value(type, f"{name}[i]") for type, name in inputs),
        "finding": "".join(_evaluating(function)),
        "stored": "".join(f"    *{name} = {value};\n" for name, value in stored[1:]),
        "stores": "\n        ".join(f"{name}[i] = {value};" for name, value in stored),
        "returned": stored[0][1],
        "low": function.stored(outputs[0][0], "low"),
        "high": function.stored(outputs[0][0], "high"),
    }


def _ends_fill(function: Function) -> dict[str, str]:
    """Return the fields for computing both ends."""
    first = _Used(function.row, function.results[0].kernel)
    return {
        "stem": first.stem,
        "parts": first.declaration("p"),
        "targets": listed("&p", len(first.kernel.parts)),
        "p": listed("p", len(first.kernel.parts)),
        "at_once": f"clmath_at_once_{climb.name_of_rounding(function.form, first.kernel)}",
    }


def _evaluating(function: Function) -> Iterator[str]:
    """Yield the lines that evaluate every result."""
    row, count = function.row, 0
    if function.is_whole:
        values, codes = _values(row), listed("r", len(function.outputs))
        of_all = f"_moved({values}, {_tables(row)}" if row.moves_bits else f"_in_mode(mode, {_tables(row)}, {values}"
        yield f"    {function.name}{of_all}, {codes});\n"
    for i, result in enumerate(function.results):
        used = _Used(row, result.kernel)
        if result.kernel.is_integer:
            yield used.called("values", f"r{i}")
            continue
        if result.number == 0:
            yield used.finding("p", count)
        names = ", ".join(f"p{count + n}" for n in range(len(result.kernel.parts)))
        count += len(result.kernel.parts)
        yield filled(
            "result.c",
            {
                "at_once": f"clmath_at_once_{climb.name_of_rounding(function.form, result.kernel)}",
                "climb": f"{function.name}_climb{i}",
                "tables": _tables(row),
                "values": _values(row),
                "parts": names,
                "i": i,
            },
        )


def _block_fill(function: Function, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields for computing blocks of a function with one result."""
    kernel, used = function.results[0].kernel, _Used(function.row, function.results[0].kernel)
    parts = kinds(kernel)
    names = [name for _, name in function.inputs]
    fill = {**fields, "stem": used.stem, "targets": ", ".join(f"&p{i}[i]" for i in range(len(parts)))}
    return {
        "sources": ", ".join(f"const {type} *restrict {name}" for type, name in function.inputs),
        "enclosures": ", ".join(f"{C_TYPES[kind]} *restrict p{i}" for i, kind in enumerate(parts)),
        "ways": _ways(kernel, fill),
        "room": " ".join(f"{C_TYPES[kind]} p{i}[BLOCK];" for i, kind in enumerate(parts)),
        "pointers": ", ".join(f"{name} + first" for name in names),
        "arrays": listed("p", len(parts)),
        "rounding": climb.name_of_rounding(function.form, kernel),
        "parts_of_one": ", ".join(f"p{i}[j]" for i in range(len(parts))),
        "stored_one": function.stored(function.outputs[0][0], "codes[j]"),
    }


def _ways(kernel: Kernel, fill: Mapping[str, str]) -> str:
    """Return the loops over a block; if the kernel has one for the main range, it is used if all numbers are in it."""
    if kernel.record.ordinary is None:
        return filled("way.c", {**fill, "way": "find"})
    ways = {way: filled("way.c", {**fill, "way": way}) for way in ("ordinary", "general")}
    return filled("ways.c", {**fill, **ways})
