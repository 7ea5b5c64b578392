"""What compiled code offers to threads that help with a call: see templates/helpers.c."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Alone", "Helper", "Helpers", "Job"]

_WORD = 8  # bytes
_LEAST = 256  # lanes that a thread takes at a time: hundreds of nanoseconds
_APART = 16  # 64-bit words: of a line of a cache, and of the one beside it


class Job:
    """``struct job``: what threads share. One is used again and again: to make one takes microseconds."""

    __slots__ = ("_words", "address", "following")
    _idle: ClassVar[list[Job]] = []
    _record = struct.Struct("8Q4q")  # many, call and the operands; the next lane, the least piece, lanes and patience
    _NEXT, _LANES = 8, 10  # words

    def __init__(self) -> None:
        self._words = (ctypes.c_int64 * (self._record.size // _WORD))()
        self.address = ctypes.addressof(self._words)
        self.following = ctypes.byref(self._words, self._NEXT * _WORD)  # for compiled code

    @classmethod
    def of(cls, many: int, call: int, operands: Sequence[int], lanes: int, patience: int) -> Job:
        """One for so many ``lanes`` of operands at six addresses, to be ``given_back``."""
        try:
            job = cls._idle.pop()
        except IndexError:
            job = cls()
        cls._record.pack_into(job._words, 0, many, call, *operands, 0, _LEAST, lanes, patience)
        return job

    def given_back(self) -> None:
        """No thread has it any more."""
        self._idle.append(self)

    @property
    def next(self) -> int:
        """The number of the next lane."""
        return self._words[self._NEXT]

    def stop(self) -> None:
        """Have no thread take a further piece."""
        self._words[self._NEXT] = self._words[self._LANES]


class Alone(ctypes.Structure):
    """The number of the next lane, which is the same where nothing is shared, and of lanes that are taken at least."""

    next: int
    least: int
    _fields_ = (("next", ctypes.c_int64), ("least", ctypes.c_int64))

    @property
    def following(self) -> Any:
        """Both, for compiled code."""
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
