"""The place of a test: the line that pytest quotes when it fails, and the name of the function there."""

from __future__ import annotations

import ast
import linecache
import sys
from inspect import signature
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

    from clmath.callables import AnyFunction

T = TypeVar("T")
TEST = "conformance_test()"
"""The call, in messages of a test and of its function."""
_HERE = str(Path(__file__).parent)


def caller() -> FrameType:
    """The innermost frame outside of this package."""
    frame = sys._getframe()  # noqa: SLF001 - as warnings.warn finds its frame
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def is_raised_elsewhere(error: BaseException) -> bool:
    """Whether the innermost line that raised is not of this package: a function of C has no lines."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and not place.tb_frame.f_code.co_filename.startswith(_HERE)


def name_at(frame: FrameType, function: object) -> str:
    """Return the function's name in the file of ``frame``: its own, a name in a known module, or f."""
    known = frame.f_globals
    own = getattr(function, "__name__", "")
    own = own if isinstance(own, str) and own.isidentifier() else ""
    if known.get(own) is function:
        return own
    names = [name for name, value in known.items() if value is function and not name.startswith("_")]
    holder = getattr(function, "__self__", None)  # of a method
    if not isinstance(holder, ModuleType):
        names += [f"{name}.{own}" for name, value in known.items() if own and holder is not None and value is holder]
    modules = [name for name, value in known.items() if isinstance(value, ModuleType)]
    names += [f"{name}.{own}" for name in modules if own and vars(known[name]).get(own) is function]
    return next(iter(names), own or "f")


def takes(function: AnyFunction, keyword: str) -> bool:
    """Whether a function takes a keyword, as far as its signature is known."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # its signature is unknown
        return True
    return any(p.name == keyword or p.kind is p.VAR_KEYWORD for p in parameters)


def standing_at(frame: FrameType, check: Callable[[T], None]) -> Callable[[T], None]:
    """Return a function of one keyword, ``call``, that runs ``check`` and whose source is the line of ``frame``.

    In the body of a class it is a method, which gets the object too.
    """
    file, line = frame.f_code.co_filename, frame.f_lineno
    is_class = "__qualname__" in frame.f_locals and frame.f_locals is not frame.f_globals
    tree = ast.parse(f"lambda {'*_, ' * is_class}call: check(call)", mode="eval")
    end = len(linecache.getline(file, line).rstrip().encode())
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.arg)):
            node.lineno = node.end_lineno = line
            node.col_offset, node.end_col_offset = 0, end
    made: Callable[[T], None] = eval(compile(tree, file, "eval"), {"check": check})  # noqa: S307 - the text above
    return made


class ChangedError(Exception):
    """A function has written into its argument number ``place``."""

    def __init__(self, place: int) -> None:
        super().__init__(f"writes into its argument {place + 1}, whose values are its caller's: work on a copy")
        self.place = place


def on_copies(
    function: AnyFunction,
    args: Sequence[object],
    keywords: Mapping[str, object] = MappingProxyType({}),
    written: int | None = None,
) -> tuple[object, list[object]]:
    """Return the function's results for copies of ``args``, and the copies after the call.

    ChangedError if it has written into an argument, except into argument number ``written``.
    """
    __tracebackhide__ = True
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    with np.errstate(all="ignore"):  # a decorator would be a frame in the failures that pytest shows
        results = function(*copies, **keywords)
    for place, (given, left) in enumerate(zip(args, copies, strict=True)):
        if place == written or not (isinstance(given, np.ndarray) and isinstance(left, np.ndarray)):
            continue
        if given.tobytes() != left.tobytes():
            raise ChangedError(place)
    return results, copies
