"""Built-ins without a kernel, of every chapter and type, in rte and a directed mode, compared with NumPy."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

import numpy as np

import clmath
from benchmarks import contestants, inputs
from benchmarks.contest import Contestant, contest, faster
from benchmarks.exact import EXPRESSIONS
from benchmarks.sections import Section
from clmath import call as front
from clmath import phases
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.formats import format_of
from clmath.spec.builtins import EXACT, builtin, builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.contest import Outcome
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Parameter

__all__ = ["CHANNELS", "SATURATED", "SECTION", "argument"]

DIRECTED: Rounding = "rtp"
ENOUGH, TIMES = 5.0, 3.0  # limits: ns per element, or multiples of NumPy's time
WIDTH = 4  # components of a vector
CHANNELS = {
    "unorm_int8": ("uchar", 0, 255),
    "unorm_int16": ("ushort", 0, 65535),
    "snorm_int8": ("char", -128, 127),
    "snorm_int16": ("short", -32768, 32767),
}
SATURATED = {
    "signed_int8": ("int", "char"),
    "signed_int16": ("int", "short"),
    "signed_int32": ("int", "int"),
    "unsigned_int8": ("uint", "uchar"),
    "unsigned_int16": ("uint", "ushort"),
    "unsigned_int32": ("uint", "uint"),
}


def _width(x: np.ndarray) -> int:
    return 8 * x.dtype.itemsize


def _field(base: np.ndarray, offset: np.ndarray, count: np.ndarray) -> np.ndarray:
    return (base >> offset.astype(base.dtype)) & ((base.dtype.type(1) << count.astype(base.dtype)) - 1)


def _inserted(base: np.ndarray, insert: np.ndarray, offset: np.ndarray, count: np.ndarray) -> np.ndarray:
    place = offset.astype(base.dtype)
    mask = ((base.dtype.type(1) << count.astype(base.dtype)) - 1) << place
    return (base & ~mask) | ((insert << place) & mask)


def _bytes(word: np.ndarray, kind: str) -> np.ndarray:
    return word.view(f"{kind}1").reshape(-1, WIDTH).astype(np.int32)


def _packed(first: str, second: str) -> Callable[..., object]:
    def dot(a: np.ndarray, b: np.ndarray, acc: np.ndarray | int = 0) -> np.ndarray:
        return np.einsum("ij,ij->i", _bytes(a, first), _bytes(b, second)) + acc

    return dot


def _dot_of_bytes(a: np.ndarray, b: np.ndarray, acc: np.ndarray | int = 0) -> np.ndarray:
    return np.einsum("ij,ij->i", a.astype(np.int32), b.astype(np.int32)) + acc


# a NumPy user's expressions; where OpenCL saturates or takes the high half of a product, these wrap or lose bits
INTEGER: dict[str, Callable[..., object]] = {
    "clz": lambda x: _width(x) - 1 - np.log2(x.view(f"u{x.itemsize}") | 1).astype(x.dtype),
    "ctz": lambda x: np.bitwise_count((x & -x) - 1),
    "rotate": lambda v, i: (v << i) | (v >> (_width(v) - i)),
    "popcount": np.bitwise_count,
    "upsample": lambda hi, lo: (hi.astype(f"{hi.dtype.kind}{2 * hi.itemsize}") << _width(hi)) | lo,
    "abs": np.abs,
    "abs_diff": lambda x, y: np.maximum(x, y) - np.minimum(x, y),
    "add_sat": np.add,
    "sub_sat": np.subtract,
    "hadd": lambda x, y: (x >> 1) + (y >> 1) + (x & y & 1),
    "rhadd": lambda x, y: (x >> 1) + (y >> 1) + ((x | y) & 1),
    "clamp": np.clip,
    "mad_hi": lambda a, b, c: ((a * b) >> (_width(a) // 2)) + c,
    "mad_sat": lambda a, b, c: a * b + c,
    "max": np.maximum,
    "min": np.minimum,
    "mul_hi": lambda x, y: (x * y) >> (_width(x) // 2),
    "mul24": np.multiply,
    "mad24": lambda x, y, z: x * y + z,
    "bitfield_insert": _inserted,
    "bitfield_extract_signed": _field,
    "bitfield_extract_unsigned": _field,
    "bit_reverse": lambda x: x.byteswap(),
    "dot": _dot_of_bytes,
    "dot_acc_sat": _dot_of_bytes,
    **{f"dot_4x8packed_{p}": _packed(*p[:2].replace("s", "i")) for p in ("uu_uint", "ss_int", "us_int", "su_int")},
    **{
        f"dot_acc_sat_4x8packed_{p}": _packed(*p[:2].replace("s", "i"))
        for p in ("uu_uint", "ss_int", "us_int", "su_int")
    },
}
FLOATS: dict[str, Callable[..., object]] = EXPRESSIONS | {
    "modf": np.modf,
    "frexp": np.frexp,
    "ilogb": lambda x: np.frexp(x)[1] - 1,
    "logb": lambda x: np.frexp(x)[1] - 1.0,
    "maxmag": lambda x, y: np.where(np.abs(x) > np.abs(y), x, y),
    "minmag": lambda x, y: np.where(np.abs(x) < np.abs(y), x, y),
    "round": lambda x: np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x),
    "recip": np.reciprocal,
}
RELATIONAL: dict[str, Callable[..., object]] = {
    "isequal": np.equal,
    "isnotequal": np.not_equal,
    "isgreater": np.greater,
    "isgreaterequal": np.greater_equal,
    "isless": np.less,
    "islessequal": np.less_equal,
    "islessgreater": lambda x, y: (x < y) | (x > y),
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": np.isnan,
    "isnormal": lambda x: np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).tiny),
    "isordered": lambda x, y: ~(np.isnan(x) | np.isnan(y)),
    "isunordered": lambda x, y: np.isnan(x) | np.isnan(y),
    "signbit": np.signbit,
    "any": lambda t: t.any(axis=-1),
    "all": lambda t: t.all(axis=-1),
    "bitselect": lambda a, b, c: (_as_bits(a) & ~_as_bits(c)) | (_as_bits(b) & _as_bits(c)),
    "select": lambda a, b, c: np.where(c, b, a),
}


def _as_bits(x: np.ndarray) -> np.ndarray:
    return x.view(f"u{x.itemsize}")


def _random(dtype: np.dtype, shape: tuple[int, ...], seed: int = 1) -> np.ndarray:
    """Return random bits, or normally distributed numbers: NumPy is slow for subnormals."""
    rng = np.random.default_rng(seed)
    if dtype.kind == "f":
        return (rng.normal(size=shape) * 50).astype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    return rng.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]


def _row(
    what: str,
    type: str,
    ours: Callable[[Rounding], Callable[[], object]],
    numpy: Callable[[], object] | None,
    options: Options,
    *,
    elements: int,
    rounds: bool = True,
) -> Row:
    """Return a row: ``ours`` gives the call in a mode, ``numpy`` the rival; ``elements``: components of all results."""
    rivals = {"rte": Contestant(ours("rte"), elements, mode=None)}
    if rounds:
        rivals["directed"] = Contestant(ours(DIRECTED), elements, mode=None)
    by_numpy = None if numpy is None else Contestant(numpy, elements, mode=None)
    found = contest({**rivals, "NumPy": by_numpy}, _nothing, 0, options.runs)
    slowest = max((found[m] for m in rivals), key=lambda one: one.ns if one else 0.0)
    return {
        "built-in": what,
        "type": type,
        **found,
        "ours : NumPy": faster(found["NumPy"], slowest),
        "beyond": "*" * _is_beyond(slowest, found["NumPy"]),
    }


def _nothing(mode: Rounding, lanes: int) -> np.ndarray:  # noqa: ARG001
    """Return no results, as nothing is judged here; the sections exact and conversions judge, and tests."""
    return np.empty(0)


def _is_beyond(ours: Outcome | None, numpy: Outcome | None) -> bool:
    """Whether a built-in takes longer than its limit."""
    if ours is None or ours.ns <= ENOUGH:
        return False
    return numpy is None or ours.ns > TIMES * numpy.ns


def _of_floats(name: str, form: Format, options: Options) -> Row:
    row = builtin(name)
    call = inputs.call(name, form, "natural", max(options.lanes // (WIDTH if row.widths else 1), 1))
    expression = FLOATS.get(name.removeprefix("fast_"))
    ufunc = contestants.by_numpy(call)
    out = front.floats(name, call.args)
    numpy = (lambda: expression(*call.args)) if expression else ufunc.run if ufunc else None
    return _row(
        name,
        form.name,
        lambda mode: lambda: front.floats(name, call.args, mode, out),
        numpy,
        options,
        elements=call.args[0].size,
        rounds=not row.exact,
    )


def _of_bits(name: str, type: str, options: Options) -> Row:
    row = builtins(*EXACT)[name]
    vector = bool(row.widths)
    shape = (max(options.lanes // (WIDTH if vector else 1), 1),)
    args = [argument(p, SCALARS[type], shape, i) for i, p in enumerate(row.inputs)]
    numpy = {**INTEGER, **RELATIONAL}[name]
    function = getattr(clmath, name)
    out = function(*args)
    return _row(
        name,
        type,
        lambda _: lambda: function(*args, out=out),
        lambda: numpy(*args),
        options,
        elements=args[0].size,
        rounds=False,
    )


def argument(parameter: Parameter, gentype: np.dtype, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Return random elements of a parameter's declared type."""
    size = gentype.itemsize
    word = parameter.type
    if word in ("byte4", "truths"):
        return _random(gentype, (*shape, WIDTH), seed)
    if parameter.name in ("offset", "count"):
        return _random(np.dtype("u4"), shape, seed) % np.uint32(4 * size)
    types = {"gentype": gentype, "ugentype": np.dtype(f"u{size}"), "condition": np.dtype(f"i{size}")}
    types |= {"word": np.dtype("i4" if gentype.kind == "i" else "u4")}
    found = _random(types[word] if word in types else INTEGERS[word], shape, seed)
    return found % (8 * size) if parameter.name == "i" else found


