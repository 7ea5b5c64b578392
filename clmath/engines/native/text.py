"""The text of the native library in C11: files for kernels, for rounding, for whole built-ins, and for their tables."""

from __future__ import annotations

import itertools
from types import MappingProxyType
from typing import TYPE_CHECKING

from clmath.engines.device.ends import again, at_once, plain, settled
from clmath.engines.device.source import WORDS, enclosing_functions, kinds, narrowing_functions
from clmath.engines.native.library import dtypes
from clmath.engines.native.loops import NONE, call, declared, defined, header, loop, tables_text, template
from clmath.ir.printing import C_TYPES, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.kernels import FAST, FORMS, PHASES
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from clmath.callables import AnyFunction
    from clmath.ir.program import Kind
    from clmath.kernels import Kernel
    from clmath.kernels.whole import Whole

_ELEMENTS = {"float32": "float", "float64": "double", "int32": "int32_t"}  # of arguments, by dtype
_DECISION: tuple[Kind, ...] = ("long", "bool")  # an encoding, and a condition
_ROUNDINGS = tuple(itertools.product([form.name for form in FORMATS], (False, True), range(len(MODES))))
"""Each format, whether enclosures may be wide, and each mode, in the order of the library's table."""
_MOST_RESULTS = 2  # as in templates/kernel.h
_SHARED = "extern HIDDEN const double TABLES[];\n"  # all files read the same tables
_ASKED = ("v2", "v3", "v4")  # of x86-64


def native_kernels() -> list[Kernel]:
    """Return the kernels of the library, in its order."""
    return [kernel for phase in PHASES.values() for kernel in phase.kernels.values()]


def _label(kernel: Kernel) -> str:
    """Return the name of ``kernel`` in the library."""
    return f"{kernel.phase}_{kernel.name}"


def library_texts() -> dict[str, str]:
    """Return the files of the whole library by name."""
    from clmath.kernels import whole

    return texts(native_kernels(), whole.wholes())


def texts(kernels: Sequence[Kernel], wholes: Mapping[str, Whole] = MappingProxyType({})) -> dict[str, str]:
    """Return the files of a library of ``kernels`` and of whole built-ins by name."""
    from clmath.engines.native import whole_text  # which imports modules that do not change the other texts

    tables = Tables()
    found = {f"{_label(kernel)}.c": _kernel_text(kernel, tables) for kernel in kernels}
    narrowing = {alone: None for kernel in kernels for alone in kernel.narrowing if alone is not None}
    found |= {f"narrow_{_label(kernel)}.c": _narrowing_text(kernel, tables) for kernel in narrowing}
    found["rounding.c"] = "\n".join(_rounding_text(*one, tables) for one in _ROUNDINGS)
    found["library.c"] = _library_text(kernels, defined(found.values()))
    found |= whole_text.texts(wholes, tables)
    found["tables.c"] = tables_text(tables).removeprefix("static ")
    return {name: f"{header()}{_SHARED}{content}" for name, content in found.items()}


def fitting(level: str) -> str:
    """Return the file that checks for a processor of ``level``: v2, v3 and v4 of x86-64; v8, which all are."""
    return f"#define LEVEL {level.removeprefix('v') if level in _ASKED else 0}\n{template('fits.c')}"


def _arguments(kernel: Kernel) -> list[str]:
    """Return the C types of the arrays of arguments."""
    return [_ELEMENTS[dtype.name] for dtype in dtypes(kernel)]


def _elements(kernel: Kernel) -> list[str]:
    """Return an element of each argument."""
    return [f"(double)a{i}[i]" for i in range(len(dtypes(kernel)))]


def _storing(kernel: Kernel, name: str, function: str, values: Sequence[str], results: int, **options: str) -> str:
    """Return the loop that stores the parts of enclosures of so many ``results``, which ``function`` finds."""
    types = [C_TYPES[kind] for kind in kinds(kernel)] * results
    stores = " ".join(f"b{i}[i] = q{i};" for i in range(len(types)))
    vectors = {"vectors": "FOUR_VECTORS" if kernel.phase == FAST.name else "VECTORS"}
    body = f"{call(function, values, types)} {stores}"
    return loop(f"{name}_{_label(kernel)}", _arguments(kernel), types, body, **(vectors | options))


