"""Program that tests numeric code, with the types that mypy and pyright must infer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_type

import numpy as np
from numpy.typing import NDArray

import clmath
from clmath.spec.limits import Limit
from clmath.testing import (
    assert_conforms,
    assert_correctly_rounded,
    assert_ulp,
    conformance_test,
    strategies,
    ulp_error,
)

if TYPE_CHECKING:
    from clmath import Edition, Format, Profile, Rounding
    from clmath.testing.fixtures import Conformance, UlpRecorder

X: NDArray[np.float32] = np.linspace(0, 1, 4, dtype=np.float32)
I: NDArray[np.int32] = np.arange(4, dtype=np.int32)
MODE: Rounding = "rtz"
EDITION: Edition = "opencl-c++-1.0"
FOLDER: Edition = Path("mine")
FORMAT: Format = "half"
PROFILE: Profile = "embedded"

assert_type(clmath.sin(1), np.float64)
assert_type(clmath.sin(np.float16(1)), np.float16)
assert_type(clmath.sin(X, rounding="rtz"), NDArray[np.float32])
assert_type(clmath.sin([1, 2.0]), NDArray[np.float64])
assert_type(clmath.native_sin(1.5), np.float32)
assert_type(clmath.pow(X, 2.0), NDArray[np.float32])
assert_type(clmath.pown(X, 2), NDArray[np.float32])
assert_type(clmath.pow(2, 0.5), np.float64)
assert_type(clmath.pow(np.float32(2), 0.5), np.float32)
assert_type(clmath.fma(X, 1, 2), NDArray[np.float32])
assert_type(clmath.sincos(X), tuple[NDArray[np.float32], NDArray[np.float32]])
assert_type(clmath.frexp(1.5), tuple[np.float64, np.int32])
assert_type(clmath.isnan(X), NDArray[np.integer[Any]])
assert_type(clmath.isnan(X, dtype=bool), NDArray[np.bool_])
assert_type(clmath.isnan(1.0), np.integer[Any])
assert_type(clmath.isless(X, 1.0, dtype=bool), NDArray[np.bool_])
assert_type(clmath.less(I, 1.0, dtype=bool), NDArray[np.bool_])
assert_type(clmath.div(7, 2), np.integer[Any])
assert_type(clmath.div(7, 2.0), np.float64)
assert_type(clmath.add(X, 1), NDArray[np.float32])
assert_type(clmath.add(I, 1), NDArray[np.integer[Any]])
assert_type(clmath.rem(I, 3), NDArray[np.integer[Any]])
assert_type(clmath.clz(3), np.integer[Any])
assert_type(clmath.mad24(I, I, 3), NDArray[np.integer[Any]])
assert_type(clmath.max(I, 3), NDArray[np.integer[Any]])
assert_type(clmath.max(X, 3), NDArray[np.float32])
assert_type(clmath.negative(I), NDArray[np.integer[Any]])
assert_type(clmath.negative(X), NDArray[np.float32])
assert_type(clmath.logical_not(X > 1, dtype=bool), NDArray[np.bool_])
clmath.Image(I, "signed_int32", "rgba")
clmath.select(X, X, I)
clmath.select(X, X, X > 1)
clmath.convert(X > 1, "float")
clmath.convert_float(X)

assert_type(clmath.engines(), dict[str, str])
assert_type(clmath.ulp_error(np.sin(X), "sin", (X,)), NDArray[np.float64])
assert_type(ulp_error(np.float16(0.333), 1 / 3), NDArray[np.float64])
assert_type(clmath.limit("sin", "float"), Limit)
assert_type(clmath.limit("sin", np.float16, profile="embedded", edition=EDITION).text, str)

assert_type(clmath.limit("sin", FORMAT, profile=PROFILE).source, str)
assert_conforms(np.sin(X), "sin", (X,), limit=4, edition=FOLDER, vector=True)
assert_conforms(np.sin(X), "sin", (X,), edition=EDITION, profile="relaxed", rounding=MODE, flushes=True)
assert_correctly_rounded(np.sqrt(X), "sqrt", (X,), rounding="rte")
assert_ulp(np.sin(X), "sin", (X,), limit=4)
assert_ulp(np.float16(0.333), 1 / 3, limit=1.5)


def my_sqrt(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return NumPy's square root."""
    return np.sqrt(x)