def _conversion(source: str, target: str, options: Options, *, sat: bool) -> Row:
    values = _random(SCALARS[source], (options.lanes,))
    rounds = bool(format_of(SCALARS[target])) or values.dtype.kind == "f"
    return _row(
        f"convert{'_sat' * sat}",
        f"{source} to {target}",
        lambda mode: functools.partial(clmath.convert, values, target, sat=sat, rounding=mode),
        lambda: values.astype(SCALARS[target]),
        options,
        elements=values.size,
        rounds=rounds,
    )


def _normalized(name: str, type: str, options: Options) -> Iterator[Job]:
    stored, least, most = CHANNELS[name]
    codes = (
        _random(SCALARS[stored], (options.lanes,)) & most if least == 0 else _random(SCALARS[stored], (options.lanes,))
    )
    rng = np.random.default_rng(2)
    dtype = SCALARS[type]
    colors = rng.uniform(-1.2, 1.2, options.lanes).astype(dtype)
    yield functools.partial(
        _row,
        f"read_{name}",
        type,
        lambda mode: functools.partial(
            getattr(clmath, f"read_{name}"), codes.astype(SCALARS[stored]), type, rounding=mode
        ),
        lambda: codes.astype(dtype) / dtype.type(most),
        options,
        elements=codes.size,
    )
    yield functools.partial(
        _row,
        f"write_{name}",
        type,
        lambda mode: functools.partial(getattr(clmath, f"write_{name}"), colors, rounding=mode),
        lambda: np.rint(np.clip(colors * dtype.type(most), least, most)).astype(SCALARS[stored]),
        options,
        elements=colors.size,
    )


