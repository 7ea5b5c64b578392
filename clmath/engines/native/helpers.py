"""What compiled code offers to threads that help with a call: see templates/helpers.c."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Alone", "Helper", "Helpers", "Job"]

_APART = 16  # 64-bit words: of a line of a cache, and of the one beside it


class Job(ctypes.Structure):
    """``struct job``: what threads share."""

    next: int
    lanes: int
    patience: int
    _fields_ = (
        ("many", ctypes.c_void_p),
        ("call", ctypes.c_void_p),
        ("operands", ctypes.c_void_p * 6),
        ("next", ctypes.c_int64),
        ("lanes", ctypes.c_int64),
        ("patience", ctypes.c_int64),
    )

    @property
    def following(self) -> Any:
        """The number of the next lane, for compiled code."""
        return ctypes.byref(self, Job.next.offset)  # type: ignore[attr-defined]

    def stop(self) -> None:
        """Have no thread take a further piece."""
        self.next = self.lanes


class Alone(ctypes.Structure):
    """The number of the next lane, which is the same where nothing is shared."""

    next: int
    _fields_ = (("next", ctypes.c_int64),)

    @property
    def following(self) -> Any:
        """It, for compiled code."""
        return ctypes.byref(self)


class Helper(ctypes.Structure):
    """``struct helper``, in lines of a processor's cache that nothing else is written to."""

    found: int
    _fields_ = (
        ("before", ctypes.c_int64 * _APART),
        ("state", ctypes.c_int64),
        ("job", ctypes.c_void_p),
        ("found", ctypes.c_int64),
        ("undecided", ctypes.c_void_p),
        ("patience", ctypes.c_int64),
        ("after", ctypes.c_int64 * _APART),
    )

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        return ctypes.addressof(self) + int(Helper.state.offset)


class Helpers(NamedTuple):
    """``clmath_begin``, ``clmath_serve``, ``clmath_done`` and ``clmath_awaited`` of a library."""

    begin: Callable[..., int]
    serve: Callable[..., int]
    done: Callable[..., int]
    awaited: Callable[..., int]

    @classmethod
    def of(cls, loaded: Any, holding: Any) -> Helpers:
        """Those of a ``loaded`` library; ``holding``: it, while no other thread of Python runs."""
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        found = cls(holding.clmath_begin, loaded.clmath_serve, holding.clmath_done, loaded.clmath_awaited)
        for function, types in zip(found, ([pointer, pointer], [pointer], [pointer], [pointer, number]), strict=True):
            function.restype, function.argtypes = number, types  # type: ignore[attr-defined]
        return found