def _flagging(kernel: Kernel, name: str, function: str, writes: Sequence[str], store: str) -> str:
    """Return the loop that flags the elements for which the condition ``function`` is false."""
    body = f"{call(function, _elements(kernel), ['bool'])} {store}"
    return loop(f"{name}_{_label(kernel)}", _arguments(kernel), writes, body)


def _kernel_text(kernel: Kernel, tables: Tables) -> str:
    """Return the functions of a kernel, and the loops that enclose and refine."""
    stem, record, values = f"{_label(kernel)}_", kernel.record, _elements(kernel)
    texts = [enclosing_loop(kernel, tables)]
    if record.ordinary is not None:
        texts.append(_storing(kernel, "ordinary", f"{stem}ordinary", values, kernel.results))
        texts.append(_flagging(kernel, "are_ordinary", f"{stem}is_ordinary", (), "found |= !q0;"))
    if record.far is not None:
        inputs: list[Kind] = ["double"] * len(values)
        holds, far = record.far
        texts.append(printed(f"{stem}is_far", trace(holds, inputs, ["bool"], tables)))
        texts.append(printed(f"{stem}far", trace(far, inputs, kinds(kernel) * kernel.results, tables)))
        texts.append(_storing(kernel, "far", f"{stem}far", values, kernel.results))
        texts.append(_flagging(kernel, "are_near", f"{stem}is_far", ["Byte"], "b0[i] = !q0; found += !q0;"))
    if record.refine is not None:
        texts.append(_storing(kernel, "refine", f"{stem}refine", [*values, *_parts(kernel)], 1))
    return "\n".join(texts)


def _parts(kernel: Kernel) -> list[str]:
    """Return an element of each part of one result, which a loop changes."""
    return [f"b{i}[i]" for i in range(len(kernel.parts))]


def enclosing_loop(kernel: Kernel, tables: Tables) -> str:
    """Return the functions that enclose the results of a kernel, and the loop for all arguments."""
    stem = f"{_label(kernel)}_"
    function = f"{stem}find" if kernel.record.ordinary is None else f"{stem}general"
    general = _storing(kernel, "general", function, _elements(kernel), kernel.results)
    return "\n".join([enclosing_functions(kernel, tables, stem), general])


def loop_name(kernel: Kernel) -> str:
    """Return the name of the loop that encloses results of ``kernel`` for all arguments."""
    return f"general_{_label(kernel)}"


def _narrowing_text(kernel: Kernel, tables: Tables) -> str:
    """Return the function that narrows the enclosures of a kernel, which has one result, and the loop that does."""
    stem, values = f"{_label(kernel)}_", [*_elements(kernel), *_parts(kernel)]
    narrow = _storing(
        kernel, "narrow", f"{stem}narrow", values, 1, vectors="SINGLE_VECTORS", count="multiple(count, CLOSER)"
    )
    return "\n".join([narrowing_functions(kernel, tables, stem), narrow])


# statements in the loops of each task, for an encoding q0 and a condition q1
_CODES, _FLAGS = "b0[i] = ($)q0;", "b1[i] = q1; found += q1;"
_TASKS = {
    "plain": f"{_CODES} found |= q1;",
    "at_once": f"{_CODES} found |= q1;",
    "flags": _FLAGS,
    "settle": "const Byte stays = b1[i] & !q1; b0[i] = q1 ? ($)q0 : b0[i]; b1[i] = stays; found += stays;",
    "decide": f"{_CODES} {_FLAGS}",
}


def _rounding(task: str, form: str, wide: bool, mode: int) -> str:
    """Return the name of the loop for a task of rounding."""
    return f"{task}_{form}{'_wide' * wide}_{MODES[mode]}"