def _packed_colors(type: str, options: Options) -> Iterator[Job]:
    """Generate the jobs of colours in one word, with three channels of ten bits."""
    dtype = SCALARS[type]
    words = _random(np.dtype("u4"), (max(options.lanes // 3, 1),))
    colors = np.random.default_rng(2).uniform(-0.2, 1.2, (words.size, 3)).astype(dtype)
    places = np.uint32([20, 10, 0])
    yield functools.partial(
        _row,
        "read_unorm_int_101010",
        type,
        lambda mode: functools.partial(clmath.read_unorm_int_101010, words, type, rounding=mode),
        lambda: ((words[:, np.newaxis] >> places) & 1023).astype(dtype) / dtype.type(1023),
        options,
        elements=colors.size,
    )
    yield functools.partial(
        _row,
        "write_unorm_int_101010",
        type,
        lambda mode: functools.partial(clmath.write_unorm_int_101010, colors, rounding=mode),
        lambda: (np.rint(np.clip(colors * dtype.type(1023), 0, 1023)).astype(np.uint32) << places).sum(axis=-1),
        options,
        elements=colors.size,
    )


def _to_linear(codes: np.ndarray, dtype: np.dtype) -> np.ndarray:
    x = codes.astype(dtype) / dtype.type(255)
    return np.where(
        x <= 0.04045, x / dtype.type(12.92), ((x + dtype.type(0.055)) / dtype.type(1.055)) ** dtype.type(2.4)
    )


def _to_srgb(y: np.ndarray) -> np.ndarray:
    number = y.dtype.type
    x = np.where(y < 0.0031308, y * number(12.92), number(1.055) * y ** number(1 / 2.4) - number(0.055))
    return np.rint(np.clip(x * 255, 0, 255)).astype(np.uint8)


def _images(type: str, options: Options) -> Iterator[Job]:
    dtype = SCALARS[type]
    colors = np.random.default_rng(2).uniform(0, 1.1, (max(options.lanes // WIDTH, 1), WIDTH)).astype(dtype)
    codes = _random(np.dtype("u1"), colors.shape)
    for name in CHANNELS:
        yield from _normalized(name, type, options)
    yield from _packed_colors(type, options)
    for suffix in ("srgb", "srgba"):
        read, write = getattr(clmath, f"read_{suffix}"), getattr(clmath, f"write_{suffix}")
        yield functools.partial(
            _row,
            f"read_{suffix}",
            type,
            lambda mode, f=read: functools.partial(f, codes, type, rounding=mode),
            lambda: _to_linear(codes, dtype),
            options,
            elements=codes.size,
        )
        yield functools.partial(
            _row,
            f"write_{suffix}",
            type,
            lambda mode, f=write: functools.partial(f, colors, rounding=mode),
            lambda: _to_srgb(colors),
            options,
            elements=codes.size,
        )


def _integer_images(options: Options) -> Iterator[Job]:
    for name, (given, stored) in SATURATED.items():
        color = _random(SCALARS[given], (options.lanes,))
        info, write = np.iinfo(SCALARS[stored]), getattr(clmath, f"write_{name}")
        yield functools.partial(
            _row,
            f"write_{name}",
            given,
            lambda _, f=write, color=color: functools.partial(f, color),
            lambda color=color, info=info: np.clip(color, info.min, info.max).astype(info.dtype),
            options,
            elements=color.size,
            rounds=False,
        )


def _memory(options: Options) -> Iterator[Job]:
    """Generate the jobs of loads, stores and shuffles, of vectors of four and of single halves, in random order."""
    count = max(options.lanes // WIDTH, 1)
    rng = np.random.default_rng(3)
    offsets, single = rng.permutation(count), rng.permutation(count * WIDTH)
    halves = _random(np.dtype("f2"), (count * WIDTH,))
    for type in ("float", "double"):
        data = _random(SCALARS[type], (count, WIDTH))
        for name, function in (("vstore_half", clmath.vstore_half), ("vstorea_half", clmath.vstorea_half)):
            yield functools.partial(
                _row,
                f"{name}4",
                type,
                lambda mode, f=function, data=data: lambda: f(data, offsets, halves, 4, rounding=mode),
                lambda data=data: halves.reshape(-1, WIDTH).__setitem__(offsets, data.astype(np.float16)),
                options,
                elements=data.size,
            )
        yield functools.partial(
            _row,
            "vstore_half",
            type,
            lambda mode, data=data: lambda: clmath.vstore_half(data.reshape(-1), single, halves, rounding=mode),
            lambda data=data: halves.__setitem__(single, data.reshape(-1).astype(np.float16)),
            options,
            elements=data.size,
        )
    for name, function in (("vload_half", clmath.vload_half), ("vloada_half", clmath.vloada_half)):
        yield functools.partial(
            _row,
            f"{name}4",
            "half",
            lambda _, f=function: lambda: f(offsets, halves, 4),
            lambda: halves.reshape(-1, WIDTH)[offsets].astype(np.float32),
            options,
            elements=halves.size,
            rounds=False,
        )
    yield functools.partial(
        _row,
        "vload_half",
        "half",
        lambda _: lambda: clmath.vload_half(single, halves),
        lambda: halves[single].astype(np.float32),
        options,
        elements=halves.size,
        rounds=False,
    )
    for type, dtype in SCALARS.items():
        if type != "bool":
            yield from _moves(type, dtype, offsets, options)


def _moves(type: str, dtype: np.dtype, offsets: np.ndarray, options: Options) -> Iterator[Job]:
    """Generate the jobs of vload, vstore and shuffles of a type."""
    memory = _random(dtype, (offsets.size * WIDTH,))
    x, y = (_random(dtype, (offsets.size, WIDTH), seed) for seed in (4, 5))
    mask = _random(np.dtype(f"u{dtype.itemsize}"), x.shape, 6) & 3
    both = mask * 2 + 1
    joined = np.concatenate([x, y], axis=-1)
    made: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "vload4": (lambda: clmath.vload(offsets, memory, 4), lambda: memory.reshape(-1, WIDTH)[offsets]),
        "vstore4": (
            lambda: clmath.vstore(x, offsets, memory, 4),
            lambda: memory.reshape(-1, WIDTH).__setitem__(offsets, x),
        ),
        "shuffle": (lambda: clmath.shuffle(x, mask), lambda: np.take_along_axis(x, mask.astype(np.intp), -1)),
        "shuffle2": (
            lambda: clmath.shuffle2(x, y, both),
            lambda: np.take_along_axis(joined, both.astype(np.intp), -1),
        ),
    }
    for name, (ours, numpy) in made.items():
        yield functools.partial(
            _row, name, type, lambda _, run=ours: run, numpy, options, elements=x.size, rounds=False
        )


def _chapters(options: Options) -> Iterator[Job]:
    for name in options.chosen(tuple(builtins())):
        row = builtin(name)
        for form in row.formats:
            if not phases.has_kernel(name, form) and form in options.forms and row.inputs[0].type == "gentype":
                yield functools.partial(_of_floats, name, form, options)
    for name in options.chosen(tuple(builtins(*EXACT))):
        for type in builtins(*EXACT)[name].types:
            yield functools.partial(_of_bits, name, type, options)


def _conversions(options: Options) -> Iterator[Job]:
    for source, target in itertools.permutations(SCALARS, 2):
        yield functools.partial(_conversion, source, target, options, sat=False)
        if target in INTEGERS and source != "bool":
            yield functools.partial(_conversion, source, target, options, sat=True)


def _all(options: Options) -> Iterator[Job]:
    yield from _chapters(options)
    if options.functions:
        return
    yield from _conversions(options)
    yield from _images("half", options)
    yield from _images("float", options)
    yield from _integer_images(options)
    yield from _memory(options)


def _jobs(options: Options) -> list[Job]:
    return list(_all(options)) if "natural" in options.inputs else []


SECTION = Section(
    "chapters",
    "Built-ins without kernels: ns per element; * beyond 5 ns and three times NumPy's ufunc or nearest expression",
    ("built-in", "type", "rte", "directed", "NumPy", "ours : NumPy", "beyond"),
    _jobs,
    (*builtins(), *builtins(*EXACT)),
)
