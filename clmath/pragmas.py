"""The two pragmas of the specification as scoped ``with`` blocks: SELECT_ROUNDING_MODE and FP_CONTRACT."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import types
import warnings
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast

from clmath import errors
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator

    from clmath.callables import AnyFunction

__all__ = [
    "Block",
    "Contract",
    "Flushed",
    "begun",
    "contracts",
    "flush_to_zero",
    "flushed_formats",
    "forget",
    "fp_contract",
    "kept",
    "may_flush",
    "rounding_mode",
    "select_rounding_mode",
    "table",
]

Contract: TypeAlias = Literal["ON", "OFF", "DEFAULT"]
Flushed: TypeAlias = Literal["half", "float", "double"]
F = TypeVar("F", bound="AnyFunction")
P = ParamSpec("P")
Key = TypeVar("Key")
Kept = TypeVar("Kept")
Yielded = TypeVar("Yielded")
Sent = TypeVar("Sent")
Returned = TypeVar("Returned")


class _Entry(NamedTuple):
    """A state, the block that set it, and the generator's frame that contains the block, if any."""

    value: object
    block: Block | None = None
    generator: types.FrameType | None = None


# the last entry is in force; earlier ones come back as blocks end
_Stack: TypeAlias = "tuple[_Entry, ...]"
_MODE: ContextVar[_Stack] = ContextVar("clmath.rounding_mode", default=(_Entry("rte"),))
_CONTRACTS: ContextVar[_Stack] = ContextVar("clmath.fp_contract", default=(_Entry(True),))
_FLUSHED: ContextVar[_Stack] = ContextVar("clmath.flush_to_zero", default=(_Entry(()),))
_BEGUN: set[str] = set()  # names of the context variables whose first block has begun, in any thread
_TABLES: list[Callable[[], None]] = []  # each empties a table
_CHANGING = threading.Lock()
_FORMATS = tuple(form.name for form in FORMATS)
_DRIVERS = (
    "contextlib",
    "_pytest",
    "pluggy",
)  # packages that resume generators so that the state of their blocks is in force at the place of use


def table() -> dict[Key, Kept]:
    """Return a new dictionary, which is emptied when the first block of a pragma begins.

    A value can thus be made for a process without such blocks, and need not depend on the state in force.
    """
    made: dict[Key, Kept] = {}
    _TABLES.append(made.clear)
    return made


def begun() -> frozenset[str]:
    """Return the pragmas that have begun in this process: "rounding_mode", "fp_contract" and "flush_to_zero"."""
    return frozenset(name.removeprefix("clmath.") for name in _BEGUN)


def kept(known: dict[Key, Kept], key: Key, make: Callable[[], Kept]) -> Kept:
    """Return the value that ``make`` makes, and keep it in a ``table()`` unless a pragma has begun in the meantime."""
    before, value = begun(), make()
    with _CHANGING:
        if before == begun():
            known[key] = value
    return value


def _begin(name: str) -> None:
    """Have calls look up the state of a pragma from now on."""
    if name not in _BEGUN:
        with _CHANGING:
            _BEGUN.add(name)
        forget()


def forget() -> None:
    """Empty all tables."""
    with _CHANGING:
        for clear in _TABLES:
            clear()


def _generator_of(frame: types.FrameType) -> types.FrameType | None:
    """Return ``frame`` if it is a generator's, but None for generators used as context managers or fixtures."""
    if not frame.f_code.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
        return None
    driver = str(frame.f_back.f_globals.get("__name__")) if frame.f_back else ""
    return None if driver.partition(".")[0] in _DRIVERS else frame


def _in_force(variable: ContextVar[_Stack]) -> object:
    """Return the state in force; warn if it comes from a generator that is suspended inside of its block."""
    value, block, generator = variable.get()[-1]
    if generator is not None and generator.f_back is None and block is not None:
        fact = (
            f"the state {value!r} is that of a block in the generator {generator.f_code.co_name}(), which is suspended"
        )
        message = f"{block.call}: {fact} inside of it: decorate the generator instead, and it keeps its state to itself"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    return value


