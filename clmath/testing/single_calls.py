"""Functions that are called once for each case, not on arrays of calls: prints, copies, broadcasts, reads of images."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

import clmath
from clmath import errors
from clmath.audit.exact import images, printed_texts
from clmath.audit.inputs import sampled, structured
from clmath.audit.inputs.special import pool
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.printed_rows import formats_of, given, has_several
from clmath.audit.plan.sampled_rows import SHAPES, Sampling, Way, places, reads_in_way, sampling
from clmath.audit.plan.types import TYPES
from clmath.direct.texels import TYPES as CHANNEL_TYPES
from clmath.functions.sampling import Image, Sampler
from clmath.numbers.datatypes import SCALARS, WIDTHS
from clmath.spec.families import families, is_sampled
from clmath.testing import strategies
from clmath.testing.callers import is_raised_elsewhere, takes
from clmath.testing.failures import share, source_of, with_bits, with_share
from clmath.testing.steadiness import mixed_up, same, unmoved
from clmath.testing.strategies.memory import COPIED
from clmath.testing.strategies.spans import checked_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.callables import AnyFunction
    from clmath.numbers.rounding import Rounding
    from clmath.testing.terms import Terms
    from clmath.testing.tested import Printer

READ = "Image.read"
_WAYS = 4  # of a case: all cases together have every one many times
_COORDINATES = 48  # of a way in which an audit's case reads its image
_PRINTED = 400  # calls of a case
_GROUPS = (1, 3, 16)  # work-items
_CONVERSIONS = {"f": "fFeEgGaA", "i": "di", "u": "ouxX", "c": "c"}  # by the kind of a type; c for the character
TYPES_READ = {name: kind.reads for name, kind in CHANNEL_TYPES.items()}
KEPT = 64  # calls that fail, handed to Hypothesis
STRIDE = 8  # between calls that are repeated, with elements in other orders and in other modes
NONE = np.empty(0)
FEW = 200  # numbers: a failure of more results says how many differ


class Call(NamedTuple):
    """The arguments of one call, and its keywords."""

    args: tuple[Any, ...]
    keywords: Mapping[str, object]

    def text(self, name: str) -> str:
        """Text of the call, with the bits of numbers."""
        return f"{name}({', '.join([*map(_shown, self.args), *(f'{k}={v}' for k, v in self.keywords.items())])})"

    def source(self, function: str = "") -> str:
        """Return Python code that makes the call."""
        return f"{function}({', '.join([*map(_source, self.args), *(f'{k}={v!r}' for k, v in self.keywords.items())])})"

    def in_mode(self, mode: Rounding | None) -> Call:
        """Return the call with the keyword ``rounding``, or unchanged without a mode."""
        return self if mode is None else self._replace(keywords={**self.keywords, "rounding": mode})


@dataclass(frozen=True)
class Kind(ABC):
    """A function under test that is called once for each case, its calls, and its acceptance criteria.

    ``types``: the types under test, of ``every`` type that a test may choose. ``rounds``: whether the function may take
    a mode.
    """

    every: ClassVar[tuple[str, ...]] = COPIED
    rounds: ClassVar[bool] = False

    name: str
    types: Sequence[str]
    function: AnyFunction

    @property
    def own(self) -> AnyFunction:
        """The function of clmath, or the method of its images."""
        found: AnyFunction = Image.read if self.name == READ else getattr(clmath, self.name)
        return found

    @abstractmethod
    def known(self) -> Iterator[Call]:
        """Yield calls that are always tried."""

    @abstractmethod
    def generated(self) -> SearchStrategy[Call]:
        """Strategy of any calls."""

    def right(self, call: Call, got: object, terms: Terms) -> bool:  # noqa: ARG002 - others need them
        """Whether the specification allows the result of a call: by default, only the result of clmath."""
        return has_bits(got, self.made(self.own, call))

    def made(self, function: AnyFunction, call: Call) -> object:
        """Return the result of a call for copies of arrays."""
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in call.args]
        return function(*copies, **call.keywords)


class _Prints(Kind):
    """``sprintf(format, value)``: one conversion specification, a number or a vector; strings and characters."""

    rounds = True

    def known(self) -> Iterator[Call]:
        for row in families().values():
            for type in self.types if row.chapter == "printf" and not has_several(row) else ():
                if row.takes(type):
                    yield from _printed(ExactItem(row, TYPES[type]))

    def generated(self) -> SearchStrategy[Call]:
        known = {SCALARS[type] for type in self.types}
        kinds = {*(dtype.kind for dtype in known), *("c" * ("int" in self.types))}
        chosen = "".join(letters for kind, letters in _CONVERSIONS.items() if kind in kinds)
        found = strategies.printed(chosen).filter(lambda case: np.asarray(case[1]).dtype in known)
        return found.map(lambda case: Call(case, {}))

    def right(self, call: Call, got: object, terms: Terms) -> bool:
        form, value = call.args
        if not isinstance(got, str):
            return False
        if isinstance(value, str):
            return bool(got == clmath.sprintf(form, value))
        due = clmath.sprintf(form, value, rounding=terms.rounding)
        return got == due or printed_texts.is_right(form, list(np.atleast_1d(value)), got, terms.rounding)


def _printed(item: ExactItem) -> Iterator[Call]:
    """Calls of an audit: one with an infinity in each format of a case, and others."""
    formats, columns = formats_of(item.builtin, item.form.name), structured.structured(item)
    numbers = columns[-1]
    infinite = np.flatnonzero(sum(np.isinf(column) for column in columns[:-1]))
    first = infinite[np.unique(numbers[infinite], return_index=True)[1]]
    mixed = np.random.default_rng(len(formats)).permutation(len(numbers))[:_PRINTED]
    some = np.unique(np.concatenate([first, mixed]))
    for *values, number in zip(*(column[some] for column in columns), strict=True):
        components = given(values, formats[int(number)])
        value = "clmath" if not components else components[0] if len(components) == 1 else np.array(components)
        yield Call((formats[int(number)], value), {})


class _Copies(Kind):
    """``async_work_group_copy(dst, src, num_gentypes)``, or the strided one; with ``width=`` if known."""

    @property
    def is_strided(self) -> bool:
        """Whether elements of one memory have a stride."""
        return "strided" in self.name

    def known(self) -> Iterator[Call]:
        rng = np.random.default_rng(0)
        strides = [{k: s} for k in ("src_stride", "dst_stride") for s in (1, 2, 3)] if self.is_strided else [{}]
        for type in self.types:
            for width in (1, *WIDTHS) if takes(self.function, "width") else (1,):
                for stride in strides:
                    for count in (0, 1, 2, 5):
                        size = 4 * width * 3 * 5 * SCALARS[type].itemsize
                        dst, src = (np.frombuffer(rng.bytes(size), SCALARS[type]) for _ in range(2))
                        yield Call((dst, src, count), {**stride, **({} if width == 1 else {"width": width})})

    def generated(self) -> SearchStrategy[Call]:
        kinds, widths = [SCALARS[type] for type in self.types], takes(self.function, "width")
        found = strategies.copies(kinds, strided=self.is_strided, widths=widths)
        return found.map(lambda copy: Call(copy[:3], copy.keywords))

    def made(self, function: AnyFunction, call: Call) -> tuple[np.ndarray, ...]:
        """Return both memories after the call: it must not write into ``src``."""
        dst, src, count = call.args
        left = dst.copy(), src.copy()
        function(*left, count, **call.keywords)
        return left


class _Broadcasts(Kind):
    """``work_group_broadcast(a, local_id)``: the work-items of groups on the last axis of ``a``."""

    every = ("int", "uint", "long", "ulong", "half", "float", "double")

    def known(self) -> Iterator[Call]:
        for type in self.types:
            values = pool(SCALARS[type])
            for items in _GROUPS:
                a = np.resize(values, (-(-len(values) // items), items))
                for groups in (a[0], a):  # one alone is simpler to read if it fails
                    yield from (Call((groups, local_id), {}) for local_id in range(items))

    def generated(self) -> SearchStrategy[Call]:
        from hypothesis import strategies as st

        found = st.one_of([strategies.arguments(self.name, SCALARS[type], shape=2) for type in self.types])
        return found.map(lambda args: Call(args, {}))


def has_bits(got: object, due: object) -> bool:
    """Whether a result is ``due``: the same text, or arrays and numbers of NumPy of one type and shape, bit for bit."""
    if isinstance(due, tuple):
        return isinstance(got, tuple) and all(map(has_bits, got, due))
    if isinstance(due, str):
        return bool(got == due)
    return _has_form(got, due) and np.asarray(got).tobytes() == np.asarray(due).tobytes()


def _has_form(got: object, due: object) -> bool:
    """Whether ``got`` is an array or a number of NumPy of the type and shape of ``due``."""
    wanted = np.asarray(due)
    return isinstance(got, (np.ndarray, np.generic)) and (got.shape, got.dtype) == (wanted.shape, wanted.dtype)


class _Reads(Kind):
    """``read(image, sampler, coordinates)``, as ``image.read(sampler, coordinates)``; sampler None for texels."""

    every = ("float", "half", "int", "uint")
    rounds = True

    def known(self) -> Iterator[Call]:
        for row in families().values():
            for type in self.types if is_sampled(row) and row.chapter == "images" else ():
                if row.takes(type) and (type != "half" or takes(self.function, "type")):
                    yield from known_reads(row.name, type)

    def generated(self) -> SearchStrategy[Call]:
        from hypothesis import strategies as st

        halfs = "half" in self.types and takes(self.function, "type")

        def asked(read: strategies.Read, as_half: bool) -> Call:
            gives_half = "half" in TYPES_READ[read.image.type] and read.image.order != "depth"
            return Call(tuple(read), {"type": "half"} if as_half and gives_half else {})

        types = {*self.types} - {"half"} or {"float"}
        found = strategies.reads([name for name, kinds in TYPES_READ.items() if kinds[0] in types])
        return st.builds(asked, found, st.sampled_from([False, True]) if halfs else st.just(False))

    def right(self, call: Call, got: object, terms: Terms) -> bool:
        image, sampler, coordinates = call.args
        type = str(call.keywords.get("type") or TYPES_READ[image.type][0])
        due = image.read(sampler, coordinates, type)
        if not _has_form(got, due):
            return False
        shape = next(s for s, (axes, array) in SHAPES.items() if (axes, array) == (len(image.sizes), image.array))
        way = Way(sampler or Sampler(), coordinates.dtype.kind == "i")
        how = Sampling(image.type, image.order, shape, (way,), image.data)
        at = coordinates.reshape(-1, len(how.sizes) + how.is_array)
        item = ExactItem(families()["sample_rgba"], TYPES["half" if type == "half" else "float"], 4)
        asked = images.allowed_of_image(how, type, way, at, terms.exact_criteria.freedom(item))
        components = np.asarray(got).reshape(len(at), -1)
        if components.shape[-1] == 1:
            components = np.pad(components, ((0, 0), (0, 3)))
        return bool((asked.accepts(components) | asked.is_free).all())


@functools.cache
def known_reads(name: str, type: str) -> tuple[Call, ...]:
    """Return the calls of an audit's case: a few for each of a hundred cases, which all tests try."""
    item = ExactItem(families()[name], TYPES[type], 4)
    return tuple(_read(sampling(item.builtin, type), type, np.stack(sampled.structured(item), axis=-1)))


