"""A Python callable, or an object with a function for each built-in, as a subject: MODULE:CALLABLE."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.plan.rows import WIDTHS
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.subject import FaultError, SubjectError
from clmath.audit.subjects.host import Host, checked
from clmath.spec.families import is_told

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["Function", "load"]


class Function(Host):
    """``target(name, *arrays)``, or where ``target`` is a class or cannot be called, ``target.sin(*arrays)`` and so on.

    Arrays are one-dimensional in the format's dtype (int32 for intn; geometric built-ins have a last axis of lanes, and
    so have all where an audit asks for vectors, but what all lanes share); the result is one array of the same shape
    and dtype, or a tuple of them where the built-in stores through pointers. Where neither name nor arguments tell the
    type of the result, as in reads of images, a function that has a parameter ``type`` is given its name: 'half'.
    """

    widths = WIDTHS

    def __init__(self, target: Any, name: str) -> None:
        self._target = target
        self._is_function = callable(target) and not isinstance(target, type)
        self.name = name

    def describe(self) -> dict[str, str]:
        """Where the callable comes from."""
        module = self._target if hasattr(self._target, "__file__") else sys.modules.get(self.name.partition(":")[0])
        return {"kind": "python", "callable": self.name, "file": Path(getattr(module, "__file__", None) or "").name}

    def defines(self, row: Builtin, form: Format) -> bool:
        """Every built-in for a callable; those that it has as attributes for an object."""
        return row.takes(form.name) and (self._is_function or callable(getattr(self._target, row.called, None)))

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """Call it on copies of ``args``; whatever it raises, or returns that is no result, is a SubjectError."""
        copies = [a.copy() for a in args]
        try:
            with np.errstate(all="ignore"):
                returned = self._call(row, form)(*copies)
                return checked(self.name, row, form, args, returned)
        except (SubjectError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - code of others: panics and test outcomes are no Exception
            raise FaultError(f"{self.name}: {row.name}({form})", f"raised {message_of(error)}") from None

    def _call(self, row: Builtin, form: Format) -> Any:
        name = row.called
        function = functools.partial(self._target, name) if self._is_function else getattr(self._target, name)
        return function if is_told(row) or not _takes_type(function) else functools.partial(function, type=form.name)


def _takes_type(function: Any) -> bool:
    """Whether a function has a parameter ``type`` that may be named."""
    try:
        found = inspect.signature(function).parameters.get("type")
    except (TypeError, ValueError):  # a built-in one
        return False
    return found is not None and found.kind in (found.POSITIONAL_OR_KEYWORD, found.KEYWORD_ONLY)


def load(text: str, call: str = "clmath audit") -> Function:
    """The subject MODULE:CALLABLE, the module found as Python finds it from the current directory."""
    module, _, path = text.partition(":")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        target: Any = importlib.import_module(module)
        for attribute in path.split("."):
            target = getattr(target, attribute)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - importing runs code of others
        message = f"{call}: {text!r} cannot be loaded: {message_of(error)}; write MODULE:CALLABLE"
        raise errors.UnknownNameError(message) from None
    return Function(target, text)
