"""Inputs computed from their numbers: they do not depend on order, parts or count."""

from __future__ import annotations

import itertools
import zlib

import numpy as np
import pytest

from clmath.audit.inputs import layout, random, row_inputs, spaced, structured
from clmath.audit.inputs.streams import words
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.plan.rows import item_called, item_named
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE
from tests.cases import for_each

ROWS = [("exp", "float"), ("sin", "double"), ("rsqrt", "double"), ("pow", "double"), ("powr", "float")]
ROWS += [("add", "float"), ("fdim", "double"), ("mul", "float"), ("div", "double"), ("fma", "double"), ("mad", "half")]
ROWS += [("ldexp", "float"), ("copysign", "double"), ("nextafter", "float"), ("clamp", "double"), ("fmod", "float")]
ROWS += [("pown", "double"), ("rootn", "double"), ("atan2", "double"), ("hypot", "half"), ("pow", "half")]
MANY = 1 << 15
EXP = Plan.of(["exp"], ["double"], inputs=NUMBERED + 1000, local_search=False)


def row(plan):
    (item,) = plan.items()
    return item


def test_words_equal_splitmix64():
    """The first outputs of the published generator, with the seeds 0 and 1234567."""
    first, second = words(np.arange(1, 4), (0, 1234567))
    assert [hex(word) for word in first.view(np.uint64)] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
    ]
    assert second.view(np.uint64).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@for_each("name, form", ROWS)
def test_input_follows_from_its_number(name, form):
    item = item_named(name, form)
    some = np.array([5, (1 << 40) - 1, 0, 77, 1 << 33])
    found = random.numbered(item, 3, some)
    assert [c.dtype for c in found] == list(layout.dtypes(item))
    for place, number in enumerate(some):
        alone = random.numbered(item, 3, np.array([number]))
        assert [a.tobytes() for a in alone] == [c[place : place + 1].tobytes() for c in found]
    others = random.numbered(item, 4, some), random.numbered(item_named("cbrt", "float"), 3, some)
    assert all(other[0].tobytes() != found[0].tobytes() for other in others)


# built-ins of every recipe, with all kinds of columns; two of them judged bit by bit
DRAWN = ["exp float", "nan float", "remquo float", "pown double", "mix double", "smoothstep half", "dot float4"]
DRAWN += ["fast_length float3", "cross double3", "sin float4", "fma double3", "ldexp half16", "mad24 int"]
DRAWN += ["convert_uchar double", "add_sat short4", "mul_hi ulong3"]


def random_inputs(name, count):
    """Return the random inputs of a built-in in the order of their numbers; on vectors, the same calls in any order."""
    item = item_called(name)
    plan = Plan.of([item.builtin], [item.form], inputs=count, local_search=False, widths=(1, 2, 3, 4, 8, 16))
    assert item in plan.items()
    first = row_inputs.fixed_chunks(item, plan)
    pieces = [row_inputs.columns(item, plan, chunk) for chunk in range(first, row_inputs.chunks(item, plan))]
    return calls_of([np.concatenate(parts) for parts in zip(*pieces, strict=True)])


def calls_of(columns):
    """Return each call as encodings."""
    return list(zip(*(c.view(f"u{c.itemsize}").tolist() for c in columns), strict=True))


@for_each("name", DRAWN)
def test_few_inputs_are_the_first_of_many(name):
    """Any count gives the same first inputs; calls of a chunk on vectors are combined into vectors."""
    item, counts = item_called(name), (100, 1000, 10_000, 20_000)
    found = [random_inputs(name, count) for count in counts]
    assert 0 < len(found[0]) < len(found[1]) < len(found[2]) < len(found[3])
    if item.vector == 1:
        assert all(many[: len(few)] == few for few, many in itertools.pairwise(found))
        return
    size = row_inputs.chunk_size(item)
    assert sorted(found[3][:size]) == sorted(found[2][:size])
    generated = calls_of(row_inputs.random_inputs(item, 0, 0, size, len(found[1])))
    assert sorted(found[1]) == sorted(generated)
    assert sorted(found[0]) == sorted(generated[: len(found[0])])


