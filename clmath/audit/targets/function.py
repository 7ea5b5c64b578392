"""A Python callable, or an object with a function for each built-in, as a target: MODULE:CALLABLE."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clmath import errors
from clmath.audit.plan.rows import WIDTHS
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import FaultError, TargetError
from clmath.audit.targets.attempt import entered, restore, taken
from clmath.audit.targets.host import Host, checked
from clmath.audit.targets.layouts import LaidOut, in_memory, in_one_dimension
from clmath.callables import AnyFunction
from clmath.numbers import guard
from clmath.numbers.formats import HALF, Format
from clmath.spec.builtins import Builtin, builtins
from clmath.spec.families import exact_builtins, has_known_result, measured_builtins

_BETWEEN = 90  # fills the memory between vectors
_IN_MEMORY = ("packed", "storage")  # types of arguments that lie in memory: a built-in with such an argument is a load


class Function(Host):
    """Target that calls ``target(name, *arrays)``; if that is a class or not callable, ``target.sin(*arrays)``.

    A function that has the name of a built-in is that built-in: ``numpy:sin`` is called as ``numpy.sin(x)``, unless it
    has a parameter ``name``.

    Arrays are one-dimensional in the format's dtype, int32 for intn. Arrays of geometric built-ins have a last axis of
    components. In an audit of vectors all arrays have one, except arguments that all components share. The scalar
    operand of an operator on vectors has a last axis of one element, so that NumPy broadcasts it. The result is one
    array of the vectors' shape and dtype, or a tuple of such arrays if the built-in stores through pointers. If neither
    name nor arguments determine the type of the result, as in reads of images, a function with a parameter ``type``
    receives its name: 'half'. Loads and stores are vectors in and out; a function with a parameter ``offset`` receives
    offsets and memory, and is called by the name with the width: ``target("vload_half3", p, offset=offsets)`` returns
    vectors, ``target("vstorea_half3_rtz", data, p, offset=offsets)`` writes them to ``p``. Cases of printf return texts
    as bytes; functions of sub-groups also return the number of each work-item's sub-group, its place there and the
    size.
    """

    widths = WIDTHS
    lays_out = True  # takes arguments in layouts

    def __init__(self, target: object, name: str, flushing: object = None) -> None:
        """``flushing``: the floating-point environment that importing it has set, if that flushes subnormal numbers."""
        self._target, self._flushing = target, flushing
        self._function = target if callable(target) and not isinstance(target, type) else None
        last = name.rpartition(":")[2].rpartition(".")[2]
        is_built_in = self._function is not None and last in builtins() and not _takes(self._function, "name")
        self._only = last if is_built_in else ""
        self.name = name

    def describe(self) -> dict[str, str]:
        """Return the file from which the callable comes."""
        module = self._target if hasattr(self._target, "__file__") else sys.modules.get(self.name.partition(":")[0])
        found = {"kind": "python", "callable": self.name, "file": Path(getattr(module, "__file__", None) or "").name}
        flushes = {"importing it": "has the processor flush subnormal numbers to zero (FTZ or DAZ), as in this audit"}
        return found if self._flushing is None else found | flushes

    def flushes(self, form: Format) -> bool:
        """Whether importing it makes the processor flush float and double; halves are computed as floats."""
        return self._flushing is not None and form is not HALF

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the target has the built-in: a callable has all, or only its namesake; an object has attributes."""
        if not row.takes(form.name):
            return False
        if self._function is not None:
            return self._only in {"", row.called}
        return callable(getattr(self._target, row.called, None))

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Call the target on copies of ``args``; TargetError if it raises, or returns anything but valid results."""
        copies = _widenable(row, in_memory(args) if isinstance(args, LaidOut) else [a.copy() for a in args])
        try:
            with np.errstate(all="ignore"):
                with entered(self._flushing):
                    returned = self._returned(row, form, copies)
                self._check_arguments(row, form, args, copies)
                if isinstance(args, LaidOut):
                    returned = in_one_dimension(returned, len(args[0]))
                return checked(self.name, row, form, args, returned)
        except (TargetError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - code of others: panics and test outcomes are not Exceptions
            why = f"raised {message_of(error)}{self._call(row) if isinstance(error, TypeError) else ''}"
            raise FaultError(f"{self.name}: {row.name}({form})", why) from None

    def _check_arguments(
        self, row: Builtin, form: Format, args: Sequence[np.ndarray], left: Sequence[np.ndarray]
    ) -> None:
        """Raise FaultError if the target has written into an argument."""
        for parameter, given, now in zip(row.inputs, args, left, strict=True):
            if given.tobytes() != now.tobytes():
                raise FaultError(f"{self.name}: {row.name}({form})", f"wrote into its argument {parameter.name}")

    def _returned(self, row: Builtin, form: Format, args: list[np.ndarray]) -> object:
        function = self._named(row.called)
        if row.chapter == "memory" and _takes(function, "offset"):
            return self._at_offsets(row, args[0])
        if not has_known_result(row) and _takes(function, "type"):
            return function(*args, type=form.name)
        return function(*args)

    def _call(self, row: Builtin) -> str:
        """Return a hint for a message: how a target is called that takes the name of the built-in."""
        if self._function is None or self._only:
            return ""
        words = ", ".join((repr(row.called), *(p.name for p in row.inputs)))
        return f" (it is called with the name of the built-in: {self.name.rpartition(':')[2]}({words}))"

    def _named(self, name: str) -> AnyFunction:
        if self._function is not None:
            return self._function if self._only else functools.partial(self._function, name)
        found: AnyFunction = getattr(self._target, name)
        return found

    def _at_offsets(self, row: Builtin, values: np.ndarray) -> np.ndarray:
        """Load vectors from memory, or store them there, the last one first; memory between them must not change."""
        width, loads = values.shape[-1], row.inputs[0].type in _IN_MEMORY
        is_aligned = width == 3 and "storage" in (row.result, row.inputs[0].type) and 1 not in row.widths
        dtype = np.dtype(np.float16) if row.result == "storage" else values.dtype
        memory = np.full((len(values), width + is_aligned), _BETWEEN, dtype)
        offsets = np.arange(len(values))[::-1].copy()
        function = self._named(_spelled(row.name, width))
        if loads:
            memory[offsets, :width] = values
            return np.asarray(function(memory.reshape(-1).copy(), offset=offsets)).reshape(values.shape)
        function(values if width > 1 else values[:, 0], memory.reshape(-1), offset=offsets)
        if (memory[:, width:] != _BETWEEN).any():
            raise FaultError(f"{self.name}: {row.name}", f"wrote beyond the last of {width} components")
        return memory[offsets, :width]


def _widenable(row: Builtin, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the arguments; the scalar operand of an operator on vectors has a last axis of one element."""
    has_vectors = any(a.ndim > 1 for a in args)
    pairs = zip(row.inputs, args, strict=True)
    return [a[:, np.newaxis] if has_vectors and p.type in ("scalar", "narrow") else a for p, a in pairs]


