"""The text of whole built-ins in C11: a file for each in each format, with a loop for every mode and code path."""

from __future__ import annotations

import functools
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.device.source import listed
from clmath.engines.native import typed
from clmath.engines.native.typed import C_NAMES
from clmath.engines.native.typed import C_TYPES as TYPED
from clmath.ir.printing import C_TYPES, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.kernels.whole.rounding import exactly
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.lane_rounding import half_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from clmath.ir.program import Kind
    from clmath.kernels.whole import Way, Whole

__all__ = ["texts"]

WIDTHS = {name: dtype.itemsize for name, dtype in SCALARS.items()}
_ENCODED = ("long", "ulong")  # whose elements are int64
_READ = {name: C_NAMES[dtype] for name, dtype in INTEGERS.items()} | dict.fromkeys(_ENCODED, "Long")
_READ |= {"bool": "Byte", "half": "Short", "float": "float", "double": "double"}  # elements of arguments
_WRITTEN = {1: "Byte", 2: "Short", 4: "Word", 8: "Double"}  # of results, by their width
_LONG = 1 << 13  # characters of functions with many independent operations
_NONE = "0"  # a missing function


@functools.cache
def _template(name: str) -> str:
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def texts(wholes: Mapping[str, Whole]) -> dict[str, str]:
    """Return the files by name: one for all modes of a built-in in a format, and one of the loop over blocks."""
    grouped: dict[str, dict[str, Whole]] = {}
    for label, whole in wholes.items():
        grouped.setdefault(_file(label, whole), {})[label] = whole
    return {file: _text(some) for file, some in grouped.items()} | {"wholes.c": _table(wholes)}


def _file(label: str, whole: Whole) -> str:
    """Return the file of a built-in: its own choice, or one for each format: labels may end in the mode."""
    stem, _, last = label.rpartition("_")
    return f"whole_{whole.file or (stem if last.startswith('rt') else label)}.c"


def _text(wholes: Mapping[str, Whole]) -> str:
    """The functions and loops of some built-ins."""
    tables = Tables()
    functions = [printed("half_value", trace(half_value, ["long"], ["double"], tables))]
    forms = sorted({form for whole in wholes.values() if whole.values for form in whole.outputs if form in _EXACTLY})
    functions += [printed(f"encoded_{form}", trace(_EXACTLY[form], ["double"], ["long"], tables)) for form in forms]
    functions += [text for label, whole in wholes.items() for text in _ways(label, whole, tables)]
    entries = ", ".join(float(x).hex() for x in tables.entries)
    return "\n".join([_template("c.h"), f"static const double TABLES[] = {{{entries}}};\n", *functions])


def _of_half(value: Any) -> Any:
    return exactly("half", value)


def _of_float(value: Any) -> Any:
    return exactly("float", value)


def _of_double(value: Any) -> Any:
    return exactly("double", value)


_EXACTLY: dict[str, Callable[[Any], Any]] = {"half": _of_half, "float": _of_float, "double": _of_double}


class _Lanes(NamedTuple):
    """The text that reads the arguments of one element as x0, x1 ..., doubles or int64, from the arrays a0, a1 ..."""

    inputs: Sequence[str]
    is_typed: bool = False  # arguments in their own types

    def parameters(self) -> str:
        return ", ".join(f"const {_READ[type]} *restrict a{i}" for i, type in enumerate(self.inputs))

    def reads(self) -> str:
        if self.is_typed:
            return " ".join(_reading_typed(i, type) for i, type in enumerate(self.inputs))
        return " ".join(_reading(i, type) for i, type in enumerate(self.inputs))

    def passed(self) -> str:
        return ", ".join(f"x[{i}]" for i in range(len(self.inputs)))

    def values(self) -> str:
        return listed("x", len(self.inputs))


def _reading_typed(i: int, type: str) -> str:
    if type == "half":
        return _reading(i, type)
    return f"const {TYPED[SCALARS[type]]} x{i} = a{i}[i];"


def _reading(i: int, type: str) -> str:
    if type == "half":
        return f"double x{i}; half_value((Long)a{i}[i], TABLES, &x{i});"
    if type in _ENCODED:
        return f"const Long x{i} = a{i}[i];"
    return f"const double x{i} = (double)a{i}[i];"


def _ways(label: str, whole: Whole, tables: Tables) -> Iterator[str]:
    """Return the functions and loops of every code path of a built-in."""
    for number, way in enumerate(whole.ways):
        name = f"{label}_way{number}"
        if way.holds is not None:
            yield _condition(f"{name}_holds", whole, way, tables)
        yield _loop(name, whole, way, tables)


def _condition(name: str, whole: Whole, way: Way, tables: Tables) -> str:
    lanes, inputs = _Lanes(whole.inputs), _kinds(whole.inputs)
    assert way.holds is not None, name
    program = trace(way.holds, inputs, ["bool"], tables, named=way.holds_known)
    fill = {
        "name": name,
        "parameters": lanes.parameters(),
        "reads": lanes.reads(),
        "call": f"{name}_lane({lanes.values()}, TABLES, &holds);",
        "passed": lanes.passed(),
    }
    return "\n".join([printed(f"{name}_lane", program), Template(_template("holds.c")).substitute(fill)])