def _rounding_text(form: str, wide: bool, mode: int, tables: Tables) -> str:
    """Return the functions that round enclosures, and their loops; the last two serve wide enclosures, too."""
    phase = next(PHASES[phase] for phase, forms in FORMS.items() if form in forms)
    parts: list[Kind] = ["long" if part == "exponent" else "double" for part in phase.parts]
    functions: list[tuple[AnyFunction, tuple[object, ...], tuple[str, ...]]] = [
        (at_once, (form, mode, wide), ("at_once", "flags")),
        (plain, (form, mode, wide), ("plain",)),
    ]
    if not wide:
        functions.append((again, (form, mode), ("decide",)))
    if not wide and "long" in parts:
        functions.append((settled, (mode,), ("settle",)))
    found = []
    for function, known, tasks in functions:
        name = f"{_rounding(tasks[0], form, wide, mode)}_lane"
        found.append(printed(name, trace(function, parts, _DECISION, tables, *known)))
        called = call(name, [f"a{i}[i]" for i in range(len(parts))], [C_TYPES[kind] for kind in _DECISION])
        reads, word = [C_TYPES[kind] for kind in parts], WORDS[form]
        for task in tasks:
            body = f"{called} {_TASKS[task].replace('$', word)}"
            found.append(loop(_rounding(task, form, wide, mode), reads, [word, "Byte"], body))
    return "\n".join(found)


def _library_text(kernels: Sequence[Kernel], known: Container[str]) -> str:
    """Return the table of kernels, the table of roundings, and the loops over arrays, the only exported functions.

    ``known``: the names of the loops that the other files define.
    """
    loops = [[name if name in known else NONE for name in _loops(kernel)] for kernel in kernels]
    roundings = [[_rounding_loop(task, *one, known) for task in _TASKS] for one in _ROUNDINGS]
    rows = [f"    {{{', '.join(names)}, {_facts(kernel)}}},\n" for kernel, names in zip(kernels, loops, strict=True)]
    widths = [f"{{{', '.join([str(form.width // 8)] * _MOST_RESULTS)}}}" for form in FORMATS]
    return "\n".join(
        [
            template("kernel.h"),
            declared(itertools.chain(*loops, *roundings)),
            f'EXPORT const char clmath_kernels[] = "{" ".join(map(_label, kernels))}";',
            f"static const struct kernel KERNELS[] = {{\n{''.join(rows)}}};",
            f"static const struct rounding ROUNDINGS[] = {{\n{_rows(roundings)}}};",
            f"static const Byte WIDTHS[][MOST_RESULTS] = {{{', '.join(widths)}}};",
            *map(template, ("operands.c", "ufuncs.c", "listed.c", "loops.c")),
        ]
    )


def _rows(of_each: Sequence[Sequence[str]]) -> str:
    return "".join(f"    {{{', '.join(one)}}},\n" for one in of_each)


def _loops(kernel: Kernel) -> list[str]:
    """Return the names of the loops that a kernel may have, in the order of ``struct kernel``."""
    names = [
        f"{what}_{_label(kernel)}" for what in ("general", "ordinary", "are_ordinary", "refine", "far", "are_near")
    ]
    narrow = [f"narrow_{_label(alone)}" if alone else NONE for alone in kernel.narrowing]
    return [*names, *(narrow + [NONE] * (_MOST_RESULTS - len(narrow)))]


def _rounding_loop(task: str, form: str, wide: bool, mode: int, known: Container[str]) -> str:
    """Return the loop for a task: one for wide enclosures if they need their own."""
    names = [_rounding(task, form, one, mode) for one in (wide, False)]
    return next((name for name in names if name in known), NONE)


def _facts(kernel: Kernel) -> str:
    """Return the numbers of ``struct kernel``."""
    sizes = ", ".join(str(dtype.itemsize) for dtype in dtypes(kernel))
    return f"{len(dtypes(kernel))}, {kernel.results}, {len(kernel.parts)}, {int(kernel.record.is_wide)}, {{{sizes}}}"