class Block:
    """A pragma's scope: a ``with`` block, usable repeatedly, or a decorator of functions of every kind.

    A decorated coroutine or generator runs with the state in force. While it is suspended, at an ``await`` or a
    ``yield``, the state around it is not affected.
    """

    __slots__ = ("call", "value", "variable")

    def __init__(self, call: str, variable: ContextVar[_Stack], value: object) -> None:
        self.call = call
        self.variable = variable
        self.value = value

    def __enter__(self) -> None:
        _begin(self.variable.name)
        entry = _Entry(self.value, self, _generator_of(sys._getframe(1)))  # noqa: SLF001 - the frame of the block
        self.variable.set((*self.variable.get(), entry))

    def __exit__(self, *_: object) -> None:
        stack, frame = self.variable.get(), sys._getframe(1)  # noqa: SLF001 - as above
        places = [place for place, entry in enumerate(stack) if entry.block is self]
        places = [place for place in places if stack[place].generator is frame] or places
        if not places:
            raise RuntimeError(
                f"{self.call}: the block ends in another context than it began in, as in a generator that is used "
                "elsewhere: decorate the generator instead"
            )
        self.variable.set(stack[: places[-1]] + stack[places[-1] + 1 :])  # blocks of generators end in any order

    def __call__(self, function: F) -> F:
        """Return ``function`` with the state in force inside; DTypeError for a class or a non-callable object."""
        if isinstance(function, type) or not callable(function):
            kind = "a class" if isinstance(function, type) else f"of type {type(function).__name__}"
            raise errors.DTypeError(
                f"{self.call}: what is decorated is {kind}; a function is needed: put the decorator next to each 'def'"
            )
        for is_such, inside in _KINDS:
            if is_such(function) or is_such(type(function).__call__):
                return cast("F", functools.wraps(function)(inside(self, function)))
        return cast("F", functools.wraps(function)(_function(self, function)))


def _function(block: Block, function: Callable[P, Returned]) -> Callable[P, Returned]:
    def inside(*args: P.args, **options: P.kwargs) -> Returned:
        with block:
            return function(*args, **options)

    return inside


def _generator(
    block: Block, function: Callable[P, Generator[Yielded, Sent, Returned]]
) -> Callable[P, Generator[Yielded, Sent, Returned]]:
    def inside(*args: P.args, **options: P.kwargs) -> Generator[Yielded, Sent, Returned]:
        return (yield from _Run(block).steps(function(*args, **options)))

    return inside


def _coroutine(
    block: Block, function: Callable[P, Awaitable[Returned]]
) -> Callable[P, Coroutine[object, object, Returned]]:
    async def inside(*args: P.args, **options: P.kwargs) -> Returned:
        return await _Run(block).awaited(function(*args, **options))

    return inside


def _async_generator(
    block: Block, function: Callable[P, AsyncGenerator[Yielded, Sent | None]]
) -> Callable[P, AsyncGenerator[Yielded, Sent]]:
    async def inside(*args: P.args, **options: P.kwargs) -> AsyncGenerator[Yielded, Sent]:
        body, run = function(*args, **options), _Run(block)
        step = body.asend(None)
        while True:
            try:
                item = await run.awaited(step)
            except StopAsyncIteration:
                return
            try:
                step = body.asend((yield item))
            except GeneratorExit:
                await run.awaited(body.aclose())
                raise
            except BaseException as error:  # noqa: BLE001 - the body may catch it
                step = body.athrow(error)

    return inside


_KINDS = (
    (inspect.isasyncgenfunction, _async_generator),
    (inspect.iscoroutinefunction, _coroutine),
    (inspect.isgeneratorfunction, _generator),
)


class _Run:
    """One run of a decorated coroutine or generator, which keeps its own stack while it is suspended."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.stack: _Stack = ()
        _begin(block.variable.name)

    def _step(self, step: Callable[[], Returned]) -> Returned:
        variable = self.block.variable
        outer = variable.get()
        variable.set(self.stack or (*outer, _Entry(self.block.value, self.block)))
        try:
            return step()
        finally:
            self.stack = variable.get()
            variable.set(outer)

    def steps(self, body: Generator[Yielded, Sent, Returned]) -> Generator[Yielded, Sent, Returned]:
        """Run ``body``, a generator or an awaitable's iterator; pass on all that it yields, receives and returns."""
        step = functools.partial(next, body)
        while True:
            try:
                item = self._step(step)
            except StopIteration as end:
                return cast("Returned", end.value)
            try:
                step = functools.partial(body.send, (yield item))
            except GeneratorExit:
                self._step(body.close)
                raise
            except BaseException as error:  # noqa: BLE001 - the body may catch it
                step = functools.partial(body.throw, error)

    @types.coroutine
    def awaited(self, body: Awaitable[Returned]) -> Generator[object, object, Returned]:
        """Run ``body``, an awaitable, like a generator in ``steps``."""
        return (yield from self.steps(body.__await__()))


