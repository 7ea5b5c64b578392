"""The built-ins of all chapters that are judged bit by bit, including those with names made of parts."""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clmath.direct.addressing import ADDRESSING
from clmath.direct.texels import ORDERS, TYPES
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.formats import FORMATS, KNOWN, format_named
from clmath.spec import files
from clmath.spec.builtins import EXACT, Builtin, builtins, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clmath.direct.texels import ChannelType

TABLE = "families.toml"
_PARTS = {
    "integer": tuple(INTEGERS),
    "float": tuple(f.name for f in FORMATS),
    "any": (*INTEGERS, *(f.name for f in FORMATS)),
    "mode": ("", "_rte", "_rtz", "_rtp", "_rtn"),
    "sat": ("", "_sat"),
    "switch": ("on", "off", "default", "none"),
    "order": tuple(order for order in ORDERS if order != "depth"),
    "shape": ("1d", "3d", "1d_array", "2d_array"),
    "size": ("1", "64", "257", "1x1", "16x8", "300x3", "1x258", "1x1x1", "8x4x2", "2x3x260"),
    "plainorder": ("r", "rx", "a", "rg", "rgx", "ra", "rgba", "bgra", "argb", "abgr"),
    "anytypeorder": ("r", "rx", "a", "rg", "rgx", "ra", "intensity", "luminance"),
    "swappedorder": ("bgra", "argb", "abgr"),
    "addressing": tuple(mode for mode in ADDRESSING if mode != "none"),
    "packed": tuple(name for name, type in TYPES.items() if type.shifts),
    "signed": tuple(name for name in TYPES if name.startswith("signed")),
    "unsigned": tuple(name for name in TYPES if name.startswith("unsigned")),
    "normalized": ("unorm_int8", "unorm_int16", "snorm_int8", "snorm_int16", "half_float"),
    "wider": ("unorm_int16", "snorm_int8", "snorm_int16", "half_float"),
}
READS_PACKED, WRITES_PACKED = "read packed", "write packed"  # rules of several channels in one word
WRITES_NORMALIZED = (
    "write normalized",
    WRITES_PACKED,
    "write srgba",
)  # rules of rows with channels of normalized integers
EXACT_SAMPLES, OTHER_SAMPLES = "sample nearest", "sample filtered"  # rules by the text on sampled reads
_TESTED = {"booln", "condition", "icondition", "promoted", "ucondition"}  # types that differ in vectors
_PLURALS = {f"{type}s": (type,) for type in (*INTEGERS, "float")}  # vectors in entries with widths
_PLACE = re.compile(r"<(\w+)>")
_OF_VECTORS = {"booln": "igentype", "promoted": "gentype"}  # types of results in each component


@functools.cache
def families() -> Mapping[str, Builtin]:
    """Return the built-ins of ``tables/families.toml`` that are judged bit by bit, by name."""
    return MappingProxyType({row.name: row for row in _table() if not row.is_measured})


@functools.cache
def measured_builtins() -> Mapping[str, Builtin]:
    """Return every built-in whose errors are measured, by name, with operators on a vector and a scalar."""
    return MappingProxyType({**builtins(), **{row.name: row for row in _table() if row.is_measured}})


def audited_builtins() -> tuple[Builtin, ...]:
    """Return every built-in of the specification that an audit has cases for; one name may have several entries."""
    return (*measured_builtins().values(), *exact_builtins().values())


@functools.cache
def conversions_beyond() -> Mapping[str, Builtin]:
    """Return the conversions to formats that no edition has, by name: ``convert_bfloat16_rtz``."""
    pairs = [
        (row, row.name.replace("half", form.name), form.name)
        for form in KNOWN
        if form not in FORMATS
        for row in families().values()
        if row.chapter == "conversions" and row.result == "half"
    ]
    rows = [
        replace(row, name=name, result=type, declaration=row.declaration.replace("half", type))
        for row, name, type in pairs
    ]
    return MappingProxyType({row.name: row for row in rows})


@functools.cache
def _table() -> tuple[Builtin, ...]:
    return tuple(row for section, entry in files.load(TABLE).items() for row in _rows(section, entry))


@functools.cache
def chapters() -> tuple[str, ...]:
    """Return the chapters that are judged bit by bit."""
    return tuple(dict.fromkeys((*EXACT, *(entry["chapter"] for entry in files.load(TABLE).values()))))


@functools.cache
def exact_builtins() -> Mapping[str, Builtin]:
    """Return every built-in that is judged bit by bit, by name; ``clamp max min dot`` for integers."""
    return MappingProxyType({**builtins(*EXACT), **families()})


def exact_builtin(name: str) -> Builtin | None:
    """Return the built-in of this name that is judged bit by bit, or a conversion to a format that no edition has."""
    return exact_builtins().get(name) or conversions_beyond().get(name)


@functools.cache
def by_bits() -> Mapping[str, Builtin]:
    """Return built-ins and operators with bits as results, by name; ``clamp max min dot add sub mul div`` for ints."""
    operators = {row.name: row for row in families().values() if row.operator and not row.calls}
    return MappingProxyType({**builtins(*EXACT), **operators})


def with_other_signatures(rows: Iterable[Builtin]) -> list[Builtin]:
    """Return ``rows``, each followed by its other signatures: ``select`` by ``select_unsigned``."""
    every = audited_builtins()
    found = ((row, *(other for other in every if other.calls == row.name and row.types)) for row in rows)
    return list(dict.fromkeys(row for group in found for row in group))


