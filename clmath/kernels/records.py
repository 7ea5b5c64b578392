"""Records of kernels: the facts that decorators in their modules state, one record for each kernel.

A module is imported when the record of one of its kernels is asked for. Compiled code needs none of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from clmath.callables import AnyFunction

__all__ = ["Record", "Special", "far", "kernel", "narrows", "ordinary", "record", "refines"]

Function = TypeVar("Function", bound="AnyFunction")


class Special(NamedTuple):
    """A kernel for some arguments: ``holds`` selects these elements, and ``function`` returns the same parts as the
    kernel.
    """

    holds: AnyFunction
    function: AnyFunction


@dataclass
class Record:
    """Facts about one kernel.

    ``is_wide``: its enclosures may be wider than its phase promises, where large terms cancel. ``refine``: the
    arguments and the parts of one result in, the parts with the exact results found out; None where ``function`` finds
    them itself. ``ordinary``: the kernel for ordinary arguments. ``far``: the kernel for arguments so small or large,
    as most random encodings are, that results cost little. ``narrow``: as ``refine``, and narrows the enclosure.
    """

    is_wide: bool = False
    refine: AnyFunction | None = None
    ordinary: Special | None = None
    far: Special | None = None
    narrow: AnyFunction | None = None


_RECORDS: defaultdict[tuple[str, str], Record] = defaultdict(Record)


def record(module: str, name: str) -> Record:
    """Return the record of the kernel ``name`` of a module that is imported; an empty one where it has none."""
    return _RECORDS.get((module, name), Record())


def kernel(*, is_wide: bool = False) -> Callable[[Function], Function]:
    """Register a kernel by its name, which ``phases`` lists under the family of its module."""

    def registered(function: Function) -> Function:
        _RECORDS[function.__module__, function.__name__].is_wide = is_wide
        return function

    return registered


def refines(*kernels: str) -> Callable[[Function], Function]:
    """Register the function that finds the exact results of ``kernels`` of its module."""
    return _registered("refine", kernels)


def narrows(*kernels: str) -> Callable[[Function], Function]:
    """Register the function that narrows the enclosures of ``kernels`` of its module."""
    return _registered("narrow", kernels)


def ordinary(kernel: str, *, holds: AnyFunction) -> Callable[[Function], Function]:
    """Register the function for the ordinary arguments of ``kernel``, for which ``holds`` is true."""
    return _registered("ordinary", [kernel], holds)


def far(kernel: str, *, holds: AnyFunction) -> Callable[[Function], Function]:
    """Register the function for the arguments of ``kernel`` far from 1, for which ``holds`` is true."""
    return _registered("far", [kernel], holds)


def _registered(role: str, kernels: Sequence[str], holds: AnyFunction | None = None) -> Callable[[Function], Function]:
    def registered(function: Function) -> Function:
        value = function if holds is None else Special(holds, function)
        for name in kernels:
            setattr(_RECORDS[function.__module__, name], role, value)
        return function

    return registered