# digests of ROWS, in their order
DIGESTS = """
82122bcd 5ac3b918 40137c9d 6d613a28 069b8f99 997f7d94 2b031e8b 70293382 5dd88db8 17ca219d 145e9768
f62dc028 b35e8458 64a2bbcf 10bd686f e68b4e97 04893151 ba897033 c6a07b6d 562b564f 3b799e36
"""


@for_each("row, digest", list(zip(ROWS, DIGESTS.split(), strict=True)))
def test_input_keeps_its_number(row, digest):
    """Begun and compared reports identify inputs by their places."""
    numbers = np.concatenate([np.arange(4096), np.arange((1 << 40) - 64, 1 << 40)])
    found = random.numbered(item_named(*row), 7, numbers)
    assert f"{zlib.crc32(b''.join(column.tobytes() for column in found)):08x}" == digest


def test_many_inputs_of_enclosed_scalar_built_ins_are_numbered():
    """The built-in must have a kernel, and inputs must be scalar and many."""
    names = ["sin", "pow", "ilogb", "fma", "remquo", "dot"]
    many, few = (Plan.of(names, inputs=count, widths=(1, 4)) for count in (NUMBERED, NUMBERED - 1))
    found = {str(item) for item in many.items() if random.is_numbered(item, many)}
    assert found == {"sin float", "sin double", "pow half", "pow float", "pow double", "ilogb float", "ilogb double",
                     "fma half", "fma float", "fma double", "remquo half", "remquo float", "remquo double"}  # fmt: skip
    assert not any(random.is_numbered(item, few) for item in few.items())


def test_chunks_are_the_structured_inputs_and_all_numbers():
    item = row(EXP)
    first = row_inputs.fixed_chunks(item, EXP)
    pieces = [row_inputs.columns(item, EXP, chunk)[0] for chunk in range(row_inputs.chunks(item, EXP))]
    fixed, generated = np.concatenate(pieces[:first]), np.concatenate(pieces[first:])
    before = structured.structured(item)[0], spaced.spaced(item, 0, NUMBERED + 1000)[0]
    assert fixed.tobytes() == np.concatenate(before).tobytes()
    assert generated.tobytes() == random.numbered(item, 0, np.arange(NUMBERED + 1000))[0].tobytes()
    assert row_inputs.places(item, EXP, first) == row_inputs.place_of_first_numbered(item, NUMBERED + 1000)
    assert row_inputs.length(item, EXP, len(pieces)) == len(fixed) + len(generated)
    assert row_inputs.length(item, EXP, first + 1) == len(fixed) + random.PIECE
    assert row_inputs.length(item, EXP, 1) == len(pieces[0])


def test_parts_together_have_all_inputs_once():
    whole = Plan.of(["exp"], ["double"], inputs=NUMBERED + 7, local_search=False)
    item, found = row(whole), {}
    for k in (1, 2, 3):
        plan = Plan.of(["exp"], ["double"], inputs=whole.count, part=f"{k}/3", local_search=False)
        for chunk in range(row_inputs.chunks(item, plan)):
            found[row_inputs.places(item, plan, chunk)] = len(row_inputs.columns(item, plan, chunk)[0])
    wanted = {row_inputs.places(item, whole, chunk): len(row_inputs.columns(item, whole, chunk)[0])
              for chunk in range(row_inputs.chunks(item, whole))}  # fmt: skip
    assert found == wanted


@pytest.mark.slow
def test_report_gives_the_place_of_a_numbered_input(truthful):
    """One numbered input has a wrong result."""
    item, number = row(EXP), NUMBERED + 321
    (x,) = random.numbered(item, 0, np.array([number]))

    def wrong(_row, _form, args, results):
        return (np.where(args[0] == x[0], 2.0, results[0]),)

    (verdict,) = audit(EXP, truthful(change=wrong))
    assert verdict.tally.failed == 1
    (example,) = verdict.tally.failures
    assert example.index == row_inputs.place_of_first_numbered(item, NUMBERED + 1000) + number
    assert example.args == (int(DOUBLE.bits(x[0])),)
