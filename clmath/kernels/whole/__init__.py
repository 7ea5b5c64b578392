"""Whole built-ins that need no enclosures: loops from arguments to rounded results, as the native engine compiles them.

A way's function takes elements, usually doubles, and constants. It returns the encoding of each result
and, if it may leave elements undecided, whether it leaves this one; with ``values`` it returns numbers of the format. A
block takes the first way whose condition, if any, holds for all its elements; if this way leaves any, the next one
follows.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clmath.callables import AnyFunction
from clmath.direct import channels
from clmath.direct.conversions import is_exact
from clmath.direct.conversions import label as label_of_conversion
from clmath.kernels import remainders
from clmath.kernels.for_devices import BY_FORMAT
from clmath.kernels.whole import arithmetic, conversions, encodings, geometric
from clmath.kernels.whole.elementwise import elementwise
from clmath.kernels.whole.nearest import NEAREST
from clmath.kernels.whole.rounding import MODERATE_DOUBLE, MODERATE_FLOAT
from clmath.numbers.datatypes import INTEGERS, SCALARS, type_name
from clmath.numbers.formats import FORMATS, format_named, is_float
from clmath.numbers.integer_products import to_channel, to_integer
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import Parameter, builtin

__all__ = ["IN_STEPS", "Way", "Whole", "label", "of_formats", "wholes"]

_STEPPED = "_in_steps"  # ends the name of functions that round each operation
IN_STEPS = {name: f"{name}{_STEPPED}" for name in ("mad", "mix", "dot", "cross")}  # without contraction
_CONTRACTED = {"mad": "fma"}  # with it, where it is another built-in
FORMS = ("half", "float", "double")
RTE = 0


class Way(NamedTuple):
    """Functions that together give every result, and the function that selects their elements: None selects all.

    ``known``: their arguments that are constants, by name; ``holds_known``: of ``holds``.
    """

    functions: tuple[AnyFunction, ...]
    known: Mapping[str, object] = {}
    holds: AnyFunction | None = None
    holds_known: Mapping[str, object] = {}


class Whole(NamedTuple):
    """A built-in in one format and, where it rounds, one mode.

    ``inputs``, ``outputs``: the names of formats and of integer types; elements of long and ulong are int64, all others
    float64. ``leaves``: whether its ways may leave elements undecided. ``file``: the file with its text and the text of
    others; empty if its modes have a file of their own. ``is_typed``: its one function takes arrays of the types
    themselves, as NumPy's engine calls it.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    ways: tuple[Way, ...]
    values: bool = False
    leaves: bool = False
    file: str = ""
    is_typed: bool = False


def label(name: str, form: str, mode: str, *, contracted: bool, arguments: int) -> str:
    """The key of a built-in in ``wholes``, with so many ``arguments``; it has no mode if nothing is rounded."""
    name = (_CONTRACTED if contracted else IN_STEPS).get(name, name)
    mode = mode if name in _ROUNDED else ""
    return _label(f"{name}{arguments}" if name in _VECTORS else name, form, mode)


def _label(*parts: str) -> str:
    return "_".join(filter(None, parts))


@functools.cache
def wholes() -> Mapping[str, Whole]:
    """All of them by label."""
    return {**of_formats(), **dict(_elementwise())}


@functools.cache
def of_formats() -> Mapping[str, Whole]:
    """Return the built-ins of floating-point numbers by label."""
    parts = (_arithmetic, _exact, _remainders, _geometric, _conversions, _moved)
    return {label: one for form in FORMS for part in parts for label, one in part(form)}


_ROUNDED = frozenset({*arithmetic.__all__, *geometric.__all__})
_VECTORS = frozenset(geometric.__all__)


def _types(parameters: Sequence[Parameter], form: str, width: int = 1) -> tuple[str, ...]:
    """The types of parameters, repeated for each component of vectors of ``width``: formats, and int."""
    kinds = [("int" if one.type == "intn" else form, width if one.type == "gentype" else 1) for one in parameters]
    return tuple(kind for kind, count in kinds for _ in range(count))


