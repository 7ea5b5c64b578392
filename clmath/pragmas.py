"""The two pragmas of the specification as scoped ``with`` blocks: SELECT_ROUNDING_MODE and FP_CONTRACT."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from clmath import errors
from clmath.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    # named for its use as a decorator, which AbstractContextManager does not promise
    from contextlib import _GeneratorContextManager as Block

__all__ = ["Contract", "contracts", "fp_contract", "rounding_mode", "select_rounding_mode"]

Contract: TypeAlias = Literal["ON", "OFF", "DEFAULT"]
T = TypeVar("T")

_MODE: ContextVar[Rounding] = ContextVar("clmath.rounding_mode", default="rte")
_CONTRACTS: ContextVar[bool] = ContextVar("clmath.fp_contract", default=True)


def select_rounding_mode(mode: Rounding) -> Block[None]:
    """Put ``mode`` in force inside a ``with`` block, as ``#pragma OPENCL SELECT_ROUNDING_MODE`` does.

    Inherited by the operators (``add sub mul div recip``), by conversions to a floating-point type and by
    ``vstore_half`` and ``vstorea_half`` where they name no mode. Math, common and geometric built-ins stay rte,
    conversions to an integer type stay rtz. The mode before the block is back after it, whatever ends the block.

    Blocks nest; threads and async tasks do not disturb each other. A Python function that is called inside the block
    sees its mode; one whose mode is its own, as an OpenCL function's is, has ``@select_rounding_mode("rte")`` above its
    ``def``. Do not ``yield`` inside the block: the mode would be in force where the generator is used.

    RoundingError for anything but rte, rtz, rtp and rtn. Source: cl_khr_select_fprounding_mode.

    >>> with select_rounding_mode("rtz"):
    ...     rounding_mode()
    'rtz'
    """
    return _in_force(_MODE, checked_mode("select_rounding_mode()", mode))


def rounding_mode() -> Rounding:
    """The mode in force, rte outside every ``select_rounding_mode`` block: ``__ROUNDING_MODE__``.

    Source: cl_khr_select_fprounding_mode.

    >>> rounding_mode()
    'rte'
    """
    return _MODE.get()


def fp_contract(state: Contract) -> Block[None]:
    """Allow (ON, DEFAULT) or forbid (OFF) contraction inside a ``with`` block, as ``#pragma OPENCL FP_CONTRACT`` does.

    Read by ``mad mix cross dot``, whose docstrings say which expression each state evaluates; ``smoothstep`` has
    nothing that contraction could change. ON outside every block. Scope, threads and tasks as for
    ``select_rounding_mode``.

    UnknownNameError for any other state. Source: OpenCL C++ 1.0, 3.19.11.

    >>> with fp_contract("OFF"):
    ...     contracts()
    False
    """
    if state not in ("ON", "OFF", "DEFAULT"):
        raise errors.not_one_of("fp_contract()", "state", state, ("ON", "OFF", "DEFAULT"))
    return _in_force(_CONTRACTS, state != "OFF")


def contracts() -> bool:
    """Whether expressions may be contracted to ``fma`` here."""
    return _CONTRACTS.get()


@contextlib.contextmanager
def _in_force(variable: ContextVar[T], state: T) -> Iterator[None]:
    token = variable.set(state)
    try:
        yield
    finally:
        variable.reset(token)
