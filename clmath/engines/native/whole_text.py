"""The text of whole built-ins in C11: a file for each in each format, with a loop for every mode and code path."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.native import typed
from clmath.engines.native.loops import NONE, call, declared, loop, template
from clmath.engines.native.typed import C_NAMES
from clmath.engines.native.typed import C_TYPES as TYPED
from clmath.ir.printing import C_TYPES, printed
from clmath.ir.trace import trace
from clmath.kernels.whole.conversions import exactly_in
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.rounded_encodings import half_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clmath.ir.program import Kind, Tables
    from clmath.kernels.whole import Way, Whole

WIDTHS = {name: dtype.itemsize for name, dtype in SCALARS.items()}
_ENCODED = ("long", "ulong")  # whose elements are int64
_READ = {name: C_NAMES[dtype] for name, dtype in INTEGERS.items()} | dict.fromkeys(_ENCODED, "Long")
_READ |= {"bool": "Byte", "half": "Short", "float": "float", "double": "double"}  # elements of arguments
_WRITTEN = {1: "Byte", 2: "Short", 4: "Word", 8: "Double"}  # of results, by their width
_FORMS = ("half", "float", "double")
_LONG = 1 << 13  # characters of functions with many operations
_TWO_VECTORS = 128  # bytes of the widest ones


def texts(wholes: Mapping[str, Whole], tables: Tables) -> dict[str, str]:
    """Return the files by name: one for all modes of a built-in in a format, and one of the loop over blocks."""
    files: dict[str, list[str]] = {}
    rows = []
    for label, whole in wholes.items():
        file = _file(label, whole)
        writer = _Writer(file, whole, tables)
        functions = files.setdefault(file, _shared(file, tables))
        paths = [writer.path(f"{label}_way{number}", way) for number, way in enumerate(whole.ways)]
        functions += [path.text for path in paths]
        rows.append(_row(whole, paths))
    found = {f"{file}.c": "\n".join(functions) for file, functions in files.items()}
    return found | ({"wholes.c": _table(" ".join(wholes), rows)} if wholes else {})


def _file(label: str, whole: Whole) -> str:
    """Return the file of a built-in: its own choice, or one for each format: labels may end in the mode."""
    stem, _, last = label.rpartition("_")
    return f"whole_{whole.file or (stem if last.startswith('rt') else label)}"


def _shared(file: str, tables: Tables) -> list[str]:
    """Return the functions that the loops of a file call: they read halfs, and encode numbers."""
    functions = [printed(f"{file}_half_value", trace(half_value, ["long"], ["double"], tables))]
    for form in _FORMS:
        encoded = trace(exactly_in, ["double"], ["long"], tables, form)
        functions.append(printed(f"{file}_encoded_{form}", encoded))
    return functions


class _Path(NamedTuple):
    """The text of a code path, the names of its condition and its loop, and of what number of elements it takes
    multiples.
    """

    text: str
    loops: tuple[str, str]
    together: int


class _Writer:
    """Writes the loops of a built-in. Elements are read as x0, x1 ...: doubles or int64, or in their own types."""

    def __init__(self, file: str, whole: Whole, tables: Tables) -> None:
        self.file, self.whole, self.tables = file, whole, tables
        self.arrays = [_READ[type] for type in whole.inputs]
        self.kinds: list[Kind] = ["long" if type in _ENCODED else "double" for type in whole.inputs]
        self.values = [f"x{i}" for i in range(len(whole.inputs))]
        self.reads = " ".join(self._reading(i, type) for i, type in enumerate(whole.inputs))

    def path(self, name: str, way: Way) -> _Path:
        """Return a code path: its functions, the loop of its condition if it has one, and the loop for its results."""
        whole = self.whole
        functions, calls, writes = (self._typed if whole.is_typed else self._traced)(name, way)
        together, vectors = _vectors(whole, "".join(functions))
        count = "count" if together == 1 else f"multiple(count, {together})"
        stored = loop(name, self.arrays, writes, f"{self.reads} {calls}", vectors=vectors, count=count)
        texts, holds = [*functions, stored], NONE
        if way.holds is not None:
            holds, condition = f"{name}_holds", f"{name}_condition"
            program = trace(way.holds, self.kinds, ["bool"], self.tables, named=way.holds_known)
            called = f"{self.reads} {call(condition, self.values, ['bool'])} found |= !q0;"
            texts += [printed(condition, program), loop(holds, self.arrays, (), called, vectors="")]
        return _Path("\n".join(texts), (holds, name), together)

    def _reading(self, i: int, type: str) -> str:
        """Return the text that reads an argument of one element."""
        if type == "half":
            return f"double x{i}; {self.file}_half_value((Long)a{i}[i], TABLES, &x{i});"
        known = TYPED[SCALARS[type]] if self.whole.is_typed else C_TYPES[self.kinds[i]]
        return f"const {known} x{i} = ({known})a{i}[i];"

    def _traced(self, name: str, way: Way) -> tuple[list[str], str, list[str]]:
        """Return the traced functions of a code path, the text that calls them and stores their results, and the types
        of these.
        """
        whole, count = self.whole, len(self.whole.outputs) // len(way.functions)
        functions, calls = [], []
        for number, function in enumerate(way.functions):
            outputs = whole.outputs[number * count : (number + 1) * count]
            kinds: list[Kind] = ["double" if whole.values and type in _FORMS else "long" for type in outputs]
            kinds += ["bool"] * whole.leaves
            program = trace(function, self.kinds, kinds, self.tables, named=way.known)
            functions.append(printed(f"{name}_{number}", program))
            called = call(f"{name}_{number}", self.values, [C_TYPES[kind] for kind in kinds])
            stores = [self._stored(f"b{number * count + i}", i, type, kinds[i]) for i, type in enumerate(outputs)]
            flags = f"b{count}[i] = q{count}; found += q{count};" if whole.leaves else ""
            calls.append(" ".join(["{", called, *stores, flags, "}"]))
        return functions, " ".join(calls), [_WRITTEN[WIDTHS[type]] for type in whole.outputs] + ["Byte"] * whole.leaves

    def _stored(self, array: str, i: int, type: str, kind: Kind) -> str:
        """Return the text that stores the value ``q{i}`` of a kind as an encoding of its type."""
        word = _WRITTEN[WIDTHS[type]]
        if kind == "double":
            return f"Long code{i}; {self.file}_encoded_{type}(q{i}, TABLES, &code{i}); {array}[i] = ({word})code{i};"
        return f"{array}[i] = ({word})q{i};"

    def _typed(self, name: str, way: Way) -> tuple[list[str], str, list[str]]:
        """Return the function of a code path for arrays in their own types, like ``_traced``."""
        inputs, (output,) = [SCALARS[type] for type in self.whole.inputs], self.whole.outputs
        text = typed.printed(f"{name}_0", way.functions[0], inputs, SCALARS[output])
        called = call(f"{name}_0", self.values, [TYPED[SCALARS[output]]])
        if output in _FORMS:
            return [text], f"{called} b0[i] = q0;", [TYPED[SCALARS[output]]]
        word = _WRITTEN[WIDTHS[output]]
        return [text], f"{called} b0[i] = ({word})q0;", [word]


def _vectors(whole: Whole, text: str) -> tuple[int, str]:
    """Return of what number of elements a loop takes multiples, and the macro for its vectors.

    Without code for the rest, loops with many operations are half as long; a few elements take as much time as vectors
    of them. One vector at a time takes no more time than two in loops on halfs that are always busy, and a third less
    to compile.
    """
    if len(text) <= _LONG or whole.is_typed:
        return 1, "VECTORS"
    together = _TWO_VECTORS // min(WIDTHS[type] for type in (*whole.inputs, *whole.outputs))
    waits = "root(" in text or "double_div(" in text
    return (together // 2, "SINGLE_VECTORS") if set(whole.inputs) == {"half"} and not waits else (together, "VECTORS")


def _row(whole: Whole, paths: Sequence[_Path]) -> tuple[list[str], str]:
    """Return the loops of a built-in, and the numbers of ``struct whole``."""
    sizes, widths = (", ".join(str(WIDTHS[type]) for type in types) for types in (whole.inputs, whole.outputs))
    counts = f"{len(whole.inputs)}, {len(whole.outputs)}, {max(path.together for path in paths)}"
    return [name for path in paths for name in path.loops], f"{counts}, {{{sizes}}}, {{{widths}}}"


def _table(names: str, rows: Sequence[tuple[Sequence[str], str]]) -> str:
    """Return the table of whole built-ins, and the loop over blocks, the only exported function."""
    table = [f"    {{{{{', '.join(loops)}}}, {facts}}},\n" for loops, facts in rows]
    return "\n".join(
        [
            template("wholes.h"),
            declared(name for loops, _ in rows for name in loops),
            f'EXPORT const char clmath_wholes[] = "{names}";',
            f"static const struct whole WHOLES[] = {{\n{''.join(table)}}};",
            *map(template, ("operands.c", "ufuncs.c", "wholes.c", "vectors.c")),
        ]
    )