# Arguments of 2^-reach to 2^reach in size take the moderate way. A difference of them is at least 2^-(reach + 52), and
# the rounding error of its product with the least of them is at least 2^-(2 reach + 52 + 106): a normal number for 400.
# The quotient in smoothstep is at least 2^-(2 reach + 53) of doubles, and 2^-(2 reach + 24) of floats; its square, and
# for doubles the square's rounding error, 2^-106 of it, are normal numbers for 100, and for 19. The others of floats:
# arguments are multiples of 2^-(reach + 23), and so is a difference of them, rounded or not. A product of two such
# numbers is a multiple of 2^-(2 reach + 46), rounded or not, and so is its sum with one of them: for 40 it is 0 or a
# normal number. The fraction of a double is a multiple of 2^-(reach + 52), too.
_SUMS_OF_PRODUCTS = ("fma", "mad_in_steps", "mix", "mix_in_steps")
_REACHES = {
    "double": dict.fromkeys(_SUMS_OF_PRODUCTS, 400) | {"smoothstep": 100, "fract": 960},
    "float": dict.fromkeys(_SUMS_OF_PRODUCTS, 40) | {"smoothstep": 19},
}
_NO_SHORTER = {  # in rte, where the processor rounds
    "double": frozenset({"fract", "mad_in_steps", "mix_in_steps", "smoothstep"}),
    "float": frozenset(_SUMS_OF_PRODUCTS),
}
_MODERATE = {"double": MODERATE_DOUBLE, "float": MODERATE_FLOAT}


def _arithmetic(form: str) -> Iterator[tuple[str, Whole]]:
    """Built-ins that round."""
    for name in arithmetic.__all__:
        row, function = builtin(name.removesuffix(_STEPPED)), (getattr(arithmetic, name),)
        inputs, outputs = _types(row.inputs, form), _types(row.outputs, form)
        for number, mode in enumerate(MODES):
            ways = [Way(function, {"form": form, "mode": number})]
            reach = _REACHES.get(form, {}).get(name)
            if is_one_operation := number == RTE and form != "half" and name in NEAREST:
                ways = [Way((NEAREST[name],))]
            elif reach and not (number == RTE and name in _NO_SHORTER[form]):
                known = {"form": _MODERATE[form], "mode": number}
                ways.insert(0, Way(function, known, arithmetic.are_moderate, {"reach": reach}))
            whole = Whole(inputs, outputs, tuple(ways), values=is_one_operation)
            yield _label(name, form, mode), whole


def _of_values(name: str, form: str, *ways: Way) -> tuple[str, Whole]:
    """Return a built-in whose functions give numbers of the format, for all modes, with its label."""
    row = builtin(name)
    return _label(name, form), Whole(_types(row.inputs, form), _types(row.outputs, form), ways, values=True)


_MOVED: Mapping[str, AnyFunction] = {"fabs": encodings.magnitude, "copysign": encodings.with_sign}


def _exact(form: str) -> Iterator[tuple[str, Whole]]:
    """Built-ins whose results are exact."""
    for name, kernels in BY_FORMAT[form].items():
        if kernels[0].family == "exact" and name not in _MOVED:
            yield _of_values(name, form, Way(tuple(kernel.function for kernel in kernels)))


_REMAINDERS = {  # the way for results from one quotient of doubles, and the way for any difference of exponents
    "fmod": (remainders.near_fmod, remainders.fmod),
    "remainder": (remainders.near_remainder, remainders.remainder),
    "remquo": (remainders.near_remquo, remainders.remquo),
}


def _remainders(form: str) -> Iterator[tuple[str, Whole]]:
    """Remainders; all halves are near to each other."""
    numbers = format_named(form)
    is_always_near = numbers.emax - numbers.quantum < remainders.PLACES
    for name, (near, far) in _REMAINDERS.items():
        ways = (Way((near,)),) if is_always_near else (Way((near,), holds=remainders.is_near), Way((far,)))
        yield _of_values(name, form, *ways)


_SUMS = frozenset({"dot", "cross"})  # are exact: only doubles may be left


def _geometric(form: str) -> Iterator[tuple[str, Whole]]:
    """Geometric functions, by the number of their components."""
    for name in geometric.__all__:
        stem = name.removesuffix(_STEPPED)
        row, function = builtin(stem), (getattr(geometric, name),)
        for width in row.widths:
            inputs, outputs = _types(row.inputs, form, width), _types(row.outputs, form, width)
            leaves = stem not in _SUMS or (name == stem and form == "double")
            chosen = [{"way": way} for way in _geometric_ways(name, form, width)] if name == stem else [{}]
            for number, mode in enumerate(MODES):
                ways = tuple(Way(function, {"form": form, "mode": number, **way}) for way in chosen)
                yield _label(f"{name}{len(inputs)}", form, mode), Whole(inputs, outputs, ways, leaves=leaves)


