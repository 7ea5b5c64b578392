"""The text of the native library in C11: files for each kernel, for rounding, and for the loops over arrays."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.device.lane_ends import AGAIN, AT_ONCE, PLAIN
from clmath.engines.device.source import WORDS, enclosing_functions, kinds, listed, narrowing_functions
from clmath.engines.native.library import dtypes
from clmath.ir.printing import C_TYPES, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.kernels import FAST, FORMS, PHASES
from clmath.numbers.formats import FORMATS
from clmath.numbers.lane_rounding import saturated
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from clmath.callables import AnyFunction
    from clmath.ir.program import Kind
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format

__all__ = [
    "enclosing_loop",
    "fitting",
    "header",
    "library_texts",
    "loop_name",
    "native_kernels",
    "tables_text",
    "template",
    "texts",
]

_ELEMENTS = {"float32": "float", "float64": "double", "int32": "int32_t"}  # of arguments, by dtype
_DECISION: tuple[Kind, ...] = ("long", "bool")  # an encoding, and a condition
_WIDE = (False, True)
_MOST_RESULTS = 2  # as in templates/kernel.h
_NONE = "0"  # a missing function
_ASKED = ("v2", "v3", "v4")  # of x86-64


def native_kernels() -> list[Kernel]:
    """Return the kernels of the library, in its order."""
    return [kernel for phase in PHASES.values() for kernel in phase.kernels.values()]


def _label(kernel: Kernel) -> str:
    """The name of ``kernel`` in the library."""
    return f"{kernel.phase}_{kernel.name}"


def header() -> str:
    """Return the text that precedes a traced program: its operations in C11."""
    return template("c.h")


def library_texts() -> dict[str, str]:
    """The files of the whole library by name."""
    from clmath.engines.native import whole_text
    from clmath.kernels.whole import wholes

    return texts(native_kernels()) | whole_text.texts(wholes())


def texts(kernels: Sequence[Kernel]) -> dict[str, str]:
    """The files of a library of ``kernels`` by name."""
    found = {f"{_label(kernel)}.c": _kernel_text(kernel) for kernel in kernels}
    narrowing = {alone: None for kernel in kernels for alone in kernel.narrowing if alone is not None}
    found |= {f"narrow_{_label(kernel)}.c": _narrowing_text(kernel) for kernel in narrowing}
    return found | {"rounding.c": _rounding_text(), "library.c": _library_text(kernels)}


def fitting(level: str) -> str:
    """Return the file that checks for a processor of ``level``: v2, v3 and v4 of x86-64; v8, which all are."""
    return f"#define LEVEL {level.removeprefix('v') if level in _ASKED else 0}\n{template('fits.c')}"


@functools.cache
def template(name: str) -> str:
    """Return the file ``name`` of the folder ``templates``."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def _filled(name: str, fill: Mapping[str, object]) -> str:
    return Template(template(name)).substitute(fill)


def tables_text(tables: Tables) -> str:
    """Return the tables as an array, of one entry if they are empty."""
    return f"static const double TABLES[] = {{{', '.join(map(_number, tables.entries.tolist()))}}};\n"


def _number(x: float) -> str:
    if math.isfinite(x):
        return x.hex()
    return '__builtin_nan("")' if math.isnan(x) else "-__builtin_inf()" if x < 0.0 else "__builtin_inf()"


class _Arrays(NamedTuple):
    """The names and C types of the arrays that a loop reads or writes; ``named``: as parameters of the entry."""

    prefix: str
    types: Sequence[str]

    def parameters(self, *, read: bool = False) -> str:
        """Return the declarations of a loop's parameters."""
        const = "const " if read else ""
        return ", ".join(f"{const}{type} *restrict {self.prefix}{i}" for i, type in enumerate(self.types))

    def elements(self) -> str:
        """The elements with index i."""
        return ", ".join(f"{self.prefix}{i}[i]" for i in range(len(self.types)))

    def passed(self) -> str:
        """Return the arguments of the call of a loop, from the array of pointers to them."""
        return ", ".join(f"{self.prefix}[{i}]" for i in range(len(self.types)))


def _arrays(prefix: str, kinds: Sequence[Kind]) -> _Arrays:
    return _Arrays(prefix, [C_TYPES[kind] for kind in kinds])


def _loop_fill(kernel: Kernel, results: int, stem: str = "") -> dict[str, str]:
    """Return the common parts of a kernel's loops that store so many ``results``; ``stem``: the prefix of names."""
    x = _Arrays("x", [_ELEMENTS[dtype.name] for dtype in dtypes(kernel)])
    p = _arrays("p", kinds(kernel) * results)
    return {
        "name": _label(kernel),
        "stem": stem,
        "vectors": "FOUR_VECTORS" if kernel.phase == FAST.name else "VECTORS",
        "inputs": x.parameters(read=True),
        "targets": p.parameters(),
        "declared": " ".join(f"{type} q{i};" for i, type in enumerate(p.types)),
        "values": ", ".join(f"(double)x{i}[i]" for i in range(len(x.types))),
        "found": listed("&q", len(p.types)),
        "stores": " ".join(f"p{i}[i] = q{i};" for i in range(len(p.types))),
        "arguments": x.passed(),
        "parts": p.passed(),
    }


