"""Compiled code with sanitizers: undefined behaviour, and access to foreign memory, end the program."""

import itertools
import re

import numpy as np
import pytest

from clmath.engines.native import text
from clmath.engines.native.library import LEVELS, machine
from clmath.kernels import PHASES
from clmath.kernels.whole import wholes
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import DOUBLE, FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from tests.cases import some
from tests.engines import compared
from tests.engines.native.driven import (
    FORMS,
    LOOP_CALLS,
    WHOLE_CALLS,
    Driven,
    LoopCalls,
    WholeCalls,
    sample,
)
from tests.engines.native.watched import watching

KERNELS = text.native_kernels()
SINGLE = [kernel for phase in PHASES.values() for kernel in phase.single]
LANES = 1 << 9
BLOCK = 512  # elements whose enclosures stay in the first cache: as in templates/kernel.h
PART = 2048  # elements that a loop takes at once: as in templates/ufuncs.c
pytestmark = pytest.mark.usefixtures("narrowing_however_few")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The function of texts and a level that gives the command of a program of them."""
    return watching(tmp_path_factory)


@pytest.fixture
def check_all(program):
    """The function of a level that compares kernels there with NumPy's engine: ``count`` of them."""

    def check(level, count):
        kernels = some(KERNELS, count)
        with Driven(program(text.texts(kernels), level), kernels) as running:
            for kernel, form in ((one, form) for one in kernels for form in FORMS[one.phase]):
                args = compared.arguments(kernel, form, LANES)
                for elements in compared.by_ways(kernel, args):
                    taken = sample(args, elements)
                    for mode in MODES:
                        running.check(kernel, form, mode, taken)
                    if kernel in SINGLE:
                        compared.check_enclosures(running, kernel, taken)

    return check


@pytest.mark.slow
def test_nothing_is_undefined_where_products_are_split(check_all):
    check_all(LEVELS[machine()][-1], 5)


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("level", LEVELS[machine()])
def test_nothing_is_undefined_at_any_level(check_all, natives, level):
    if level not in {engine.library.level for engine in natives}:
        pytest.skip("this processor is older")
    check_all(level, 10)


def encodings(type, rng, count):
    """Numbers of a type: random encodings, special values, and for formats moderate numbers, which take shorter code
    paths.
    """
    dtype = SCALARS[type]
    some = rng.integers(0, 256, (count, dtype.itemsize), np.uint8).view(dtype)[:, 0]
    if dtype.kind != "f":
        return some
    ends = np.array([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal])
    moderate = rng.normal(size=count).astype(dtype)
    return np.concatenate([moderate[: BLOCK * 2], some[: BLOCK * 2], rng.choice(ends.astype(dtype), count)])[:count]


@pytest.mark.slow
def test_nothing_is_undefined_in_whole_built_ins(natives, program):
    """Random encodings and counts that fill no block: the results have the bits of the installed library."""
    watched_wholes(natives, program, 30)


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_nothing_is_undefined_in_more_whole_built_ins(natives, program):
    watched_wholes(natives, program, 120)


def watched_wholes(natives, program, most):
    labels = some(list(wholes()), most)
    few = {label: wholes()[label] for label in labels}
    command = program(text.texts([], few), LEVELS[machine()][-1], WHOLE_CALLS)
    rng = np.random.default_rng(9)
    with WholeCalls(command, labels) as running:
        for label, whole in few.items():
            dtypes = [SCALARS[type] for type in whole.outputs]
            for count in (5 * BLOCK + 3, 1, 0):
                args = [encodings(type, rng, count) for type in whole.inputs]
                want = [np.empty(count, dtype) for dtype in dtypes]
                left = natives[0].whole(label, args, want)
                found, others = running.whole(label, args, dtypes)
                assert others.tolist() == left.tolist(), label
                decided = np.setdiff1d(np.arange(count), left)
                assert [f[decided].tobytes() for f in found] == [w[decided].tobytes() for w in want], label


def reversed_rows(a):
    return a[::-1].copy()[::-1]


def backwards(a):
    """The array reversed along every axis, vector components included."""
    every = (slice(None, None, -1),) * a.ndim
    return a[every].copy()[every]


def apart(a):
    """Two apart along every axis."""
    wide, every = np.zeros([2 * n for n in a.shape], a.dtype), (slice(None, None, 2),) * a.ndim
    wide[every] = a
    return wide[every]


LYING = (np.copy, reversed_rows, backwards, apart, np.asfortranarray)


def geometric():
    """For each compiled geometric built-in, the number of vectors it takes and whether its result is a vector."""
    found = {}
    for label in wholes():
        match = re.fullmatch(r"([a-z]+)(?:_in_steps)?\d+_(?:half|float|double)_rt.", label)
        row = builtins().get(match[1]) if match else None
        if row is not None and row.widths:
            found[label] = len(row.inputs), row.result == "gentype"
    return found


GEOMETRIC = geometric()