def _loop(name: str, whole: Whole, way: Way, tables: Tables) -> str:
    """Return the functions of a code path, and the loop that stores their results y0 ... as encodings in b0 ..."""
    lanes = _Lanes(whole.inputs, whole.is_typed)
    functions, calls, found = (_typed if whole.is_typed else _traced)(name, whole, way, tables)
    declared = [f"{type} y{i};" for i, type in enumerate(found)]
    are_numbers = whole.is_typed and whole.outputs[0] in _EXACTLY
    widths = found if are_numbers else [_WRITTEN[WIDTHS[type]] for type in whole.outputs]
    stores = [_stored(i, *types) for i, types in enumerate(zip(whole.outputs, found, strict=True))]
    stores = ["b0[i] = y0;"] if are_numbers else stores
    fill = {
        "name": name,
        "vectors": "SINGLE_VECTORS" if _is_kept_busy(whole, functions) else "VECTORS",
        "parameters": ", ".join([lanes.parameters(), *(f"{type} *restrict b{i}" for i, type in enumerate(widths))])
        + ", Byte *restrict left" * whole.leaves,
        "reads": lanes.reads(),
        "declared": " ".join(declared) + " bool open;" * whole.leaves,
        "calls": " ".join(calls),
        "stores": " ".join(stores) + " left[i] = open; found += open;" * whole.leaves,
        "passed": ", ".join([lanes.passed(), *(f"y[{i}]" for i in range(len(widths)))]) + ", left" * whole.leaves,
    }
    return "\n".join([*functions, Template(_template("whole.c")).substitute(fill)])


def _is_kept_busy(whole: Whole, functions: Sequence[str]) -> bool:
    """Whether one vector at a time takes no more time than two, and a third less to compile: measured of halves."""
    text = "".join(functions)
    waits = "root(" in text or "double_div(" in text
    return len(text) > _LONG and set(whole.inputs) == {"half"} and not waits


def _traced(name: str, whole: Whole, way: Way, tables: Tables) -> tuple[list[str], list[str], list[str]]:
    """Return the traced functions of a code path, their calls, and the C types of the results."""
    lanes = _Lanes(whole.inputs)
    kinds: list[Kind] = ["double" if whole.values and type in _EXACTLY else "long" for type in whole.outputs]
    functions, calls, first = [], [], 0
    for number, function in enumerate(way.functions):
        count = len(kinds) // len(way.functions)
        found: list[Kind] = [*kinds[first : first + count], *(["bool"] if whole.leaves else [])]  # type: ignore[list-item]
        functions.append(
            printed(f"{name}_{number}", trace(function, _kinds(whole.inputs), found, tables, named=way.known))
        )
        targets = [f"&y{i}" for i in range(first, first + count)] + ["&open"] * whole.leaves
        calls.append(f"{name}_{number}({lanes.values()}, TABLES, {', '.join(targets)});")
        first += count
    return functions, calls, [C_TYPES[kind] for kind in kinds]


def _typed(name: str, whole: Whole, way: Way, tables: Tables) -> tuple[list[str], list[str], list[str]]:  # noqa: ARG001
    """Return the functions of a code path for arrays in their own types, like ``_traced``."""
    inputs, (output,) = [SCALARS[type] for type in whole.inputs], [SCALARS[type] for type in whole.outputs]
    (function,) = way.functions
    text = typed.printed(f"{name}_0", function, inputs, output)
    return [text], [f"{name}_0({_Lanes(whole.inputs).values()}, TABLES, &y0);"], [TYPED[output]]


def _stored(i: int, type: str, found: str) -> str:
    """Return the text that stores one result of an element, which is of the C type ``found``."""
    word = _WRITTEN[WIDTHS[type]]
    if found == "double":
        return f"Long code{i}; encoded_{type}(y{i}, TABLES, &code{i}); b{i}[i] = ({word})code{i};"
    return f"b{i}[i] = ({word})y{i};"


def _kinds(inputs: Sequence[str]) -> list[Kind]:
    return ["long" if type in _ENCODED else "double" for type in inputs]


def _table(wholes: Mapping[str, Whole]) -> str:
    """Return the table of whole built-ins, and the loop over blocks, the only exported function."""
    declared, rows = [], []
    for label, whole in wholes.items():
        ways = []
        for number, way in enumerate(whole.ways):
            name = f"{label}_way{number}"
            declared.append(f"HIDDEN Long {name}(const void *const *, void *const *, Byte *, Long);")
            if way.holds is not None:
                declared.append(f"HIDDEN bool {name}_holds(const void *const *, Long);")
            ways.append(f"{{{_NONE if way.holds is None else f'{name}_holds'}, {name}}}")
        sizes, widths = (", ".join(str(WIDTHS[type]) for type in types) for types in (whole.inputs, whole.outputs))
        counts = f"{len(whole.inputs)}, {len(whole.outputs)}"
        rows.append(f"    {{{{{', '.join(ways)}}}, {counts}, {{{sizes}}}, {{{widths}}}}},\n")
    return "\n".join(
        [
            _template("c.h"),
            _template("wholes.h"),
            *declared,
            f'EXPORT const char clmath_wholes[] = "{" ".join(wholes)}";',
            f"static const struct whole WHOLES[] = {{\n{''.join(rows)}}};",
            *map(_template, ("wholes.c", "called.c", "of_wholes.c", "ufuncs.c", "vectors.c")),
        ]
    )
