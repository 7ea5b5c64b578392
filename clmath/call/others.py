"""Arguments of libraries that handle ufuncs by ``__array_ufunc__``: units, sparse arrays, arrays of dask."""

from __future__ import annotations

import contextlib
import functools
import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, pragmas
from clmath.call.arguments import as_array
from clmath.call.containers import answers_for_ufuncs, package_of, type_name
from clmath.call.results import check_mask
from clmath.engines.ufuncs import raise_own

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def are_theirs(call: str, names: tuple[str, ...], args: tuple[Any, ...]) -> bool:
    """Whether a class of an argument of ``call`` handles ufuncs itself; DTypeError for one that refuses them."""
    if all(type(a) is np.ndarray for a in args):
        return False
    found = [(name, a) for name, a in zip(names, args, strict=True) if answers_for_ufuncs(a)]
    for name, value in found:
        if type(value).__array_ufunc__ is None:
            fact = f"{name} is a {type_name(value)}, which takes no part in ufuncs (its __array_ufunc__ is None)"
            raise errors.DTypeError(f"{call}: {fact}; a plain array is needed: give its values, np.asarray({name})")
    return bool(found)


def later(  # noqa: PLR0917 - a call and its keywords
    name: str,
    args: tuple[object, ...],
    keywords: Mapping[str, object],
    out: object = None,
    where: object = True,
    results: int = 1,
) -> object:
    """Return a dask array that computes the public function ``name`` block by block on demand.

    Functions of several ``results`` return a tuple of such arrays. Return None without arrays of dask, and for ``out``,
    which is refused as for other arguments. The mask ``where`` may be an array of dask, too. The function and its
    ``keywords`` can be sent to other processes; the pragmas in force here hold wherever blocks are computed.
    """
    if out is not None or not any(package_of(a) == "dask" for a in args):
        return None
    public = functools.partial(getattr(importlib.import_module("clmath"), name), **keywords)
    if where is not True:
        mask: Any = where if package_of(where) == "dask" else as_array(f"{name}()", "where", where)
        check_mask(f"{name}()", mask)
        public, args = functools.partial(_of_some, public), (mask, *args)
    function = functools.partial(_as_when_built, pragmas.flushed_formats(), pragmas.contracts(), public)
    if results == 1:
        return _elementwise(function, args)
    return tuple(_elementwise(functools.partial(_one_result, function, i), args) for i in range(results))


def _elementwise(function: Callable[..., object], args: tuple[Any, ...]) -> object:
    """Return the array of dask that ``function`` computes, or raise the function's error for the types of ``args``."""
    found = importlib.import_module("dask.array").core.elemwise(function, *args)
    if found is NotImplemented:  # dask returns this if the function raises an error for arrays of these types
        function(*[np.ones((1,) * a.ndim, a.dtype) if package_of(a) == "dask" else a for a in args])
    return found


def _as_when_built(
    flushed: tuple[pragmas.Flushed, ...], contracted: bool, function: Callable[..., object], *args: object
) -> object:
    """Call ``function`` with these formats flushed, and with or without contraction, in any state of the pragmas."""
    with contextlib.ExitStack() as blocks:
        if pragmas.flushed_formats() != flushed:
            blocks.enter_context(pragmas.flush_to_zero(*flushed))
        if pragmas.contracts() != contracted:
            blocks.enter_context(pragmas.fp_contract("ON" if contracted else "OFF"))
        return function(*args)


def _of_some(function: Callable[..., object], mask: object, *args: object) -> object:
    return function(*args, where=mask)


def _one_result(function: Callable[..., Any], number: int, *args: object) -> object:
    return function(*args)[number]


def unflushed(call: str, names: tuple[str, ...], args: tuple[object, ...]) -> errors.DTypeError:
    """Return the error for arguments whose libraries call the ufunc, which flushes nothing."""
    name, value = next((n, a) for n, a in zip(names, args, strict=True) if answers_for_ufuncs(a))
    fact = f"flush_to_zero is in force, and {name} is a {type_name(value)}, whose numbers would not be flushed"
    return errors.DTypeError(f"{call}: {fact}; a plain array is needed: give its values, np.asarray({name})")


def answered(  # noqa: PLR0917 - a call and its keywords
    call: str,
    names: tuple[str, ...],
    args: tuple[object, ...],
    ufunc: Callable[..., object],
    out: object = None,
    where: object = True,
) -> object:
    """Return the results of ``ufunc`` that the libraries of the arguments give, for the elements that ``where`` picks.

    The results lie in ``out`` if it is given. DTypeError if the libraries do not support this ufunc or these keywords,
    and for ``where`` without ``out``: other elements would hold whatever their memory does.
    """
    name, value = next((n, a) for n, a in zip(names, args, strict=True) if answers_for_ufuncs(a))
    plain = f"a plain array is needed: give its values, np.asarray({name})"
    if out is None and where is not True:
        fact = f"{name} is a {type_name(value)}, in whose results where leaves other elements undefined"
        raise errors.DTypeError(f"{call}: {fact}; {plain}, or leave where away and choose among the results")
    given = {} if out is None else {"out": out}
    try:
        found = ufunc(*args, **given, **({} if where is True else {"where": where}))
    except (TypeError, NotImplementedError) as error:
        if "returned NotImplemented" not in str(error) and type(error) is not NotImplementedError:
            raise
        fact = f"{name} is a {type_name(value)}, whose __array_ufunc__ does not take this function"
        raise errors.DTypeError(f"{call}: {fact}{'' if out is None else ' with this out'}; {plain}") from None
    raise_own()
    return found
