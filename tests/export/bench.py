"""Helpers for tests of exported libraries: commands, arguments, expected results, calls."""

import ctypes
import functools
import shutil
import subprocess

import numpy as np

from clmath import phases
from clmath.audit.inputs.hard import hard
from clmath.audit.inputs.structured import structured
from clmath.audit.plan.rows import item_of
from clmath.engines.native import build
from clmath.export import cases, whole
from clmath.export.functions import FORMS, Function
from clmath.export.request import request_of
from clmath.numbers.formats import format_named, format_of
from clmath.numbers.rounding import MODES, round_real

NAMES = "exp,sin,sincos,pow,rootn,lgamma_r,ilogb"  # one argument or two, two results, ints
NAMES += ",add,div,sqrt,ldexp,fma,fract,fdim,degrees,mix,smoothstep"  # operations and formulas, without kernels
NAMES += ",fmod,remquo,copysign,fabs"  # exact results
NAMES += ",convert_half,convert_float,convert_double"  # from the other formats
TYPES = "half,float,double"
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
LANES = 160


def run(*words, cwd):
    """Run a command and return the finished process, with its output as text."""
    return subprocess.run([str(w) for w in words], cwd=cwd, capture_output=True, text=True, check=False)


def compilers():
    """Return the compilers of the environment and of the machine, as commands."""
    return [using.command for using in build.compilers()]


def is_zig(command):
    return command in [using.command for using in build.compilers() if using.is_zig]


def program(command, options, sources, made, *, cwd):
    """Compile a program; objects compiled by Zig are linked by the machine's compiler if there is one.

    For linking, Zig would compile its own C runtime first, which takes ten seconds.
    """
    linker = shutil.which("cc")
    if not linker or not is_zig(command):
        return run(*command, *options, "-o", made, *sources, "-lm", cwd=cwd)
    objects = [made.with_name(f"{number}.o") for number in range(len(sources))]
    for source, compiled in zip(sources, objects, strict=True):
        done = run(*command, *options, "-c", source, "-o", compiled, cwd=cwd)
        if done.returncode:
            return done
    return run(linker, "-o", made, *objects, "-lm", cwd=cwd)


def functions(names=NAMES, types=TYPES):
    """Return the functions of a library."""
    return [Function(row, form) for row, form in request_of("test", names, types, "c").functions]


def arguments(function):
    """Return hard, special and random calls, ``LANES`` each; for conversions numbers near numbers of the target."""
    rng = np.random.default_rng(26)
    if whole.is_conversion(function.row):
        near = cases.of_conversion(function.row, function.form, rng)
        return [np.concatenate([near, _random("", function.form, rng)])]
    item = item_of(function.row, function.form, 0, 1)
    columns = [_some(source(item), rng) for source in (hard, structured)]
    columns.append([_random(type, function.form, rng) for type, _ in function.inputs])
    types = [dtype(type) for type, _ in function.inputs]
    return [np.concatenate(column).astype(type) for column, type in zip(zip(*columns, strict=True), types, strict=True)]


def dtype(type):
    """Return the dtype of arrays of a C type."""
    return np.dtype(np.int32) if type == "int" else format_named(FORMS[type]).dtype


def _some(columns, rng):
    chosen = rng.permutation(columns[0].size)[:LANES]
    return [column[chosen] for column in columns]


def _random(type, form, rng):
    if type == "int":
        return np.concatenate([rng.integers(-9, 9, LANES // 2), rng.integers(-(2**31), 2**31, LANES // 2)])
    return form.from_bits(rng.integers(0, 1 << form.width, LANES, dtype=np.uint64).astype(form.bits_dtype))


def truth(function, mode, columns):
    """Return the results of the reference, as encodings; formulas are evaluated step by step."""
    name, form = function.row.name, function.form
    if whole.is_conversion(function.row):
        target = format_named(function.row.result)
        return [encodings(np.array([round_real(x, target, mode) for x in columns[0].tolist()]), target)]
    with np.errstate(all="ignore"):
        if name in STEPS:
            return [encodings(STEPS[name](functools.partial(by_reference, form, mode), *columns), form)]
        if function.row.moves_bits:
            return [moved(form, *columns)]
        found = phases.by_reference(name, form, mode, *columns)
    return [encodings(np.asarray(value), form) for value in found]


def by_reference(form, mode, name, *columns):
    """Return the correctly rounded result of one operation."""
    filled = [np.broadcast_to(column, columns[0].shape).astype(form.dtype) for column in columns]
    return np.asarray(phases.by_reference(name, form, mode, *filled)[0], form.dtype)


def blend(do, x, y, a):
    """Evaluate mix: a rounded difference, then a fused product and sum."""
    return do("fma", do("sub", y, x), a, x)


def hermite(do, edge0, edge1, x):
    """Evaluate smoothstep in rounded steps; 2 t is exact."""
    t = do("clamp", do("div", do("sub", x, edge0), do("sub", edge1, edge0)), 0.0, 1.0)
    inside = do("mul", do("mul", t, t), do("fma", t, -2.0, 3.0))
    found = np.where(x <= edge0, 0.0, np.where(x >= edge1, 1.0, inside))
    return np.where(np.isnan(x) | np.isnan(edge0) | np.isnan(edge1), np.nan, found)


STEPS = {"mix": blend, "smoothstep": hermite}


def moved(form, x, *signs):
    """Return the encodings of x with the sign of the second argument, or without sign."""
    codes = form.bits(x)
    top = codes.dtype.type(1 << (form.width - 1))
    return (codes & ~top) | (form.bits(signs[0]) & top if signs else codes.dtype.type(0))


def encodings(values, form):
    """Return encodings of numbers, with the canonical one for NaN; ints are unchanged."""
    if values.dtype.kind == "i":
        return values
    return form.bits(np.where(np.isnan(values), form.nan, values).astype(form.dtype))


def encoded(function, values):
    """Return results as encodings, with the canonical one for NaN unless the function moves bits."""
    return [function.form.bits(v) if function.row.moves_bits else encodings(v, format_of(v.dtype)) for v in values]


def results(function, count):
    return [np.zeros(count, dtype(type)) for type, _ in function.outputs]


def address(array):
    return ctypes.c_void_p(array.ctypes.data)


def on_arrays(library, function, mode, columns, *, room=None, outputs=None):
    """Return the exported function's results as encodings, the undecided elements that it lists, and their number."""
    count = columns[0].size
    outputs = outputs or results(function, count)
    elements = np.zeros(count if room is None else max(room, 1), np.uintp)
    call = getattr(library, f"{function.name}_array")
    call.restype = ctypes.c_size_t
    counted = call(
        ctypes.c_size_t(count),
        *map(address, [*columns, *outputs]),
        ctypes.c_int(MODES.index(mode)),
        address(elements),
        ctypes.c_size_t(elements.size if room is None else room),
    )
    listed = elements[: min(counted, elements.size)].astype(np.int64)
    return encoded(function, outputs), listed, counted