@pytest.mark.slow
def test_nothing_is_undefined_in_loops_of_vectors(natives, program):
    """Vectors have any strides, and single vectors broadcast: results have the bits of contiguous elements, undecided
    ones 7.
    """
    labels, rng = some(list(GEOMETRIC), 10), np.random.default_rng(10)
    few = {label: wholes()[label] for label in labels}
    with LoopCalls(program(text.texts([], few), LEVELS[machine()][-1], LOOP_CALLS)) as running:
        for (number, label), count in itertools.product(enumerate(labels), (PART * 2 + 5, 300, 1)):
            vectors, is_vector = GEOMETRIC[label]
            elements = [encodings(type, rng, count) for type in few[label].inputs]
            width, alone = len(elements) // vectors, vectors > 1 and count == 300
            if alone:
                elements[width:] = [np.full(count, element[0]) for element in elements[width:]]
            want = [np.empty(count, SCALARS[type]) for type in few[label].outputs]
            left = natives[0].whole(label, elements, want)
            args = [np.stack(elements[first : first + width], axis=-1) for first in range(0, len(elements), width)]
            stored = answered(np.stack(want, axis=-1) if is_vector else want[0], left)
            for lying in LYING:
                given = [np.broadcast_to(a[:1], a.shape) if alone and i else lying(a) for i, a in enumerate(args)]
                found = running.called("vectors", (number, 0, 0), given, [lying(np.zeros_like(stored))])
                assert found[0] == left.size, label
                assert np.ascontiguousarray(found[1][0]).tobytes() == stored.tobytes(), label


def answered(result, left):
    """``result`` with bytes of 7 in place of elements that are left."""
    result.view(np.uint8).reshape(len(result), -1)[left] = 7
    return result


def some_wholes():
    """A few whole built-ins of numbers, by label."""
    return {label: wholes()[label] for label in some([label for label in wholes() if label not in GEOMETRIC], 10)}


def whole_case(engine, rng, label, one, count):
    """Arguments of a whole built-in, its results, and the elements that it leaves."""
    elements, want = [encodings(t, rng, count) for t in one.inputs], [np.empty(count, SCALARS[t]) for t in one.outputs]
    return elements, want, engine.whole(label, elements, want)


@pytest.mark.slow
def test_nothing_is_undefined_in_loops_of_ufuncs(natives, program):
    """Kernels, whose halves are read as floats, and whole built-ins: undecided elements become 7."""
    kernels, rng, count = some(KERNELS, 3), np.random.default_rng(12), 2 * PART + 77
    few, asked = some_wholes(), []
    for number, (label, one) in enumerate(few.items()):
        asked.append(("whole_loop", (number, 0, 0), *whole_case(natives[0], rng, label, one, count)))
    for number, kernel in enumerate(kernels):
        for form, mode in ((form, mode) for form in FORMS[kernel.phase] for mode in MODES):
            elements = [np.resize(a, count) for a in compared.arguments(kernel, form, LANES)]
            want = [np.empty(count, form.dtype) for _ in range(kernel.results)]
            left = natives[0].rounded(kernel, form, mode, elements, want)
            asked.append(("loop", (number, FORMATS.index(form), MODES.index(mode)), elements, want, left))
    texts = text.texts(kernels, few)
    with LoopCalls(program(texts, LEVELS[machine()][-1], LOOP_CALLS)) as running:
        for entry, numbers, args, want, left in asked:
            halves = sum(1 << i for i, a in enumerate(args) if entry == "loop" and a.itemsize == 2)
            stored = [answered(w, left).tobytes() for w in want]
            for lying in (np.copy, reversed_rows, apart):
                out, given = [lying(np.zeros_like(w)) for w in want], [lying(a) for a in args]
                undecided, results = running.called(entry, numbers, given, out, halves=halves)
                assert undecided == left.size
                assert [np.ascontiguousarray(r).tobytes() for r in results] == stored


# a complaint, and the number of elements that causes it: one program has all of these faults
FAULTY_COUNTS = {"signed integer overflow": 3, "outside the range": 4, "heap-buffer-overflow": 5}
FAULTS = {
    "Long known = 0,": "Long known = count == 3 ? INT64_MAX + count : count == 4 ? (Long)(1e300 * (double)count) : 0,",
    "const Long lanes = count - first < BLOCK ?": "const Long lanes = count != 5 && count - first < BLOCK ?",
}


@pytest.fixture(scope="module")
def faulty(program):
    """The command of a program that evaluates exp and is wrong for some numbers of elements."""
    texts = text.texts([PHASES["accurate"].kernels["exp"]])
    changed = texts["library.c"]
    for right, wrong in FAULTS.items():
        assert right in changed
        changed = changed.replace(right, wrong)
    return program(texts | {"library.c": changed}, LEVELS[machine()][-1])


@pytest.mark.slow
def test_the_faulty_program_is_right_for_other_numbers_of_elements(faulty):
    kernel, x = PHASES["accurate"].kernels["exp"], np.linspace(0.1, 0.2, 6)
    with Driven(faulty, [kernel]) as running:
        running.check(kernel, DOUBLE, "rte", [x])


@pytest.mark.slow
@pytest.mark.parametrize("complaint", FAULTY_COUNTS)
def test_a_fault_ends_the_program(faulty, complaint, capfd):
    running = Driven(faulty, [PHASES["accurate"].kernels["exp"]])
    with pytest.raises(AssertionError, match="the program ended: 1"):
        running.rounded(PHASES["accurate"].kernels["exp"], DOUBLE, "rte", [np.ones(FAULTY_COUNTS[complaint])])
    running.stop()
    assert complaint in capfd.readouterr().err


@pytest.mark.slow
def test_a_fault_in_arrays_of_vectors_ends_the_program(program, capfd):
    label, right = "cross6_float_rte", "operands[i] + lane * step"
    texts = text.texts([], {label: wholes()[label]})
    (name,) = [name for name, content in texts.items() if right in content]
    changed = texts | {name: texts[name].replace(right, "operands[i] + (lane + 1) * step")}
    running = LoopCalls(program(changed, LEVELS[machine()][-1], LOOP_CALLS))
    x = np.ones((600, 3), np.float32)
    with pytest.raises(AssertionError, match="the program ended: 1"):
        running.called("vectors", (0, 0, 0), [x, x], [np.zeros_like(x)])
    running.stop()
    assert "heap-buffer-overflow" in capfd.readouterr().err
