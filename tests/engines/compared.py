"""Arguments on which engines are compared, and the results of NumPy's engine for them."""

import numpy as np

from clmath.engines import choice
from clmath.engines.device import source
from clmath.numbers.formats import HALF
from clmath.spec import files
from clmath.spec.builtins import builtin


def arguments(kernel, form, count):
    """More than ``count`` arguments: random encodings, moderate numbers, NaNs, powers of two, special values, hard
    cases.
    """
    rng = np.random.default_rng(len(kernel.name))
    taken = source.arguments(kernel)
    with np.errstate(all="ignore"):
        columns = [np.concatenate(_column(rng, form, count)) for _ in range(taken)]
    if taken == 2 and builtin(kernel.name).inputs[1].type == "intn":
        columns[1] = rng.integers(-200, 200, columns[0].size).astype(np.int32)
    if taken == 2:
        columns[1] = np.concatenate([columns[1][1:], columns[1][:1]])  # special values meet others
    found = files.load("hard/calls.toml")["found"]
    lines = found[str(form)].get(kernel.name, ())  # a half of one argument has none: all are tried
    if not lines:
        return columns
    hard = zip(*map(str.split, lines), strict=True)
    return [np.concatenate([c, _numbers(words, c.dtype)]) for c, words in zip(columns, hard, strict=True)]


def _numbers(words, dtype):
    return np.array([int(w) if dtype == np.int32 else float.fromhex(w) for w in words]).astype(dtype)


def _column(rng, form, count):
    top = 1 << (form.width - 1)
    codes = [rng.integers(-top, top, n).astype(f"i{form.dtype.itemsize}").view(form.dtype) for n in (count, count // 2)]
    if form is HALF:
        codes[0] = rng.permutation(np.arange(1 << 16, dtype=np.uint16)).view(form.dtype)
    tame = (rng.standard_normal(count) * 2.0 ** rng.integers(-3, 5, count)).astype(form.dtype)
    quarters = (rng.integers(-400, 400, count // 4) * 0.25).astype(form.dtype)
    powers = (2.0 ** np.arange(form.quantum, form.emax + 1)).astype(form.dtype)
    near = np.concatenate([powers, np.nextafter(powers, form.beyond), np.nextafter(powers, form.dtype.type(0))])
    nans = (codes[1].view(form.bits_dtype) | form.bits(form.beyond)).view(form.dtype)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, form.largest, -form.largest], form.dtype)
    second = rng.permutation(np.concatenate([special] * 9))
    return [codes[0], tame, quarters, near, -near, rng.permutation(near), nans, np.repeat(special, 9), second]


def by_ways(kernel, args):
    """Indices of ordinary arguments and of others: devices choose for each element, NumPy for an entire chunk."""
    if kernel.record.ordinary is None:
        return [np.arange(args[0].size)]
    with np.errstate(all="ignore"):
        holds = kernel.record.ordinary.holds(*[a.astype(np.float64) for a in args])
    return [np.flatnonzero(holds), np.flatnonzero(~holds)]


def rounded(kernel, form, mode, args):
    """The results of NumPy's engine, and the places that it leaves undecided."""
    results, undecided = [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)], []
    for elements in by_ways(kernel, args):
        parts = [np.empty(elements.shape, form.dtype) for _ in results]
        undecided.append(elements[choice.PLAIN.rounded(kernel, form, mode, [a[elements] for a in args], parts)])
        for result, part in zip(results, parts, strict=True):
            result[elements] = part
    return results, np.sort(np.concatenate(undecided))


def check_enclosures(engine, kernel, args):
    """Assert that an engine encloses values as NumPy's does."""
    with np.errstate(all="ignore"):
        found = engine.enclosure(kernel, args)
        for elements in by_ways(kernel, args):
            some = [a[elements] for a in args]
            check_parts(kernel, some, choice.PLAIN.enclosure(kernel, some), found.elements(elements))


def check_parts(kernel, args, want, got):
    """Assert that two enclosures of a kernel's values are one."""
    numbers = np.isfinite(want.hi)
    for name, one, other in zip(want._fields, want, got, strict=True):
        if name == "exponent":  # NaN has no exponent, and the exponent of an infinity is meaningless
            assert np.array_equal(one[numbers], other[numbers])
            continue
        same = (one == other) & (np.signbit(one) == np.signbit(other)) | np.isnan(one) & np.isnan(other)
        differ = np.flatnonzero(~same)[:5]
        assert not differ.size, f"{kernel.name}: {name}: {[a[differ] for a in args]}: {other[differ]} {one[differ]}"