def _kernel_text(kernel: Kernel) -> str:
    """The functions of a kernel, and the loops that enclose and refine."""
    tables = Tables()
    functions = "\n".join([enclosing_functions(kernel, tables), _far_functions(kernel, tables)])
    fill = _loop_fill(kernel, kernel.results)
    one_way = kernel.record.ordinary is None
    loops = [_filled("way.c", fill | {"way": "general", "function": "find" if one_way else "general"})]
    if not one_way:
        loops += [_filled("way.c", fill | {"way": "ordinary", "function": "ordinary"}), _filled("ordinary.c", fill)]
    if kernel.record.far is not None:
        loops += [_filled("way.c", fill | {"way": "far", "function": "far"}), _filled("far.c", fill)]
    if kernel.record.refine is not None:
        loops.append(_filled("way.c", _again_fill(kernel, "refine")))
    return "\n".join([header(), tables_text(tables), functions, *loops])


def enclosing_loop(kernel: Kernel, tables: Tables) -> str:
    """Return the functions of a small kernel, and the loop that encloses, for a file of several kernels."""
    stem = f"{kernel.name}_"
    fill = _loop_fill(kernel, kernel.results, stem) | {"way": "general", "function": f"{stem}find"}
    return "\n".join([enclosing_functions(kernel, tables, stem), _filled("way.c", fill)])


def loop_name(kernel: Kernel) -> str:
    """Return the name of the loop that encloses results of ``kernel`` for all arguments."""
    return f"general_{_label(kernel)}"


def _far_functions(kernel: Kernel, tables: Tables) -> str:
    """Return ``is_far``, which tests for far-out arguments, and ``far``, which encloses then; empty without."""
    if kernel.record.far is None:
        return ""
    inputs: list[Kind] = ["double"] * len(dtypes(kernel))
    holds, far = kernel.record.far
    programs = trace(holds, inputs, ["bool"], tables), trace(far, inputs, kinds(kernel) * kernel.results, tables)
    return "\n".join([printed("is_far", programs[0]), printed("far", programs[1])])


def _again_fill(kernel: Kernel, way: str) -> dict[str, str]:
    """Return the parts of the loop that changes the parts of one result by the function ``way``."""
    fill = _loop_fill(kernel, 1)
    parts = ", ".join(f"p{i}[i]" for i in range(len(kernel.parts)))
    return fill | {"way": way, "function": way, "values": f"{fill['values']}, {parts}"}


def _narrowing_text(kernel: Kernel) -> str:
    """The function that narrows the enclosures of a kernel, which has one result, and the loop that does."""
    tables = Tables()
    function = narrowing_functions(kernel, tables)
    fill = _again_fill(kernel, "narrow") | {"vectors": "SINGLE_VECTORS"}  # there are only a few elements at a time
    return "\n".join([header(), tables_text(tables), function, _filled("way.c", fill)])