def _read(how: Sampling, type: str, coord: NDArray[np.float32]) -> Iterator[Call]:
    """Calls in some of the ways in which a case reads its image, at some of the coordinates of an audit."""
    image = Image(how.data, how.type, how.order, array=how.is_array)  # type: ignore[arg-type]
    rng = np.random.default_rng([how.data.itemsize, *how.data.reshape(-1)[:4].view(np.uint8)])
    numbers = rng.permutation(len(how.ways))[:_WAYS]
    for number, way in ((number, how.ways[number]) for number in np.sort(numbers)):
        here = np.flatnonzero(reads_in_way(how, number, coord))
        chosen = places(how, coord[np.sort(rng.permutation(here)[:_COORDINATES])])
        if not len(chosen):  # reads of a single texel without an addressing mode are undefined
            continue
        at = np.floor(chosen).astype(np.int32) if way.are_ints else np.ascontiguousarray(chosen)
        args = image, way.sampler, at if at.shape[-1] > 1 else at[:, 0]
        yield Call(args, {"type": "half"} if type == "half" else {})


def _shown(value: object) -> str:
    if isinstance(value, Image):
        return f"{value!r}"
    if isinstance(value, np.ndarray) and value.size > 16:
        return f"{value.size} numbers of {value.dtype}"
    return repr(value) if isinstance(value, (str, Sampler)) else with_bits(value)