test_my_sqrt = conformance_test(my_sqrt, "sqrt", types=["float"], modes=None, correctly_rounded=True)
assert_type(test_my_sqrt, Callable[[], None])
conformance_test(my_sqrt, "sqrt", types=["float4", "half", np.float64, np.dtype(np.float32)], limit=0.5)
strategies.numbers(np.float32, min_value=0, exclude_min=True)
strategies.arguments("vstore_half_rtz", "double", shape=3, allow_nan=False)


def test_errors(ulp: UlpRecorder, conformance: Conformance) -> None:
    """Use two of the fixtures."""
    assert_type(ulp(np.sin(X), "sin", (X,), limit=4), NDArray[np.float64])
    assert_type(conformance.name, str)
    conformance(np.sqrt)


def wrong_calls() -> None:
    """Make calls that type checkers must refuse."""
    clmath.sin("a")  # type: ignore[call-overload]
    clmath.sin(None)  # type: ignore[call-overload]
    clmath.sin(["a"])  # type: ignore[arg-type]
    clmath.pow(X, "a")  # type: ignore[call-overload]
    clmath.isnan("a")  # type: ignore[call-overload]
    clmath.clz("a")  # type: ignore[call-overload]
    clmath.clz(1.5)  # type: ignore[call-overload]
    clmath.rem(1, "a")  # type: ignore[call-overload]
    clmath.add("a", 1)  # type: ignore[call-overload]
    clmath.Image(I, "rgba8")  # type: ignore[arg-type]
    clmath.Image(I, "float", "rgab")  # type: ignore[arg-type]
    clmath.Sampler("wrap")  # type: ignore[arg-type]
    clmath.Sampler("clamp", "cubic")  # type: ignore[arg-type]
    clmath.sin(X, engine="cuda")  # type: ignore[call-overload]
    clmath.isnan(X, dtype=int)  # type: ignore[arg-type]
    clmath.less("a", 1)  # type: ignore[call-overload]
    clmath.isless(X, "a")  # type: ignore[call-overload]
    clmath.dot(X, "a")  # type: ignore[arg-type]
    clmath.negative("a")  # type: ignore[call-overload]
    clmath.convert("a", "float")  # type: ignore[arg-type]
    clmath.convert_float("a")  # type: ignore[arg-type]
    clmath.as_uint("a")  # type: ignore[arg-type]
    clmath.select("a", X, I)  # type: ignore[arg-type]
    assert_ulp(np.sin(X), "sin", (X,))  # type: ignore[call-arg]
    clmath.limit("sin", "float", profile="fast")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", modes=["up"])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", modes="rtz")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", types="float")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", types=["flaot"])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", types=["float5"])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", types=[float])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", edition="opencl-c")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", limit="1")  # type: ignore[arg-type]
    clmath.limit("sin", "flaot")  # type: ignore[arg-type]
    clmath.limit("sin", "int")  # type: ignore[arg-type]
    clmath.limit("sin", "float", edition="opencl-c")  # type: ignore[arg-type]
    assert_conforms(X, "sin", (X,), edition="opencl-c")  # type: ignore[arg-type]
    assert_conforms(X, "sin", (X,), profile="fast")  # type: ignore[arg-type]
    assert_conforms(X, "sin", (X,), rounding="up")  # type: ignore[arg-type]
    assert_correctly_rounded(X, "sqrt", (X,), rounding="RTZ")  # type: ignore[arg-type]
    strategies.floats(min=0)  # type: ignore[call-arg]
    strategies.floats(allow_nan="no")  # type: ignore[arg-type]
    strategies.numbers("flaot")  # type: ignore[arg-type]
    strategies.arrays("flaot", 3)  # type: ignore[arg-type]
    strategies.vectors("flaot", 4)  # type: ignore[arg-type]
    strategies.integers("flaot")  # type: ignore[arg-type]
    strategies.conversions("float", "flaot")  # type: ignore[arg-type]
    strategies.arguments("sin", "flaot")  # type: ignore[arg-type]
    strategies.hard("sin", "flaot")  # type: ignore[arg-type]
    strategies.near_boundary("sin", "flaot")  # type: ignore[arg-type]
