"""The two pragmas of the specification as lexically scoped ``with`` blocks: SELECT_ROUNDING_MODE and FP_CONTRACT."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath import errors
from clmath.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Contract", "contracts", "fp_contract", "rounding_mode", "select_rounding_mode"]

Contract: TypeAlias = Literal["ON", "OFF", "DEFAULT"]

_MODE: ContextVar[Rounding] = ContextVar("clmath.rounding_mode", default="rte")
_CONTRACTS: ContextVar[bool] = ContextVar("clmath.fp_contract", default=True)


@contextlib.contextmanager
def select_rounding_mode(mode: Rounding) -> Iterator[None]:
    """Put ``mode`` in force inside a ``with`` block, as ``#pragma OPENCL SELECT_ROUNDING_MODE`` does.

    Inherited by the operators (``add sub mul div recip``), by conversions to a floating-point type and by
    ``vstore_half`` and ``vstorea_half`` where they name no mode. Math, common and geometric built-ins stay rte,
    conversions to an integer type stay rtz. Threads and async tasks do not disturb each other.

    Source: cl_khr_select_fprounding_mode.

    >>> with select_rounding_mode("rtz"):
    ...     rounding_mode()
    'rtz'
    """
    token = _MODE.set(checked_mode("select_rounding_mode()", mode))
    try:
        yield
    finally:
        _MODE.reset(token)


def rounding_mode() -> Rounding:
    """The mode in force, rte outside every ``select_rounding_mode`` block: ``__ROUNDING_MODE__``."""
    return _MODE.get()


@contextlib.contextmanager
def fp_contract(state: Contract) -> Iterator[None]:
    """Allow (ON, DEFAULT) or forbid (OFF) contraction inside a ``with`` block, as ``#pragma OPENCL FP_CONTRACT`` does.

    Read by ``mad mix smoothstep dot cross``, whose docstrings say which expression each state evaluates.

    Source: OpenCL C++ 1.0, 3.19.11.

    >>> with fp_contract("OFF"):
    ...     contracts()
    False
    """
    if state not in ("ON", "OFF", "DEFAULT"):
        raise errors.not_one_of("fp_contract()", "state", state, ("ON", "OFF", "DEFAULT"))
    token = _CONTRACTS.set(state != "OFF")
    try:
        yield
    finally:
        _CONTRACTS.reset(token)


def contracts() -> bool:
    """Whether expressions may be contracted to ``fma`` here."""
    return _CONTRACTS.get()