def _source(value: object) -> str:
    if isinstance(value, Image):
        return f"clmath.Image({source_of(value.data)}, {value.type!r}, {value.order!r}, array={value.array})"
    if isinstance(value, Sampler):
        return f"clmath.{value!r}"
    return source_of(value)


KINDS: dict[str, type[Kind]] = {
    "sprintf": _Prints,
    **dict.fromkeys(("async_work_group_copy", "async_work_group_strided_copy"), _Copies),
    **dict.fromkeys(("work_group_broadcast", "sub_group_broadcast"), _Broadcasts),
    READ: _Reads,
}
"""What is called once for each case, by name; the names of methods with their class."""


class Sample(NamedTuple):
    """A call that Hypothesis has generated, the mode of the function, and a fact that one call alone does not show."""

    name: str
    call: Call
    mode: Rounding
    fact: str = ""
    share: str = ""

    def __repr__(self) -> str:
        """The text that Hypothesis prints."""
        return self.call.text(self.name)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:  # noqa: ARG002 - the signature of IPython's protocol
        printer.text(repr(self))


@dataclass(frozen=True)
class Single:
    """The function under test, and its terms, one for each mode."""

    kind: Kind
    label: str
    terms: tuple[Terms, ...]
    takes_mode: bool

    @property
    def modes(self) -> list[Rounding]:
        """The modes in which the function is tested."""
        return [terms.rounding for terms in self.terms]

    def samples(self) -> SearchStrategy[Sample]:
        """Strategy of calls: known calls that fail, the shortest first, else any calls."""
        from hypothesis import strategies as st

        calls = [
            Sample(self.kind.name, call, mode)
            for number, known in enumerate(self.kind.known())
            for call in (known, *(rearranged(known) if number % STRIDE == 0 else ()))
            for mode in self.modes
        ]
        failing = [sample for sample in calls if self.said(sample)[0]]
        text = f"{self.kind.name}: {share(len(failing), len(calls), 'calls', 'fail')}"
        failing = [sample._replace(share=text) for sample in failing] or self._alike_in_modes(calls)
        if failing:
            return st.sampled_from(sorted(failing, key=lambda s: len(s.call.source()))[:KEPT])
        generated = st.builds(Sample, st.just(self.kind.name), self.kind.generated(), st.sampled_from(self.modes))
        return generated | st.sampled_from(calls)

    def _alike_in_modes(self, calls: Sequence[Sample]) -> list[Sample]:
        """Find a call with the same results in two modes, if no result follows the mode."""
        if not self.takes_mode or self.terms[0].exactly or not self.kind.rounds:
            return []
        some = calls[:: STRIDE * len(self.modes)]
        for modes in combinations(self.modes, 2):
            found = [self._pair(sample, modes) for sample in some]
            unmoving = unmoved(*map(np.concatenate, zip(*found, strict=True)))
            if unmoving is not None:
                ends = np.cumsum([one.size for one, *_ in found])
                return [self._same(some[int(np.searchsorted(ends, unmoving[1], "right"))], modes)]
        return []

    def _pair(self, sample: Sample, modes: Sequence[Rounding]) -> list[np.ndarray]:
        """Return the floating-point results of a call in two modes, and the correctly rounded ones."""
        samples = [sample._replace(mode=mode) for mode in modes]
        got = [self.kind.made(self.kind.function, self._asked(s)) for s in samples]
        results = (np.asarray(a) for a in (*got, *map(self._due, samples)))
        return [a.reshape(-1) if a.dtype.kind == "f" else NONE for a in results]

    def _same(self, sample: Sample, modes: Sequence[Rounding]) -> Sample:
        """Return the call with the fact that its results do not follow the mode."""
        samples = [sample._replace(mode=mode) for mode in modes]
        due = [_reported(self._due(s)) for s in samples]
        replay = " ; ".join(self._replay(self._asked(s)).removeprefix("replay: ") for s in samples)
        return sample._replace(fact=f"{same(f'{sample}: {self.label}', modes, due)}\nreplay: {replay}")

    def check(self, sample: Sample) -> None:
        """Raise AssertionError if the result of a call is wrong."""
        __tracebackhide__ = True
        said, cause = (sample.fact, None) if sample.fact else self.said(sample)
        if said:
            raise AssertionError(with_share(said, sample.share)) from cause

    def said(self, sample: Sample) -> tuple[str, Exception | None]:
        """Return the message of a failed call (empty if it is right), and the exception that the function raised."""
        asked = self._asked(sample)
        try:
            with np.errstate(all="ignore"):
                got = self.kind.made(self.kind.function, asked)
        except Exception as error:  # noqa: BLE001 - any exception is the function's failure
            cause = error if is_raised_elsewhere(error) else None
            return f"{sample}: {self.label} raises {type(error).__name__}: {error}\n{self._replay(asked)}", cause
        terms = replace(self.terms[0], rounding=sample.mode)
        if has_bits(got, self._due(sample)) if terms.exactly else self.kind.right(sample.call, got, terms):
            return "", None
        want = _reported(self._due(sample))
        return f"{sample}: {self.label} gives {_reported(got)}, want {want}, {sample.mode}\n{self._replay(asked)}", None

    def _asked(self, sample: Sample) -> Call:
        return sample.call.in_mode(sample.mode if self.takes_mode else None)

    def _due(self, sample: Sample) -> object:
        """Return the result of clmath's own function for the call."""
        return self.kind.made(self.kind.own, sample.call.in_mode(sample.mode if self.kind.rounds else None))

    def _replay(self, asked: Call) -> str:
        imports = "import clmath; " * ("clmath." in asked.source()) + "import numpy as np; "
        return f"replay: {imports}{asked.source(self.label)}"