def select_rounding_mode(mode: Rounding) -> Block:
    """Put ``mode`` in force inside a ``with`` block, as ``#pragma OPENCL SELECT_ROUNDING_MODE`` does.

    Inherited by the operators (``add sub mul div recip``), by conversions to a floating-point type and by
    ``vstore_half`` and ``vstorea_half`` if they name no mode. Math, common and geometric built-ins stay rte,
    conversions to an integer type stay rtz. At the end of the block, even by an exception, the previous mode is back.

    Blocks nest, and one object serves for many; threads and async tasks do not disturb each other. A Python function
    that is called inside the block sees its mode; a function with its own mode, like an OpenCL function, has
    ``@select_rounding_mode("rte")`` above its ``def`` or ``async def``. Decorate a generator too, rather than ``yield``
    inside the block: the decorator's mode is in force only while its body runs. The block's mode is also in force where
    the generator is used, as context managers and fixtures of pytest require; elsewhere a RuntimeWarning says so.
    RoundingError for anything but rte, rtz, rtp and rtn; as a decorator, DTypeError for a class.
    Source: cl_khr_select_fprounding_mode.

    >>> with select_rounding_mode("rtz"):
    ...     rounding_mode()
    'rtz'
    """
    return Block("select_rounding_mode()", _MODE, checked_mode("select_rounding_mode()", mode))


def rounding_mode() -> Rounding:
    """Return the mode in force, rte outside every ``select_rounding_mode`` block: ``__ROUNDING_MODE__``.

    Source: cl_khr_select_fprounding_mode.

    >>> rounding_mode()
    'rte'
    """
    value, _, generator = _MODE.get()[-1]
    return cast("Rounding", value if generator is None else _in_force(_MODE))


def fp_contract(state: Contract) -> Block:
    """Allow (ON, DEFAULT) or forbid (OFF) contraction inside a ``with`` block, as ``#pragma OPENCL FP_CONTRACT`` does.

    Read by ``mad mix cross dot``, whose docstrings say which expression each state evaluates; contraction cannot change
    ``smoothstep``. ON outside every block. Scope, threads and tasks as for ``select_rounding_mode``.

    UnknownNameError for any other state. Source: OpenCL C++ 1.0, 3.19.11.

    >>> with fp_contract("OFF"):
    ...     contracts()
    False
    """
    if not isinstance(state, str) or state not in ("ON", "OFF", "DEFAULT"):
        raise errors.not_one_of("fp_contract()", "state", state, ("ON", "OFF", "DEFAULT"))
    return Block("fp_contract()", _CONTRACTS, state != "OFF")


def contracts() -> bool:
    """Whether expressions may be contracted to ``fma`` here."""
    value, _, generator = _CONTRACTS.get()[-1]
    return bool(value if generator is None else _in_force(_CONTRACTS))


def flush_to_zero(*formats: Flushed) -> Block:
    """Have subnormal numbers of ``formats`` flushed to zero inside a ``with`` block, as devices without them may.

    ``formats``: "half", "float", "double"; without any, nothing is flushed, even inside of other blocks. Inside,
    computations take subnormal arguments for zeros, and return zeros for results whose exact values are subnormal
    before they are rounded, even if they would round to the smallest normal number. Each component of a vector is
    flushed separately, and every zero keeps the sign of the flushed value. That holds for

    - the math, common and geometric chapters and ``add sub mul div recip``; ``mix`` and ``smoothstep`` flush the result
      of the whole formula;
    - comparisons, logical operators, the condition of ``conditional``, and the relational functions that return truths;
    - conversions from float and double: conversions from half are exact (cl_khr_fp16);
    - sums, the least and the greatest of groups, where operands and the results are flushed;
    - floats of images: ``read_float``, ``write_float``, and reads with a sampler (3.11.8, 5.3.3).

    Functions that move bits (``fabs copysign nan select``, a sign, a broadcast), loads and stores, halfs of images and
    printf keep subnormal numbers. Each of these is a result that 4.5.3 allows a device, for double only under
    -cl-denorms-are-zero; a device may do otherwise, as the sign of these zeros is undefined.

    A block has a scope, and serves as a decorator, as ``select_rounding_mode`` does. Arrays on devices are refused.
    UnknownNameError for another format. Source: OpenCL C++ 1.0, 4.2 and 4.5.3.

    >>> with flush_to_zero("float"):
    ...     clmath.mul(np.float32(-2.0**-126), np.float32(0.5)), clmath.mul(1e-310, 0.5)
    (np.float32(-0.0), np.float64(5e-311))
    """
    for form in formats:
        if not isinstance(form, str) or form not in _FORMATS:
            raise errors.not_one_of("flush_to_zero()", "format", form, _FORMATS)
    return Block("flush_to_zero()", _FLUSHED, tuple(dict.fromkeys(formats)))


def may_flush() -> bool:
    """Whether subnormal numbers of any format are flushed here."""
    return bool(_BEGUN) and len(_FLUSHED.get()) > 1 and bool(_in_force(_FLUSHED))


def flushed_formats() -> tuple[Flushed, ...]:
    """Return the names of the formats whose subnormal numbers are flushed here."""
    return cast("tuple[Flushed, ...]", _in_force(_FLUSHED))
