"""Overloads for type checkers, for numbers, lists and arrays, which are written once for each kind of function.

``floats_of_one(rounded)`` makes a function of its declaration, with the keywords of the evaluation ``rounded``. The
decorators of functions with several results, ``pairs_of_one`` and ``floats_and_ints_of_one``, leave the function
unchanged. A result that type checkers cannot know, such as the container of labels that a Series comes back in, is
``Floats`` or ``Ints``.
"""

# mypy: disable-error-code="overload-overlap"
# a np.float64 is a float and a np.floating, and a number also matches an array's type: the first overload counts

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Concatenate,
    ParamSpec,
    Protocol,
    Required,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from clmath.functions.families import declared

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from clmath.functions.families import Declared, Evaluation
    from clmath.typing import FloatLike, Floats, IntLike, Ints, NumberLike, Numbers, Out, Truth, Where

__all__ = [
    "floats_and_ints_of_one",
    "floats_of_one",
    "floats_of_one_and_int",
    "floats_of_three",
    "floats_of_two",
    "ints_of_one",
    "ints_of_three",
    "ints_of_two",
    "numbers_of_one",
    "numbers_of_two",
    "pairs_of_one",
    "singles_of_one",
    "singles_of_two",
    "truth_of_one",
    "truth_of_one_number",
    "truth_of_two",
    "truth_of_two_numbers",
]

P = ParamSpec("P")
Scalars = ParamSpec("Scalars")
Arrays = ParamSpec("Arrays")
Likes = ParamSpec("Likes")
D_co = TypeVar("D_co", bound="np.floating", covariant=True)  # the type of Python numbers
F = TypeVar("F", bound="np.floating")
Scalar_contra = TypeVar("Scalar_contra", contravariant=True)
Array_contra = TypeVar("Array_contra", contravariant=True)
Like_contra = TypeVar("Like_contra", contravariant=True)
FloatScalar: TypeAlias = "float | np.floating"
FloatArray: TypeAlias = "NDArray[np.floating] | Numbers | FloatScalar"
IntScalar: TypeAlias = "int | np.integer"
IntArray: TypeAlias = "NDArray[np.integer] | IntScalar"
RealScalar: TypeAlias = "float | np.number | np.bool_"
RealArray: TypeAlias = "NDArray[np.number | np.bool_] | Numbers | RealScalar"
Bool: TypeAlias = "type[bool | np.bool_] | np.dtype[np.bool_]"


class FloatsOfOne(Protocol[P, D_co]):
    """Return a result in the format of one argument: a number for numbers, else an array."""

    @overload
    def __call__(self, x: float, /, *args: P.args, **kwargs: P.kwargs) -> D_co: ...
    @overload
    def __call__(self, x: F, /, *args: P.args, **kwargs: P.kwargs) -> F: ...
    @overload
    def __call__(self, x: NDArray[F], /, *args: P.args, **kwargs: P.kwargs) -> NDArray[F]: ...
    @overload
    def __call__(self, x: Numbers, /, *args: P.args, **kwargs: P.kwargs) -> NDArray[D_co]: ...
    @overload
    def __call__(self, x: FloatLike, /, *args: P.args, **kwargs: P.kwargs) -> Floats: ...


class FloatsOfTwo(Protocol[P, D_co]):
    """Return a result in the format of two arguments: a number for numbers, else an array."""

    @overload
    def __call__(self, x: float, y: float, /, *args: P.args, **kwargs: P.kwargs) -> D_co: ...
    @overload
    def __call__(self, x: F | float, y: F | float, /, *args: P.args, **kwargs: P.kwargs) -> F: ...
    @overload
    def __call__(
        self, x: Numbers | float, y: Numbers | float, /, *args: P.args, **kwargs: P.kwargs
    ) -> NDArray[D_co]: ...
    @overload
    def __call__(
        self, x: NDArray[F] | F | float, y: NDArray[F] | F | float, /, *args: P.args, **kwargs: P.kwargs
    ) -> NDArray[F]: ...
    @overload
    def __call__(self, x: FloatLike, y: FloatLike, /, *args: P.args, **kwargs: P.kwargs) -> Floats: ...


