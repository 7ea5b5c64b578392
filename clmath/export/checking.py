"""The test program of an exported library: hard calls, which are checked in the exported language itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clmath.audit import offline
from clmath.export.cases import rows
from clmath.export.functions import FORMS, Function, filled
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.export.request import Language, Request
    from clmath.spec.builtins import Builtin

_ROW = "    {{{}}},\n"


def files(asked: Request) -> dict[str, str]:
    """Return the files by name, in a folder of their own."""
    found = {
        "test_report.h": filled("test_report.h", {}),
        "check.h": filled("check.h", {"macros": filled(f"check_{asked.language}.h", {})}),
        "report.h": filled("report.h", {}),
    }
    found |= {f"cases_{row.name}.h": _of_row(row, asked) for row in asked.builtins}
    found |= _PROGRAMS[asked.language](asked)
    return {f"tests/{name}": text for name, text in found.items()}


def _of_row(row: Builtin, asked: Request) -> str:
    return "\n".join(_cases(Function(row, form), asked.language) for form in asked.formats_of(row))


def _entries(row: Builtin, asked: Request) -> str:
    """Return the kernels that run the tests of a built-in on a device."""
    return "".join(filled("test_device.c", {"name": Function(row, form).name}) for form in asked.formats_of(row))


def _c(asked: Request) -> dict[str, str]:
    names = [Function(row, form).name for row, form in asked.functions]
    includes = "\n".join(f'#include "cases_{row.name}.h"' for row in asked.builtins)
    tests = "".join(f'    {{"{name}", {name}_test}},\n' for name in names)
    return {"test.c": filled("test_c.c", {"includes": includes, "tests": tests})}


def _opencl(asked: Request) -> dict[str, str]:
    """Return a program for each built-in, since compilers take seconds for one, and the host."""
    found = {f"test_{row.name}.cl": _opencl_program(row, asked) for row in asked.builtins}
    rows = [(row, Function(row, form).name) for row, form in asked.functions]
    include = '#include \\"tests/test_{}.cl\\"\\n'
    tests = "".join(f'    {{"{include.format(row.name)}", "{name}_report", "{name}"}},\n' for row, name in rows)
    host = Path(offline.__file__).parent / "cl12.h"
    return found | {
        "test.c": filled("test_opencl.c", {"tests": tests}),
        "cl12.h": host.read_text(encoding="utf-8"),
    }


def _opencl_program(row: Builtin, asked: Request) -> str:
    names = (f"../clmath_{row.name}.cl", "check.h", f"cases_{row.name}.h")
    return "".join(f'#include "{name}"\n' for name in names) + f"\n{_entries(row, asked)}"


def _cuda(asked: Request) -> dict[str, str]:
    names = [Function(row, form).name for row, form in asked.functions]
    includes = "\n".join(f'#include "../clmath_{row.name}.cu"\n#include "cases_{row.name}.h"' for row in asked.builtins)
    entries = "".join(_entries(row, asked) for row in asked.builtins)
    tests = "".join(f'    {{"{name}", {name}_report}},\n' for name in names)
    return {"test.cu": filled("test_cuda.cu", {"includes": f"{includes}\n\n{entries}", "tests": tests})}


_PROGRAMS: Mapping[Language, Callable[[Request], dict[str, str]]] = {"c": _c, "opencl": _opencl, "cuda": _cuda}


def _cases(function: Function, language: Language) -> str:
    """Return the calls of a function, and the code that checks them."""
    calls = rows(function)
    fill = {
        "name": function.name,
        "form": str(function.form),
        "type": function.outputs[0][0],
        "passed": ", ".join(name for _, name in function.inputs),
        "columns": str(len(calls[0])),
        "count": str(len(calls)),
        "rows": "".join(_ROW.format(", ".join(f"{code:#x}" for code in row)) for row in calls),
        "arguments": "".join(_argument(function, i) for i in range(len(function.inputs))),
        "first": str(len(function.inputs)),
    }
    fill["decide"] = filled("decide_c.h" if language == "c" else "decide_device.h", fill | _deciding(function))
    if not function.has_ends:
        results = filled("cases_several.h", fill | _several(function))
        return filled("cases.h", fill | {"ends": "", "tight": "", "results": results})
    agree = (
        f"            clmath_check(reported, row, mode, BITS_{function.form}(result0), BITS_{function.form}(result));"
    )
    results = filled("cases_one.h", fill | {"agree": agree if language == "c" else ""})
    ends, tight = filled("cases_ends.h", fill), filled("cases_tight.h", fill | _ends(function))
    return filled("cases.h", fill | {"ends": ends, "tight": tight, "results": results})


def _deciding(function: Function) -> dict[str, str]:
    """Return the function that reports whether a call is decided: the function on arrays in C, a kernel's inner one."""
    count = len(function.outputs)
    names = [f"&{name}" for _, name in function.inputs] + [f"&result{i}" for i in range(count)]
    return {
        "alone": " ".join(f"{type} result{i};" for i, (type, _) in enumerate(function.outputs)),
        "addresses": ", ".join(names),
        "codes": ", ".join(f"code{i}" for i in range(count)),
        "code_addresses": ", ".join(f"&code{i}" for i in range(count)),
        "numbers": ", ".join(function.value(type, name) for type, name in function.inputs),
        "may_be_open": "false" if function.is_complete else "true",
    }


def _argument(function: Function, i: int) -> str:
    """Return the line that reads an argument."""
    type, name = function.inputs[i]
    return f"        const {type} {name} = {function.stored(type, f'(Long)given[{i}]')};\n"


def _ends(function: Function) -> dict[str, str]:
    """Return the checks of an interval."""
    places = {mode: len(function.inputs) + number for number, mode in enumerate(MODES)}
    type = function.outputs[0][0]
    return {
        "rtn": str(places["rtn"]),
        "rtp": str(places["rtp"]),
        "low": function.stored(type, f"(Long)given[{places['rtn']}]"),
        "high": function.stored(type, f"(Long)given[{places['rtp']}]"),
    }


def _several(function: Function) -> dict[str, str]:
    """Return the checks of results if there are several, or ints."""
    others = function.outputs[1:]
    checks = []
    for number, (type, name) in enumerate(function.outputs):
        bits = f"BITS_{FORMS.get(type, type)}"
        place = len(function.inputs) + len(MODES) * number
        checks.append(
            f"            clmath_check(reported, row, {8 * number} + mode, {bits}({name}), given[{place} + mode]);"
        )
    return {
        "declared": " ".join(f"{type} {name};" for type, name in others),
        "pointers": "".join(f", &{name}" for _, name in others),
        "checks": "\n".join(checks),
    }