def _spelled(name: str, width: int) -> str:
    """Return the name with the width: vstore_half3_rtz."""
    base, _, mode = name.partition("_rt")
    return f"{base}{width if width > 1 else ''}{f'_rt{mode}' if mode else ''}"


def _takes(function: AnyFunction, name: str) -> bool:
    """Whether a function has a parameter that can be passed by name."""
    try:
        found = inspect.signature(function).parameters.get(name)
    except (TypeError, ValueError):  # implemented in C
        return False
    return found is not None and found.kind in (found.POSITIONAL_OR_KEYWORD, found.KEYWORD_ONLY)


def _check_has_functions(target: object) -> None:
    """Raise AttributeError unless ``target``, or an attribute named as a built-in, is callable."""
    rows = (*measured_builtins().values(), *exact_builtins().values())
    if not callable(target) and not any(callable(getattr(target, row.called, None)) for row in rows):
        raise AttributeError(f"{type(target).__name__} is not a function and has none with the name of a built-in")


def _remedy(error: BaseException, module: str) -> str:
    """Return the remedy if MODULE:CALLABLE cannot be loaded because of ``error``."""
    if isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]:
        return f"run the command in the folder that holds {error.name}.py, or install it"
    if isinstance(error, ImportError | AttributeError):
        return "write MODULE:CALLABLE"
    return f"mend {module}, or write another MODULE:CALLABLE"


def imported(text: str, call: str = "clmath audit") -> tuple[Any, object]:
    """Return the object MODULE:CALLABLE, and the floating-point environment that importing it has set, if that flushes.

    Python's import system looks for the module in the current directory, too.
    """
    module, _, path = text.partition(":")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    before = taken()
    try:
        target: Any = importlib.import_module(module)
        for attribute in path.split("."):
            target = getattr(target, attribute)
        _check_has_functions(target)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - importing runs code of others
        message = f"{call}: {text!r} cannot be loaded: {message_of(error)}; {_remedy(error, module)}"
        raise errors.UnknownNameError(message) from None
    finally:
        after = taken() if guard.flushes() else None
        restore(before)
    return target, after


def load(text: str, call: str = "clmath audit") -> Function:
    """Return the target MODULE:CALLABLE."""
    target, flushing = imported(text, call)
    return Function(target, text, flushing)