class _Rounding(NamedTuple):
    """One rounding function: its task, the enclosures, and the traced function with its arguments."""

    what: str
    form: str
    wide: bool
    mode: int
    function: AnyFunction
    parts: Sequence[int]
    known: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The name of the function in the text."""
        return f"{self.form}{'_wide' * self.wide}_{MODES[self.mode]}"


def _roundings() -> Iterator[_Rounding]:
    for phase, forms in FORMS.items():
        every = range(len(PHASES[phase].parts))
        for form in forms:
            for mode in range(len(MODES)):
                for wide in _WIDE:
                    yield _Rounding("at_once", form, wide, mode, AT_ONCE[form], every, (mode, wide))
                    yield _Rounding("plain", form, wide, mode, PLAIN[form], every, (mode, wide))
                yield _Rounding("decide", form, False, mode, AGAIN[form], every, (mode,))
                if "exponent" in PHASES[phase].parts:
                    yield _Rounding("settle", form, False, mode, saturated, (0, 3), (mode,))


def _rounding_text() -> str:
    """Return the functions that round enclosures to each format in each mode."""
    tables = Tables()
    functions = [_rounding_function(one, tables) for one in _roundings()]
    return "\n".join([header(), tables_text(tables), *functions])


def _rounding_function(one: _Rounding, tables: Tables) -> str:
    phase = next(phase for phase, forms in FORMS.items() if one.form in forms)
    parts: list[Kind] = ["long" if part == "exponent" else "double" for part in PHASES[phase].parts]
    given: list[Kind] = [parts[i] for i in one.parts]
    p, name = _arrays("p", given), f"{one.what}_{one.name}_lane"
    fill = {
        "what": one.what,
        "name": one.name,
        "word": WORDS[one.form],
        "inputs": p.parameters(read=True),
        "function": name,
        "elements": p.elements(),
        "parts": ", ".join(f"p[{i}]" for i in one.parts),
    }
    program = trace(one.function, given, _DECISION, tables, *one.known)
    loops = [_filled(file, fill) for file in (*_SHARED.get(one.what, ()), f"{one.what}.c")]
    return "\n".join([printed(name, program), *loops])


_LISTING = "Long {}(const void *const *, void *, Byte *, Long)"
# rounding functions, in the order of the structure, and their declarations
_DECLARED = {
    "plain": "bool {}(const void *const *, void *, Long)",
    "at_once": _LISTING,
    "settle": _LISTING,
    "decide": _LISTING,
}
_SHARED = {"plain": ("codes.c",), "at_once": ("codes.c",)}  # the functions of other files that they call


def _library_text(kernels: Sequence[Kernel]) -> str:
    """Return the table of kernels, the table of roundings, and the loops over arrays, the only exported functions."""
    found = list(_roundings())
    declared = [line for kernel in kernels for line in _declared(kernel)]
    declared += [f"HIDDEN {_DECLARED[one.what].format(f'{one.what}_{one.name}')};" for one in found]
    return "\n".join(
        [
            header(),
            template("kernel.h"),
            *declared,
            f'EXPORT const char clmath_kernels[] = "{" ".join(map(_label, kernels))}";',
            f"static const struct kernel KERNELS[] = {{\n{''.join(map(_row, kernels))}}};",
            _rounding_table({(one.what, one.form, one.wide, one.mode) for one in found}),
            f"static const Byte WIDTHS[][MOST_RESULTS] = {{{', '.join(map(_widths, FORMATS))}}};",
            *map(template, ("listed.c", "loops.c", "called.c", "of_kernels.c", "ufuncs.c")),
        ]
    )


def _widths(form: Format) -> str:
    """The bytes of each result of a kernel."""
    return f"{{{', '.join([str(form.width // 8)] * _MOST_RESULTS)}}}"


_LOOPS = ("general", "ordinary", "refine")


def _there(kernel: Kernel) -> dict[str, bool]:
    """Return which functions a kernel has."""
    ordinary = kernel.record.ordinary is not None
    return {"general": True, "ordinary": ordinary, "refine": kernel.record.refine is not None, "are_ordinary": ordinary}


def _declared(kernel: Kernel) -> Iterator[str]:
    """The declarations of its functions."""
    for name, there in _there(kernel).items():
        if there and name in _LOOPS:
            yield f"HIDDEN Loop {name}_{_label(kernel)};"
        elif there:
            yield f"HIDDEN bool {name}_{_label(kernel)}(const void *const *, Long);"
    if kernel.record.far:
        yield f"HIDDEN Loop far_{_label(kernel)};"
        yield f"HIDDEN Long are_near_{_label(kernel)}(const void *const *, Byte *, Long);"
    yield from (f"HIDDEN Loop narrow_{_label(alone)};" for alone in kernel.narrowing if alone)


def _row(kernel: Kernel) -> str:
    """The table entry from which the loops over arrays know a kernel."""
    functions = [f"{name}_{_label(kernel)}" if there else _NONE for name, there in _there(kernel).items()]
    functions += [f"{name}_{_label(kernel)}" if kernel.record.far else _NONE for name in ("far", "are_near")]
    narrowing = [f"narrow_{_label(alone)}" if alone else _NONE for alone in kernel.narrowing]
    functions.append(f"{{{', '.join(narrowing)}}}")
    numbers = [len(dtypes(kernel)), kernel.results, len(kernel.parts), int(kernel.record.is_wide)]
    sizes = ", ".join(str(dtype.itemsize) for dtype in dtypes(kernel))
    return f"    {{{', '.join(functions)}, {', '.join(map(str, numbers))}, {{{sizes}}}}},\n"


def _rounding_table(known: set[tuple[str, str, bool, int]]) -> str:
    """Return the table of roundings by format, by whether enclosures may be wide, and by mode."""

    def entry(what: str, form: str, wide: bool, mode: int) -> str:
        is_wide = wide and (what, form, wide, mode) in known
        there = (what, form, is_wide, mode) in known
        return f"{what}_{form}{'_wide' * is_wide}_{MODES[mode]}" if there else _NONE

    rows = [
        f"    {{{', '.join(entry(what, form.name, wide, mode) for what in _DECLARED)}}},\n"
        for form in FORMATS
        for wide in _WIDE
        for mode in range(len(MODES))
    ]
    return f"static const struct rounding ROUNDINGS[] = {{\n{''.join(rows)}}};"
