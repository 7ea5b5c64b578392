"""Inputs that follow from their numbers: drawn like those of a generator, in any order and in any parts."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from clmath.audit.inputs import layout, numbered, row_inputs, spaced, structured
from clmath.audit.inputs.drawn import random_columns
from clmath.audit.inputs.lane_draws import words
from clmath.audit.inputs.lane_recipes import RECIPES
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE

ROWS = [("exp", "float"), ("sin", "double"), ("rsqrt", "double"), ("pow", "double"), ("powr", "float")]
ROWS += [("add", "float"), ("fdim", "double"), ("mul", "float"), ("div", "double"), ("fma", "double"), ("mad", "half")]
ROWS += [("ldexp", "float"), ("copysign", "double"), ("nextafter", "float"), ("clamp", "double"), ("fmod", "float")]
ROWS += [("pown", "double"), ("rootn", "double"), ("atan2", "double"), ("hypot", "half"), ("pow", "half")]
MANY = 1 << 15
EXP = Plan.of(["exp"], ["double"], inputs=NUMBERED + 1000, second_look=False)


def row(plan):
    (item,) = plan.items()
    return item


def test_words_are_those_of_splitmix64():
    """The first outputs of the published generator, begun at 0 and at 1234567."""
    first, second = words(np.arange(1, 4), (0, 1234567))
    assert [hex(word) for word in first.view(np.uint64)] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
    ]
    assert second.view(np.uint64).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("name, form", ROWS)
def test_an_input_follows_from_its_number(name, form):
    item = item_named(name, form)
    some = np.array([5, (1 << 40) - 1, 0, 77, 1 << 33])
    found = numbered.drawn(item, 3, some)
    assert [c.dtype for c in found] == list(layout.dtypes(item))
    for place, number in enumerate(some):
        alone = numbered.drawn(item, 3, np.array([number]))
        assert [a.tobytes() for a in alone] == [c[place : place + 1].tobytes() for c in found]
    others = numbered.drawn(item, 4, some), numbered.drawn(item_named("cbrt", "float"), 3, some)
    assert all(other[0].tobytes() != found[0].tobytes() for other in others)


# of each row of ROWS, in their order
DIGESTS = """
401a2592 5e6253e3 25741d57 e785d19a 704c3233 5c1c50bb a03d2ea8 f41e77a2 c121bfb2 6514d6f6 a3546d3c
43770c52 286fc910 7c6c70b2 e99b8a23 50186f79 afea318d 91a7cbb7 1a49f53e db674654 945bd79b
"""


@pytest.mark.parametrize("row, digest", list(zip(ROWS, DIGESTS.split(), strict=True)), ids=str)
def test_an_input_keeps_its_number(row, digest):
    """Reports that are begun, and those that are compared, name inputs by their places, whatever the version."""
    numbers = np.concatenate([np.arange(4096), np.arange((1 << 40) - 64, 1 << 40)])
    found = numbered.drawn(item_named(*row), 7, numbers)
    assert f"{zlib.crc32(b''.join(column.tobytes() for column in found)):08x}" == digest


def shares(values):
    """What there is of every sort of number, and where exponents lie."""
    found = []
    for v in values:
        x = v.astype(np.float64)
        finite = np.abs(x[np.isfinite(x) & (x != 0)])
        digits = np.frexp(finite)[0] * 2.0**6
        short = digits == np.rint(digits)
        found += [np.mean(x < 0), np.mean(np.isnan(x)) * 8, np.mean(np.isinf(x)) * 8, np.mean(short)]
        found += [np.mean(np.abs(np.log2(finite)) < size) for size in (0.01, 0.5, 3.0, 20.0, 200.0)]
    return np.array(found)


@pytest.mark.parametrize("name, form", ROWS)
def test_they_are_drawn_as_those_of_a_generator(name, form):
    """The same shares of signs, of special numbers, of numbers near one, and of every size."""
    item = item_named(name, form)
    found = numbered.drawn(item, 0, np.arange(MANY))
    wanted = random_columns(np.random.default_rng(0), item, MANY)
    assert np.abs(shares(found) - shares(wanted)).max() < 0.035


def test_every_recipe_is_tried():
    items = [item_named(*one) for one in ROWS]
    assert {numbered.recipe_of(item) for item in items} == set(RECIPES.values())


def test_powers_have_results_of_every_size():
    item = item_named("pow", "double")
    x, y = numbered.drawn(item, 0, np.arange(MANY))
    with np.errstate(all="ignore"):
        size = np.log2(np.abs(x) ** y)
    size = size[np.isfinite(size) & (np.abs(size) > 1)]
    counts = np.histogram(size, 8, (DOUBLE.quantum, DOUBLE.emax))[0]
    assert counts.min() > MANY // 24


def test_which_rows_are_numbered():
    """Many inputs of a built-in that a kernel encloses, of a scalar."""
    names = ["sin", "pow", "ilogb", "fma", "remquo", "dot"]
    many, few = (Plan.of(names, inputs=count, widths=(1, 4)) for count in (NUMBERED, NUMBERED - 1))
    found = {str(item) for item in many.items() if numbered.is_numbered(item, many)}
    assert found == {"sin float", "sin double", "pow half", "pow float", "pow double", "ilogb float", "ilogb double",
                     "fma half", "fma float", "fma double", "remquo half", "remquo float", "remquo double"}  # fmt: skip
    assert not any(numbered.is_numbered(item, few) for item in few.items())


def test_pieces_are_the_structured_inputs_and_all_numbers():
    item = row(EXP)
    first = row_inputs.fixed_chunks(item, EXP)
    pieces = [row_inputs.columns(item, EXP, chunk)[0] for chunk in range(row_inputs.chunks(item, EXP))]
    fixed, drawn = np.concatenate(pieces[:first]), np.concatenate(pieces[first:])
    before = structured.structured(item)[0], spaced.spaced(item, 0, NUMBERED + 1000)[0]
    assert fixed.tobytes() == np.concatenate(before).tobytes()
    assert drawn.tobytes() == numbered.drawn(item, 0, np.arange(NUMBERED + 1000))[0].tobytes()
    assert row_inputs.places(item, EXP, first) == row_inputs.place_of_first_numbered(item, NUMBERED + 1000)
    assert row_inputs.length(item, EXP, len(pieces)) == len(fixed) + len(drawn)
    assert row_inputs.length(item, EXP, first + 1) == len(fixed) + numbered.PIECE
    assert row_inputs.length(item, EXP, 1) == len(pieces[0])


def test_parts_have_all_inputs_once_where_the_whole_has_them():
    whole = Plan.of(["exp"], ["double"], inputs=NUMBERED + 7, second_look=False)
    item, found = row(whole), {}
    for k in (1, 2, 3):
        plan = Plan.of(["exp"], ["double"], inputs=whole.count, part=f"{k}/3", second_look=False)
        for chunk in range(row_inputs.chunks(item, plan)):
            found[row_inputs.places(item, plan, chunk)] = len(row_inputs.columns(item, plan, chunk)[0])
    wanted = {row_inputs.places(item, whole, chunk): len(row_inputs.columns(item, whole, chunk)[0])
              for chunk in range(row_inputs.chunks(item, whole))}  # fmt: skip
    assert found == wanted


@pytest.mark.parametrize(
    "options, fact",
    [
        ({"inputs": (1 << 40) + 1}, "0 to 2\\^40"),
        ({"inputs": "2^41"}, "0 to 2\\^40"),
        ({"inputs": 1000, "part": "1/2"}, "or of 262144 random inputs or more; .* or for 262144"),
        ({"inputs": NUMBERED, "part": "2/5"}, "part 2/5: the inputs are cut into 4 pieces of 65536; ask for part 2/4"),
    ],
)
def test_what_cannot_be_asked_for(options, fact):
    with pytest.raises(ValueError, match=fact):
        Plan.of(["exp"], ["double"], **options)


def test_a_count_may_be_a_power():
    assert Plan.of(["exp"], ["double"], inputs="2^34").count == 1 << 34


def test_places_are_those_of_the_numbers(truthful):
    """A result that is wrong at one number stands there in the report."""
    item, number = row(EXP), NUMBERED + 321
    (x,) = numbered.drawn(item, 0, np.array([number]))

    def wrong(_row, _form, args, results):
        return (np.where(args[0] == x[0], 2.0, results[0]),)

    (verdict,) = audit(EXP, truthful(change=wrong))
    assert verdict.tally.failed == 1
    (example,) = verdict.tally.failures
    assert example.index == row_inputs.place_of_first_numbered(item, NUMBERED + 1000) + number
    assert example.args == (int(DOUBLE.bits(x[0])),)