class FloatsOfThree(Protocol[P, D_co]):
    """Return a result in the format of three arguments: a number for numbers, else an array."""

    @overload
    def __call__(self, x: float, y: float, z: float, /, *args: P.args, **kwargs: P.kwargs) -> D_co: ...
    @overload
    def __call__(self, x: F | float, y: F | float, z: F | float, /, *args: P.args, **kwargs: P.kwargs) -> F: ...
    @overload
    def __call__(
        self, x: Numbers | float, y: Numbers | float, z: Numbers | float, /, *args: P.args, **kwargs: P.kwargs
    ) -> NDArray[D_co]: ...
    @overload
    def __call__(
        self,
        x: NDArray[F] | F | float,
        y: NDArray[F] | F | float,
        z: NDArray[F] | F | float,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> NDArray[F]: ...
    @overload
    def __call__(self, x: FloatLike, y: FloatLike, z: FloatLike, /, *args: P.args, **kwargs: P.kwargs) -> Floats: ...


class PairsOfOne(Protocol[P]):
    """Return two results in the format of one argument."""

    @overload
    def __call__(self, x: float, /, *args: P.args, **kwargs: P.kwargs) -> tuple[np.float64, np.float64]: ...
    @overload
    def __call__(self, x: F, /, *args: P.args, **kwargs: P.kwargs) -> tuple[F, F]: ...
    @overload
    def __call__(self, x: NDArray[F], /, *args: P.args, **kwargs: P.kwargs) -> tuple[NDArray[F], NDArray[F]]: ...
    @overload
    def __call__(
        self, x: Numbers, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    @overload
    def __call__(self, x: FloatLike, /, *args: P.args, **kwargs: P.kwargs) -> tuple[Floats, Floats]: ...


class FloatsAndIntsOfOne(Protocol[P]):
    """Return a result in the format of one argument, and an int."""

    @overload
    def __call__(self, x: float, /, *args: P.args, **kwargs: P.kwargs) -> tuple[np.float64, np.int32]: ...
    @overload
    def __call__(self, x: F, /, *args: P.args, **kwargs: P.kwargs) -> tuple[F, np.int32]: ...
    @overload
    def __call__(self, x: NDArray[F], /, *args: P.args, **kwargs: P.kwargs) -> tuple[NDArray[F], NDArray[np.int32]]: ...
    @overload
    def __call__(
        self, x: Numbers, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]: ...
    @overload
    def __call__(self, x: FloatLike, /, *args: P.args, **kwargs: P.kwargs) -> tuple[Floats, Ints]: ...


class IntsOf(Protocol[Scalars, Arrays, Likes]):
    """Return an integer for integers, an array if an argument is one; of arguments of each of these kinds."""

    @overload
    def __call__(self, *args: Scalars.args, **kwargs: Scalars.kwargs) -> np.integer: ...
    @overload
    def __call__(self, *args: Arrays.args, **kwargs: Arrays.kwargs) -> NDArray[np.integer]: ...
    @overload
    def __call__(self, *args: Likes.args, **kwargs: Likes.kwargs) -> Ints: ...


IntsOfOne: TypeAlias = "IntsOf[Concatenate[IntScalar, P], Concatenate[IntArray, P], Concatenate[IntLike, P]]"
IntsOfTwo: TypeAlias = (
    "IntsOf[Concatenate[IntScalar, IntScalar, P], Concatenate[IntArray, IntArray, P], Concatenate[IntLike, IntLike, P]]"
)
IntsOfThree: TypeAlias = """IntsOf[
    Concatenate[IntScalar, IntScalar, IntScalar, P],
    Concatenate[IntArray, IntArray, IntArray, P],
    Concatenate[IntLike, IntLike, IntLike, P],
]"""


class NumbersOfOne(Protocol[P]):
    """Return an integer for an integer, a floating-point number for another, an array for an array."""

    @overload
    def __call__(self, x: int, /, *args: P.args, **kwargs: P.kwargs) -> np.integer: ...
    @overload
    def __call__(self, x: float, /, *args: P.args, **kwargs: P.kwargs) -> np.float64: ...
    @overload
    def __call__(self, x: F, /, *args: P.args, **kwargs: P.kwargs) -> F: ...
    @overload
    def __call__(self, x: IntScalar, /, *args: P.args, **kwargs: P.kwargs) -> np.integer: ...
    @overload
    def __call__(self, x: NDArray[F], /, *args: P.args, **kwargs: P.kwargs) -> NDArray[F]: ...
    @overload
    def __call__(self, x: IntArray, /, *args: P.args, **kwargs: P.kwargs) -> NDArray[np.integer]: ...
    @overload
    def __call__(self, x: NumberLike, /, *args: P.args, **kwargs: P.kwargs) -> Floats: ...


class NumbersOfTwo(Protocol[P]):
    """Return an integer for integers, a floating-point number for others, an array where one argument is one."""

    @overload
    def __call__(self, x: int, y: int, /, *args: P.args, **kwargs: P.kwargs) -> np.integer: ...
    @overload
    def __call__(self, x: float, y: float, /, *args: P.args, **kwargs: P.kwargs) -> np.float64: ...
    @overload
    def __call__(self, x: F | float, y: F | float, /, *args: P.args, **kwargs: P.kwargs) -> F: ...
    @overload
    def __call__(self, x: IntScalar, y: IntScalar, /, *args: P.args, **kwargs: P.kwargs) -> np.integer: ...
    @overload
    def __call__(
        self, x: NDArray[F] | F | float, y: NDArray[F] | F | float, /, *args: P.args, **kwargs: P.kwargs
    ) -> NDArray[F]: ...
    @overload
    def __call__(self, x: IntArray, y: IntArray, /, *args: P.args, **kwargs: P.kwargs) -> NDArray[np.integer]: ...
    @overload
    def __call__(
        self, x: FloatLike | IntLike, y: FloatLike | IntLike, /, *args: P.args, **kwargs: P.kwargs
    ) -> Floats: ...


class Others(TypedDict, total=False):
    """The keywords of tests that do not change the type of the result."""

    vector: bool
    where: Where
    threads: int


class AsInt(Others, total=False):
    """The keywords of tests whose results are new integers."""

    dtype: None
    out: None


class AsBool(Others, total=False):
    """The keywords of tests whose results are new bools."""

    dtype: Required[Bool]
    out: None


class Delivered(Others, total=False):
    """The keywords of tests with any results."""

    dtype: Truth
    out: Out


class TruthOfOne(Protocol[Scalar_contra, Array_contra, Like_contra]):
    """Return whether something is true of one argument: an integer, or a bool by ``dtype``."""

    @overload
    def __call__(self, x: Scalar_contra, /, **how: Unpack[AsInt]) -> np.integer: ...
    @overload
    def __call__(self, x: Scalar_contra, /, **how: Unpack[AsBool]) -> np.bool_: ...
    @overload
    def __call__(self, x: Array_contra, /, **how: Unpack[AsInt]) -> NDArray[np.integer]: ...
    @overload
    def __call__(self, x: Array_contra, /, **how: Unpack[AsBool]) -> NDArray[np.bool_]: ...
    @overload
    def __call__(self, x: Like_contra, /, **how: Unpack[Delivered]) -> Floats: ...


class TruthOfTwo(Protocol[Scalar_contra, Array_contra, Like_contra]):
    """Return whether something is true of two arguments: an integer, or a bool by ``dtype``."""

    @overload
    def __call__(self, x: Scalar_contra, y: Scalar_contra, /, **how: Unpack[AsInt]) -> np.integer: ...
    @overload
    def __call__(self, x: Scalar_contra, y: Scalar_contra, /, **how: Unpack[AsBool]) -> np.bool_: ...
    @overload
    def __call__(self, x: Array_contra, y: Array_contra, /, **how: Unpack[AsInt]) -> NDArray[np.integer]: ...
    @overload
    def __call__(self, x: Array_contra, y: Array_contra, /, **how: Unpack[AsBool]) -> NDArray[np.bool_]: ...
    @overload
    def __call__(self, x: Like_contra, y: Like_contra, /, **how: Unpack[Delivered]) -> Floats: ...


def floats_of_one(evaluate: Evaluation[P]) -> Declared[FloatsOfOne[P, np.float64]]:
    """Return the decorator of functions of one floating-point number, double if Python's."""
    return declared(evaluate)


def floats_of_one_and_int(
    evaluate: Evaluation[P],
) -> Declared[FloatsOfOne[Concatenate[IntLike, P], np.float64]]:
    """Return the decorator of functions of a floating-point number and an int."""
    return declared(evaluate)


def floats_of_two(evaluate: Evaluation[P]) -> Declared[FloatsOfTwo[P, np.float64]]:
    """Return the decorator of functions of two floating-point numbers."""
    return declared(evaluate)


def floats_of_three(evaluate: Evaluation[P]) -> Declared[FloatsOfThree[P, np.float64]]:
    """Return the decorator of functions of three floating-point numbers."""
    return declared(evaluate)


def singles_of_one(evaluate: Evaluation[P]) -> Declared[FloatsOfOne[P, np.float32]]:
    """Return the decorator of functions of one number that compute in float alone."""
    return declared(evaluate)


def singles_of_two(evaluate: Evaluation[P]) -> Declared[FloatsOfTwo[P, np.float32]]:
    """Return the decorator of functions of two numbers that compute in float alone."""
    return declared(evaluate)


def ints_of_one(evaluate: Evaluation[P]) -> Declared[IntsOfOne[P]]:
    """Return the decorator of functions of one integer."""
    return declared(evaluate)


def ints_of_two(evaluate: Evaluation[P]) -> Declared[IntsOfTwo[P]]:
    """Return the decorator of functions of two integers."""
    return declared(evaluate)


def ints_of_three(evaluate: Evaluation[P]) -> Declared[IntsOfThree[P]]:
    """Return the decorator of functions of three integers."""
    return declared(evaluate)


def numbers_of_one(evaluate: Evaluation[P]) -> Declared[NumbersOfOne[P]]:
    """Return the decorator of functions of one number of any kind."""
    return declared(evaluate)


def numbers_of_two(evaluate: Evaluation[P]) -> Declared[NumbersOfTwo[P]]:
    """Return the decorator of functions of two numbers of any kind."""
    return declared(evaluate)


def truth_of_one(evaluate: Evaluation[...]) -> Declared[TruthOfOne[FloatScalar, FloatArray, FloatLike]]:
    """Return the decorator of tests of one floating-point number."""
    return declared(evaluate)


def truth_of_one_number(evaluate: Evaluation[...]) -> Declared[TruthOfOne[RealScalar, RealArray, NumberLike]]:
    """Return the decorator of tests of one number of any kind."""
    return declared(evaluate)


def truth_of_two(evaluate: Evaluation[...]) -> Declared[TruthOfTwo[FloatScalar, FloatArray, FloatLike]]:
    """Return the decorator of comparisons of two floating-point numbers."""
    return declared(evaluate)


def truth_of_two_numbers(evaluate: Evaluation[...]) -> Declared[TruthOfTwo[RealScalar, RealArray, NumberLike]]:
    """Return the decorator of comparisons of two numbers of any kind."""
    return declared(evaluate)


def pairs_of_one(function: Callable[Concatenate[FloatLike, P], object]) -> PairsOfOne[P]:
    """Overload a function of one number with two results."""
    return cast("PairsOfOne[P]", function)


def floats_and_ints_of_one(function: Callable[Concatenate[FloatLike, P], object]) -> FloatsAndIntsOfOne[P]:
    """Overload a function of one number with a result of its format and an int."""
    return cast("FloatsAndIntsOfOne[P]", function)
