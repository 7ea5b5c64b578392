"""Whole built-ins as they are compiled: the bits of NumPy's engine, and of MPFR, in every format, mode and level."""

import zlib

import numpy as np
import pytest

from clmath import ladder, pragmas, reference
from clmath.direct.rung import DIRECT
from clmath.engines import choice
from clmath.kernels.whole import IN_STEPS, label, wholes
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, canonical, round_enclosure
from clmath.spec.builtins import builtin, precise

FORMS = (HALF, FLOAT, DOUBLE)
COUNT = 1 << 12
FEW = 200  # lanes for the reference
FORMULAS = {"mix", "smoothstep", "cross"}  # of rounded operations: the reference knows the exact value
COMPILED = [
    (name, form, lanes)
    for name in DIRECT
    if precise(name) == name
    for form in FORMS
    for lanes in ((1, 2, 3, 4) if builtin(name).widths else (1,))
    if any(key.startswith((f"{name}_", f"{name}{lanes}_")) for key in wholes())
]


def number_of(name, lanes):
    """How many arguments a chunk has."""
    return sum(lanes for _ in builtin(name).inputs)


def numbers(form, rng, count, kind):
    """Numbers of one kind: bit patterns, near 1, few digits, special, or close to both ends of the format."""
    if kind == "patterns":
        return form.from_bits(rng.integers(0, 1 << form.width, count, dtype=np.uint64).astype(form.bits_dtype))
    if kind == "moderate":
        return (rng.normal(size=count) * 2.0 ** rng.integers(-3, 4, count)).astype(form.dtype)
    if kind == "digits":
        return (rng.integers(-16, 17, count) * 2.0 ** rng.integers(-4, 5, count)).astype(form.dtype)
    if kind == "edges":
        exponent = rng.choice([form.quantum, form.emin, form.emax - 1, form.emin // 2, form.emax // 2, 0], count)
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(rng.normal(size=count), exponent + rng.integers(-3, 4, count)).astype(form.dtype)
    unit = 1 << (form.precision - 1)
    top, one = int(form.bits(np.inf)), int(form.bits(1.0))
    codes = [
        0,
        1,
        2,
        unit - 1,
        unit,
        unit + 1,
        one - 1,
        one,
        one + 1,
        one + unit // 2,
        top - unit,
        top - 1,
        top,
        top + 1,
    ]
    special = form.from_bits(np.array(codes).astype(form.bits_dtype))
    return rng.choice(np.concatenate([special, -special]), count)


KINDS = ("patterns", "moderate", "digits", "edges", "special")


def arguments(name, form, lanes, count, kind):
    """One-dimensional arguments, those of vectors lane by lane, close to each other in a part of the lanes."""
    rng = np.random.default_rng(zlib.crc32(f"{name}{form}{kind}".encode()))
    found = []
    for parameter in builtin(name).inputs:
        for _ in range(lanes):
            if parameter.type == "intn":
                near = rng.integers(2 * form.quantum, 2 * form.emax, count)
                found.append(np.where(rng.random(count) < 0.9, near, rng.integers(-(2**31), 2**31, count)).astype("i4"))
                continue
            found.append(numbers(form, rng, count, kind))
            if len(found) > 1 and found[0].dtype == form.dtype:
                same = rng.random(count) < 0.1
                found[-1][same] = found[0][same]
    return found


def results(name, form, lanes, size):
    """Arrays full of what no built-in returns."""
    dtypes = []
    for parameter in builtin(name).outputs:
        vector = parameter.type == "gentype" and builtin(name).widths
        dtypes += [np.dtype("i4") if parameter.type == "intn" else form.dtype] * (lanes if vector else 1)
    return [np.full(size, 77, dtype) for dtype in dtypes]


def by_numpy(name, form, mode, args, lanes):
    found = results(name, form, lanes, args[0].size)
    with np.errstate(all="ignore"):
        ladder.step(name, form, mode, choice.PLAIN)(args, found)
    return found


def natively(engine, name, form, mode, args, lanes, *, contracted=True):  # noqa: PLR0917
    """What the library gives, and the lanes that it leaves; None where it has none."""
    found = results(name, form, lanes, args[0].size)
    key = label(name, form.name, mode, contracted=contracted, lanes=len(args))
    left = engine.whole(key, args, found)
    return None if left is None else (found, left)


def same(found, wanted, left, args, told):
    """Assert equal bits in all lanes but those that are left."""
    decided = np.ones(args[0].size, bool)
    decided[left] = False
    for got, want in zip(found, wanted, strict=True):
        width = f"u{got.itemsize}"
        differ = np.flatnonzero((got.view(width) != want.view(width)) & decided)[:5]
        assert not differ.size, f"{told}: {[a[differ] for a in args]}: {got[differ]} for {want[differ]}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name, form, lanes", COMPILED, ids=str)
def test_the_bits_of_numpy(natives, name, form, lanes, kind):
    args = arguments(name, form, lanes, COUNT, kind)
    for contracted in (True, False) if name in (*IN_STEPS, "dot", "cross") else (True,):
        with pragmas.fp_contract("ON" if contracted else "OFF"):
            for mode in MODES:
                wanted = by_numpy(name, form, mode, args, lanes)
                for engine in natives:
                    given = natively(engine, name, form, mode, args, lanes, contracted=contracted)
                    if given is None:
                        continue
                    found, left = given
                    same(found, wanted, left, args, (name, mode, contracted, engine.library.level))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name, form, lanes", [case for case in COMPILED if case[0] not in FORMULAS], ids=str)
def test_the_bits_of_the_reference(natives, name, form, lanes, kind):
    args = arguments(name, form, lanes, FEW, kind)
    exact = reference.enclose(name, args, form)
    for mode in MODES:
        given = natively(natives[0], name, form, mode, args, lanes)
        if given is None:
            continue
        found, left = given
        wanted = [np.array(v) if isinstance(v, np.ndarray) else round_enclosure(v, form, mode)[0] for v in exact]
        for want in wanted:
            if want.dtype == form.dtype:
                canonical(want, form)
        same(found, wanted, left, args, (name, mode))


def test_every_format_and_mode_is_compiled(natives):
    for engine in natives:
        assert set(engine.library.wholes.numbers) == set(wholes())


@pytest.mark.parametrize("name", ["fma", "fract", "ldexp"])
def test_strides_do_not_matter(natives, name):
    args = arguments(name, FLOAT, 1, 3000, "moderate")
    wanted = by_numpy(name, FLOAT, "rtp", args, 1)
    for engine in natives:
        scattered = [np.repeat(a, 3)[::3] for a in args]
        backwards = [a[::-1].copy()[::-1] for a in args]
        for some in (scattered, backwards):
            found = [np.full((t.size, 2), 77, t.dtype)[:, 1] for t in wanted]
            left = engine.whole(label(name, "float", "rtp", contracted=True, lanes=len(args)), some, found)
            assert not left.size
            for got, want in zip(found, wanted, strict=True):
                assert got.tobytes() == want.tobytes()
                assert (got.base.reshape(-1)[::2] == 77).all()
