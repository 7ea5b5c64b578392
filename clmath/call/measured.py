"""Compare results that come from elsewhere with the exact values of a call, or values that the caller knows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

import numpy as np

from clmath import errors, phases, reference
from clmath.call.containers import opens, refuse
from clmath.call.host import on_host
from clmath.call.prepared import prepare
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Enclosure, odd_double, ulp_error, ulp_errors, ulps
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.call.prepared import Call
    from clmath.phases import Bounds

Arrays: TypeAlias = "tuple[np.ndarray, ...]"
Exact: TypeAlias = "Enclosure | NDArray[np.int32]"

AT_ONCE = 1 << 13  # calls measured together: their intermediate values stay in a cache
CLOSE = 2.0**-26  # ulp by which errors may be wrong
LARGE = 2.0**20  # errors in ulp from which the side of a multiple of 1/2 does not matter
_FEW = 16  # calls for which the reference takes less time than kernels


class MisfitError(errors.DTypeError, errors.ShapeError):
    """The number, the shape or the dtype of results is wrong."""


class Measured(NamedTuple):
    """A checked call, a column for each argument or component, and results with one row per call, components last.

    ``width``: components of the vectors of a geometric built-in, else 0.
    """

    call: Call
    width: int
    columns: Arrays
    results: Arrays

    @classmethod
    def of(cls, asked_by: str, name: str, args: object, actual: object) -> Self:
        """Return the call of ``name`` with ``args``, a tuple, that gave ``actual``; MisfitError if it cannot have."""
        refuse_altered_arithmetic(asked_by)
        checked = checked_arguments(asked_by, name, args)
        call = prepare(name, checked, judged=True)
        width = call.shape[-1] if call.builtin.widths else 0
        whole = [a if a.shape == call.shape else np.broadcast_to(a, call.shape) for a in call.args]
        components = [a[..., k] for a in whole for k in range(width)] if width else whole
        columns = tuple(_native(component).reshape(-1) for component in components)
        results = as_results(asked_by, actual)
        _check_kinds(call, results)
        shaped = cls(call, width, columns, ())
        return cls(call, width, columns, shaped.flat(results))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the calls: the shape of the arguments, without the axis of vectors."""
        if not self.width:
            return self.call.shape
        return () if self.call.bare else self.call.shape[:-1]

    def flat(self, results: Arrays) -> Arrays:
        """Return the results with one row per call."""
        rows = [(-1, self.width) if self._is_vector(k) else (-1,) for k in range(len(results))]
        return tuple(_native(r).reshape(row) for r, row in zip(results, rows, strict=True))

    def errors(self) -> NDArray[np.float64]:
        """Return signed errors in ulp before rounding, differences for ints; several results on a first axis."""
        vectors = [self._is_vector(k) and not self.call.bare for k in range(len(self.results))]
        shapes = [self.call.shape if vector else self.shape for vector in vectors]
        shaped = [f.reshape(shape) for f, shape in zip(self.flat_errors(), shapes, strict=True)]
        return np.stack(shaped) if len(shaped) > 1 else shaped[0]

    def flat_errors(self) -> list[NDArray[np.float64]]:
        """Return the errors of each result, in the shape of ``results``."""
        rows = len(self.columns[0])
        if rows <= AT_ONCE:
            return self._errors(slice(None))
        parts = [self._errors(slice(i, i + AT_ONCE)) for i in range(0, rows, AT_ONCE)]
        return [np.concatenate(of_result) for of_result in zip(*parts, strict=True)]

    def _errors(self, part: slice) -> list[NDArray[np.float64]]:
        name, form = self.call.builtin.name, self.call.form
        columns, results = [c[part] for c in self.columns], [r[part] for r in self.results]
        bounds = phases.enclose_finely(name, columns, form) if len(columns[0]) > _FEW else ()
        if not bounds:
            return self._against(results, reference.enclose(name, columns, form))
        found, unsure = zip(*map(partial(_roughly, form), results, bounds), strict=True)
        left = np.flatnonzero(np.logical_or.reduce(unsure))
        if left.size:
            exact = reference.enclose(name, [c[left] for c in columns], form)
            for rough, fine in zip(found, self._against([r[left] for r in results], exact), strict=True):
                rough[left] = fine
        return list(found)

    def _against(self, results: Sequence[np.ndarray], exact: Sequence[Exact]) -> list[NDArray[np.float64]]:
        """Return the errors of results against exact values, one after the other for the components of vectors."""
        values = iter(exact)
        return [self._of_result(k, result, values) for k, result in enumerate(results)]

    def _of_result(self, k: int, result: np.ndarray, exact: Iterator[Exact]) -> NDArray[np.float64]:
        if self._is_vector(k):
            components = [_error(result[:, component], next(exact), self.call.form) for component in range(self.width)]
            return np.stack(components, axis=-1)
        return _error(result, next(exact), self.call.form)

    def _is_vector(self, k: int) -> bool:
        return bool(self.width) and self.call.builtin.outputs[k].type == "gentype"


def _native(array: np.ndarray) -> np.ndarray:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _error(result: np.ndarray, exact: Exact, form: Format) -> NDArray[np.float64]:
    """Return the errors of results: in ulp, or of ints the differences."""
    if isinstance(exact, Enclosure):
        return ulp_errors(result, exact, form)
    return np.asarray(result.astype(np.float64) - exact.astype(np.float64))