def _rows(section: str, entry: dict[str, Any]) -> Iterator[Builtin]:
    for number, pattern in enumerate(entry["declarations"]):
        for declaration in _spelled(pattern):
            row = parsed(declaration, section, {**entry, **_turn_of(number, entry)}, TABLE)
            types = tuple(t for t in row.types if not entry.get("same_size") or _size(t) == _size(row.result))
            yield replace(row, types=types)


def _turn_of(number: int, entry: dict[str, Any]) -> dict[str, list[int]]:
    """Return the width of the declaration with that number, if the widths of a section are taken in turn."""
    kinds = [kind for kind in ("widths", "vector_widths") if entry.get("in_turn") and kind in entry]
    return {kind: [entry[kind][number % len(entry[kind])]] for kind in kinds}


def _spelled(pattern: str) -> Iterator[str]:
    """Yield the declarations that a pattern expands to."""
    names = tuple(dict.fromkeys(_PLACE.findall(pattern)))
    for words in itertools.product(*(_PARTS[name] for name in names)):
        meant = dict(zip(names, words, strict=True))
        yield _PLACE.sub(lambda place, meant=meant: meant[place[1]], pattern)  # type: ignore[misc]


def _size(type: str) -> int:
    return SCALARS[type].itemsize if type in SCALARS else format_named(type, known=KNOWN).width // 8


def kinds_of(kind: str, type: str) -> tuple[str, ...]:
    """Return the types that a parameter declared as ``kind`` may have if gentype is ``type``; 'word' stays 'word'."""
    signed, unsigned, wide = _integer("i", type), _integer("u", type), _wider(type)
    known = {
        "gentype": (type,),
        "ugentype": (unsigned,),
        "igentype": (signed,),
        "wgentype": (wide,),
        "truths": (type,),
        "condition": (signed, unsigned),
        "icondition": (signed,),
        "ucondition": (unsigned,),
        "byte4": ("char", "uchar"),
        "otherbyte4": ("char",) if type == "uchar" else ("uchar",),
        "booln": ("int",),
        "promoted": ("int",) if type in INTEGERS and _size(type) < _size("int") else (type,),
        "packed": (type,),
        "scalar": (type,),
        "narrow": (_narrower(type),),
        "storage": ("half",),
        **_PLURALS,
    }
    return known.get(kind, (kind,))


def _integer(letter: str, type: str) -> str:
    return next(name for name, dtype in INTEGERS.items() if (dtype.kind, dtype.itemsize) == (letter, _size(type)))


def _wider(type: str) -> str:
    """Return the integer type of twice the width, at most long."""
    return _of_size(type, 2 * _size(type))


def _narrower(type: str) -> str:
    """Return the type of half the width, of the same kind and sign, at least char and half."""
    return _of_size(type, _size(type) // 2)


def _of_size(type: str, size: int) -> str:
    """Return the type of the same kind and sign that has ``size`` bytes; else ``type`` itself."""
    kind = SCALARS[type].kind if type in SCALARS else ""
    return next((name for name, dtype in SCALARS.items() if (dtype.kind, dtype.itemsize) == (kind, size)), type)


@functools.lru_cache(maxsize=4096)
def signature(row: Builtin, type: str, *, vector: bool = False) -> tuple[tuple[str, ...], str]:
    """Return the types of the arguments, and of the result, if gentype is ``type``; of several, gentype or signed.

    A comparison of scalars gives an int; a comparison of a ``vector`` a signed integer as wide as gentype in each
    component. Short integers are promoted to int, but not in vectors.
    """
    output = _OF_VECTORS.get(row.result, row.result) if vector else row.result
    return tuple(_chosen(p.type, type) for p in row.inputs), _chosen(output, type)


def keywords(row: Builtin, *, vector: bool) -> dict[str, bool]:
    """Keywords of clmath's function for a call on a ``vector``: its truth is in the sign bit, or all bits."""
    kinds = {row.result, *(p.type for p in row.inputs)}
    return {"vector": True} if "truths" in kinds or widens(row) or (vector and kinds & _TESTED) else {}


def widens(row: Builtin) -> bool:
    """Whether one of the arguments is a scalar that is widened to a vector, as in an operator on both."""
    return bool(row.operator) and any(p.type in ("scalar", "narrow") for p in row.inputs)


def has_known_result(row: Builtin) -> bool:
    """Whether the name, or the arguments, determine the result's type: stored channels may be read as several types."""
    return len({signature(row, type)[0] for type in row.types}) >= len({signature(row, type)[1] for type in row.types})


def reads_truths(row: Builtin) -> bool:
    """Whether it tests which integers in the components of a vector are true: ``any`` and ``all``."""
    return "truths" in [p.type for p in row.inputs]


def _chosen(kind: str, type: str) -> str:
    if kind == "word":
        return "uint" if type.startswith("u") else "int"
    choices = kinds_of(kind, type)
    return type if type in choices else choices[0]


def by_channel(row: Builtin) -> bool:
    """Whether a built-in maps vectors to vectors by component: the channels of an image, except colours."""
    return bool(row.rule) and 1 in row.widths and is_vector(row.result)


def is_sampled(row: Builtin | None) -> bool:
    """Whether it reads an image with a sampler; the image belongs to the entry, the arguments are coordinates."""
    return row is not None and row.rule in {EXACT_SAMPLES, OTHER_SAMPLES}


def packed_by(row: Builtin) -> ChannelType | None:
    """Return the packed channel type whose words are read or written, or None for other channels."""
    return TYPES[row.name.partition("_")[2]] if row.rule in {READS_PACKED, WRITES_PACKED} else None


def is_vector(kind: str) -> bool:
    """Whether a parameter declared as ``kind`` is a vector in an entry that has widths."""
    return kind in ("gentype", "igentype", "ugentype", "truths", "byte4", "otherbyte4", "packed", "storage", *_PLURALS)