def _geometric_ways(name: str, form: str, width: int) -> tuple[str, ...]:
    """Return the ways; the quick way of doubles leaves subnormal results, and results that are close to two numbers."""
    if form == "double":
        return geometric.QUICK, geometric.FAR
    is_far = name == "distance" and form == "float" and width > 1
    return (geometric.NEAR, geometric.FAR) if is_far else (geometric.NEAR,)


_WIDE = {"long": True, "ulong": False}  # types with numbers that are not doubles, and whether they are signed


def _conversions(form: str) -> Iterator[tuple[str, Whole]]:
    """Conversions to and from a format that round anything, except conversions that NumPy does as fast."""
    yield from _widened(form)
    for number in range(len(MODES)):
        yield from _to_integers(form, number)
        yield from _from_others(form, number)
        if form != "double":
            yield from _channels(form, number)


def _to_integers(form: str, number: int) -> Iterator[tuple[str, Whole]]:
    for type, dtype in INTEGERS.items():
        info = np.iinfo(dtype)
        way = Way((to_integer,), {"least": int(info.min), "most": int(info.max), "mode": number})
        key = label_of_conversion(format_named(form).dtype, dtype, MODES[number])
        yield key, Whole((form,), (type,), (way,), file=f"convert_{form}_integer")


def _from_others(form: str, number: int) -> Iterator[tuple[str, Whole]]:
    """Conversions from types that the format does not hold; C's casts of integers round to nearest, except to half."""
    target = format_named(form)
    for type, dtype in SCALARS.items():
        of_numbers = is_float(dtype)
        if form != "half" if number == RTE and not of_numbers else is_exact(dtype, target):
            continue
        way = Way((conversions.from_number,), {"form": form, "mode": number})
        if type in _WIDE:
            way = Way((conversions.from_long,), {"signed": _WIDE[type], "form": form, "mode": number})
        elif number == RTE and form == "float":
            way = Way((conversions.nearest_float,))
        key = label_of_conversion(dtype, target.dtype, MODES[number])
        yield key, Whole((type,), (form,), (way,), file=f"convert_{form}" if of_numbers else f"convert_integer_{form}")


def _widened(form: str) -> Iterator[tuple[str, Whole]]:
    """Conversions from narrower formats, exactly; NumPy's own casts keep the payloads of NaNs."""
    target, way = format_named(form), Way((conversions.exactly_in,), {"form": form})
    for narrower in FORMATS:
        if narrower.precision < target.precision:
            key = label_of_conversion(narrower.dtype, target.dtype, MODES[RTE])
            yield key, Whole((narrower.name,), (form,), (way,), file=f"widen_{form}")


def _channels(form: str, number: int) -> Iterator[tuple[str, Whole]]:
    """Channels of images, whose numbers are halfs or floats."""
    numbers, mode = format_named(form), MODES[number]
    for channel in channels.CHANNELS:
        type = type_name(channel.dtype)
        way = Way((conversions.from_channel,), {"most": channel.most, "form": form, "mode": number})
        yield channel.read(numbers, mode), Whole((type,), (form,), (way,), file=f"read_{form}")
        ends = {"least": channel.least, "most": channel.most}
        way = Way((to_channel,), {**ends, "mode": number})
        yield channel.written(numbers.dtype, mode), Whole((form,), (type,), (way,), file=f"write_{form}")


def _moved(form: str) -> Iterator[tuple[str, Whole]]:
    """Functions of encodings."""
    numbers = format_named(form)
    bits = type_name(numbers.bits_dtype)
    for name, function in {**_MOVED, "nan": encodings.nan(numbers)}.items():
        inputs = (bits,) * len(builtin(name).inputs)
        yield _label(name, form), Whole(inputs, (bits,), (Way((function,)),), file=name, is_typed=True)


def _elementwise() -> Iterator[tuple[str, Whole]]:
    """Functions of arrays in the types themselves."""
    for key, (function, inputs, output) in elementwise():
        names, file = tuple(type_name(dtype) for dtype in inputs), key.partition("_")[0]
        yield key, Whole(names, (type_name(output),), (Way((function,)),), file=file, is_typed=True)