def rearranged(call: Call) -> Iterator[Call]:
    """Yield the call with the elements of its arrays in other orders, which keep the ends, if they are long enough."""
    for number in range(2):
        args = tuple(_in_order(a, number) if isinstance(a, np.ndarray) else a for a in call.args)
        if any(a is not b for a, b in zip(args, call.args, strict=True)):
            yield call._replace(args=args)


def _in_order(values: np.ndarray, number: int) -> np.ndarray:
    """Return the elements of the longest axis in the order of that number."""
    axis = int(np.argmax(values.shape))
    orders = mixed_up(values.shape[axis])
    return values.take(orders[number], axis) if orders else values


def checked_single(  # noqa: PLR0917 - a test, and terms that make no sense
    call: str, name: str, types: Sequence[object] | None, function: AnyFunction, limit: float | None, flushes: bool
) -> Kind:
    """Return the function with its calls; an error for terms that make no sense."""
    known = KINDS[name].every
    chosen = known if types is None else tuple(checked_type(call, type, known, "types") for type in types)
    if limit is not None:
        raise errors.RangeError(
            f"{call}: what {name} gives has no error in ulp, no limit goes with it; leave limit out"
        )
    if flushes:
        raise errors.RangeError(f"{call}: {name} keeps the bits that it is given, and flushes none; leave flushes out")
    return KINDS[name](name, chosen, function)


def _reported(value: object) -> str:
    """Text of a result; for memory or many numbers only their count."""
    if isinstance(value, tuple):
        return " and ".join(map(_reported, value))
    if isinstance(value, str):
        return repr(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        return f"a {type(value).__name__} of Python"
    if value.size > FEW:
        return f"{value.dtype} of shape {value.shape}"
    return f"{with_bits(np.asarray(value).reshape(-1))}" if np.ndim(value) else with_bits(value)
