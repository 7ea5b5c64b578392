"""What tests are about, by name: built-ins, formats, modes, engines and chapters, as their parameters tell."""

from __future__ import annotations

from clmath.audit.plan.plan import CHAPTERS
from clmath.engines import choice
from clmath.numbers.formats import KNOWN
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from clmath.spec.families import exact_builtins

_NAMES = {
    "built-ins": frozenset({*builtins(), *exact_builtins()}),
    "formats": frozenset(map(str, KNOWN)),
    "modes": frozenset(MODES),
    "engines": frozenset(choice.ENGINES),
    "chapters": frozenset(CHAPTERS),
}
KINDS_OF_NAMES = (*_NAMES, "planted faults")  # as the table at the end of a run lists them
_KINDS = {
    name: [kind for kind, names in _NAMES.items() if name in names] for name in frozenset().union(*_NAMES.values())
}
_PARTS = ("builtin", "form", "chapter")


def _chapter_of(name):
    """The chapter of a built-in; empty for ``clamp max min dot``, which stand in two."""
    found = {table[name].chapter for table in (builtins(), exact_builtins()) if name in table}
    return found.pop() if len(found) == 1 else ""


_CHAPTER = {name: _chapter_of(name) for name in _NAMES["built-ins"]}


_OF_VALUES = {}  # by identity: a value of a parameter, which stays therefore, and what it is about


def about(params):
    """Kind and name of each built-in, format, mode, engine and chapter that is among values of parameters."""
    return set().union(*map(_about_value, params))


def _about_value(value):
    if id(value) not in _OF_VALUES:  # thousands of tests have the same few values
        _OF_VALUES[id(value)] = value, _found_of(value)
    return _OF_VALUES[id(value)][1]


def _found_of(value):
    parts = [getattr(value, part) for part in _PARTS if hasattr(value, part)]
    parts += [part.chapter for part in parts if hasattr(part, "chapter")]
    words = {str(getattr(one, "name", one)) for one in (value, *parts)}
    words |= {_CHAPTER[word] for word in words & _CHAPTER.keys()}
    return frozenset((kind, word) for word in words & _KINDS.keys() for kind in _KINDS[word])