def _roughly(
    form: Format, result: np.ndarray, bounds: Bounds | NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return errors against bounds of the exact values, and which of them the reference has to compute.

    The bounds of double are good enough if ``_are_close`` says so, of narrower formats if they decide 53 bits.
    """
    if isinstance(bounds, np.ndarray):
        return _error(result, bounds, form), np.zeros(len(result), np.bool_)
    if form is not DOUBLE:
        head, undecided = odd_double(bounds.value)
        return ulp_errors(result, Enclosure.of(head), form), undecided
    found = ulp_errors(result, bounds.value, form)
    return found, ~_are_close(found, bounds)


@np.errstate(all="ignore")
def _are_close(found: NDArray[np.float64], bounds: Bounds) -> NDArray[np.bool_]:
    """Whether errors of doubles are known to 2^-26 ulp, and on which side of each multiple of 1/2 ulp they lie."""
    hi, lo, err, exponent = bounds.value
    binade = np.frexp(hi)[1] + exponent
    is_in_range = (binade > DOUBLE.quantum) & (binade <= DOUBLE.emax + 1)
    radius = np.ldexp(err, exponent - np.frexp(ulps(bounds.value, DOUBLE))[1] + 1)
    is_apart = (np.abs(found - 0.5 * np.rint(2.0 * found)) > radius) | (np.abs(found) > LARGE)
    is_exact = (lo == 0.0) & (binade > DOUBLE.emin) | (bounds.off <= CLOSE)
    is_known = np.where(err == 0.0, is_exact, is_apart & (radius <= CLOSE))
    return np.asarray((hi == 0.0) | ~np.isfinite(hi) | (is_known & is_in_range))


def as_results(asked_by: str, actual: object) -> Arrays:
    """One array for each result; several results are a tuple."""
    given = actual if isinstance(actual, tuple) else (actual,)
    return tuple(_result(asked_by, on_host(asked_by, "actual", value)) for value in given)


def _result(asked_by: str, value: object) -> np.ndarray:
    if not opens(value):
        refuse(asked_by, "actual", value)
    return np.asarray(value)


def checked_arguments(asked_by: str, name: str, args: object) -> tuple[object, ...]:
    """Return the arguments as arrays of the host; an error unless ``args`` is the tuple of ``name``'s arguments."""
    row = builtin(name, asked_by)
    needed = f"({', '.join(row.names)}{',' * (len(row.names) == 1)})"
    if not isinstance(args, tuple):
        raise errors.DTypeError(f"{asked_by}: args is of type {type(args).__name__}; a tuple is needed: {needed}")
    if len(args) != len(row.names):
        raise errors.ShapeError(
            f"{asked_by}: args holds {len(args)} arguments; {name} takes {len(row.names)}: {needed}"
        )
    return tuple(on_host(asked_by, n, a) for n, a in zip(row.names, args, strict=True))


def _check_kinds(call: Call, results: Arrays) -> None:
    """Raise MisfitError if the number, dtypes or shapes of results are wrong."""
    outputs = call.builtin.outputs
    if len(results) != len(outputs):
        due = "1 is due: give one array" if len(outputs) == 1 else f"{len(outputs)} are due: give a tuple of them"
        raise MisfitError(f"{call.label}: the number of results is {len(results)}; {due}")
    for output, dtype, result in zip(outputs, call.results, results, strict=True):
        shape = call.shape[:-1] if output.type == "scalar" else call.shape
        shape = () if call.bare else shape
        if result.shape != shape or result.dtype.newbyteorder("=") != dtype:
            name = "" if output.name == "result" else f"{output.name}: "
            raise misfit(f"{call.label}: {name}", result, dtype, shape)


def misfit(beginning: str, result: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> MisfitError:
    """Return the error for a result of another dtype or shape than the expected one."""
    if result.shape == shape:
        return MisfitError(f"{beginning}expected dtype {dtype}, got {result.dtype}: give it as {dtype}")
    if result.dtype == dtype:
        return MisfitError(f"{beginning}expected shape {shape}, got {result.shape}: give the whole result")
    fact = f"expected {dtype} of shape {shape}, got {result.dtype} of shape {result.shape}"
    return MisfitError(f"{beginning}{fact}: give the whole result")


def errors_from(call: str, actual: object, exact: object) -> NDArray[np.float64]:
    """Return signed errors in ulp of ``actual`` against the ``exact`` values, which broadcast to its shape."""
    refuse_altered_arithmetic(call)
    (found,) = as_results(call, actual if not isinstance(actual, tuple) else list(actual))
    form = _format_of_results(call, found)
    values = np.asarray(on_host(call, "exact", exact))
    try:
        values = np.broadcast_to(values, found.shape)
    except ValueError:
        raise errors.no_shape(call, ("actual", "exact"), (found.shape, values.shape)) from None
    native = found.astype(form.dtype)
    if values.dtype.kind == "f" and values.dtype.itemsize <= DOUBLE.dtype.itemsize:
        return np.asarray(ulp_errors(native, Enclosure.of(values.astype(np.float64)), form))
    if values.dtype.kind == "c":
        fact = f"exact has dtype {values.dtype}; real numbers are needed"
        raise errors.DTypeError(f"{call}: {fact}: measure real and imaginary parts one by one")
    pairs = zip(native.flat, values.flat, strict=True)
    try:
        each = [ulp_error(a, _plain(e), form) for a, e in pairs]
    except (TypeError, AttributeError, ValueError) as error:
        raise errors.DTypeError(
            f"{call}: exact holds an object that is not a real number ({error}); give numbers"
        ) from error
    return np.array(each, np.float64).reshape(found.shape)


def _format_of_results(call: str, found: np.ndarray) -> Format:
    """Return the format of results; DTypeError if they are not half, float, double or bfloat16."""
    form = format_of(found.dtype)
    if form is None:
        raise errors.wrong_dtype(
            call, "actual", found.dtype, "half, float, double or bfloat16", "give results in one of these formats"
        )
    return form


def _plain(value: object) -> object:
    """Return an integer of NumPy as a Python int."""
    return int(value) if isinstance(value, np.integer) else value
