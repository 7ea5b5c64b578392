"""Every built-in that rounds returns the reference's bits in each format and mode, by each engine and kind of call."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clmath
from clmath import call as front
from clmath.call import slices
from clmath.engines import choice
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from clmath.testing import assert_correctly_rounded
from clmath.testing import strategies as cl
from tests.builtins import (
    CASES,
    LAYOUTS,
    MANY,
    OF_HALF,
    Expected,
    as_tuple,
    assert_bits,
    every_half,
    expected,
    inputs,
)

ENGINES = [engine.name for engine in choice.installed()]
OPERATORS = ("add", "sub", "mul", "div", "recip")  # which inherit the mode in force
in_each_format = pytest.mark.parametrize("form", FORMATS, ids=str)


def cases(form, condition=bool):
    return [case for case in CASES if case.form is form and condition(case)]


def ways(case, args, mode):
    """The results of the public function, by compiled code if available, and of NumPy's engine."""
    yield "public function", case.call(args, mode)
    yield "numpy", as_tuple(front.floats(case.name, args, mode, engine="numpy"))


def check_every_way(case, args, known, mode, contract="ON"):
    """Assert that all code paths return the reference's bits and equal NaN payloads."""
    want, first = known.rounded(mode, contract), None
    for way, got in ways(case, args, mode):
        bits = [g.tobytes() for g in got]
        if bits != first:
            assert_bits(got, want, case, f"{mode}, {way}", args)
            assert first is None, (case, mode, way, "another NaN")
            first = bits


@in_each_format
def test_results_equal_the_references_in_every_mode_by_every_engine(form):
    for case in cases(form):
        args, _ = inputs(case)
        for mode in case.modes:
            check_every_way(case, args, expected(case), mode)


@in_each_format
def test_results_without_contraction_round_each_step(form):
    for case in cases(form, lambda case: case.row.uncontracted or case.row.formula):
        args, _ = inputs(case)
        with clmath.fp_contract("OFF"):
            for mode in MODES:
                check_every_way(case, args, expected(case), mode, "OFF")


@in_each_format
def test_few_elements_have_the_bits_of_many(form):
    """Compiled code has separate paths for one, few and many elements, and for chunks."""
    for case in cases(form):
        args, _ = inputs(case)
        for mode in case.modes:
            want = expected(case).rounded(mode)
            for part in (slice(1), slice(40), slice(60, 200)):
                some = tuple(a[part] for a in args)
                for way, got in ways(case, some, mode):
                    assert_bits(got, [w[part] for w in want], case, f"{mode}, {way}, few", some)


SECTIONS = sorted({case.row.section for case in OF_HALF})


@pytest.mark.parametrize("section", SECTIONS)
def test_every_half_of_built_ins_of_one_argument(section):
    args = (every_half(),)
    for case in [case for case in OF_HALF if case.row.section == section]:
        known = Expected(case, args)
        for mode in case.modes:
            check_every_way(case, args, known, mode)


@in_each_format
def test_single_numbers_have_the_bits_of_the_reference(form):
    """Also as arrays without axes, in either byte order."""
    for case in cases(form):
        args, kinds = inputs(case)
        places = np.r_[:12, np.linspace(0, kinds.size - 1, 30).astype(int)]
        for mode in case.modes:
            want = expected(case).rounded(mode)
            for place in places:
                one = tuple(a[place] for a in args)
                found = case.call(one, mode)
                assert [type(f) for f in found] == [type(w[place]) for w in want], (case, mode, one)
                wanted = [w[place] for w in want]
                assert_bits(found, wanted, case, f"{mode}, one", one)
        if not case.width:
            one = tuple(a[7] for a in args)
            found = [case.call(tuple(make(a) for a in one)) for make in (np.asarray, swapped_number)]
            assert all(isinstance(f, np.generic) for some in found for f in some)
            for some in found:
                assert_bits(some, [w[7] for w in expected(case).rounded("rte")], case, "no axes", one)


def swapped_number(number):
    array = np.asarray(number)
    return array.astype(array.dtype.newbyteorder("S"))


@in_each_format
def test_single_numbers_without_contraction(form):
    for case in cases(form, lambda case: case.row.uncontracted or case.row.formula):
        args, kinds = inputs(case)
        with clmath.fp_contract("OFF"):
            for mode in MODES:
                want = expected(case).rounded(mode, "OFF")
                for place in np.linspace(0, kinds.size - 1, 100).astype(int):
                    one = tuple(a[place] for a in args)
                    assert_bits(case.call(one, mode), [w[place] for w in want], case, f"{mode}, steps", one)


@functools.cache
def many(case):
    """Elements of all kinds, enough for arrays of several axes, and their results to nearest."""
    args, kinds = inputs(case)
    places = np.linspace(0, kinds.size - 1, MANY).astype(int)
    return tuple(a[places] for a in args), [w[places] for w in expected(case).rounded("rte")]


def laid_out(case, name):
    """Such arguments in a layout, and their results as plain arrays of the same shape."""
    args, want = many(case)
    laid = tuple(LAYOUTS[name](a) for a in args)
    return laid, [np.ascontiguousarray(LAYOUTS[name](w)).astype(w.dtype) for w in want]


@in_each_format
def test_layouts_of_arguments_change_nothing(form):
    for case in cases(form):
        args, _ = many(case)
        before = [a.tobytes() for a in args]
        for name in LAYOUTS:
            laid, wanted = laid_out(case, name)
            assert_bits(case.call(laid), wanted, case, name, laid)
            mixed = (
                laid[0],
                *(np.ascontiguousarray(a).astype(b.dtype) for a, b in zip(laid[1:], args[1:], strict=True)),
            )
            assert_bits(case.call(mixed), wanted, case, f"{name} beside plain ones", mixed)
        assert [a.tobytes() for a in args] == before


@in_each_format
def test_shapes_broadcast(form):
    for case in cases(form, lambda case: len(case.row.inputs) > 1):
        first, *rest = many(case)[0]
        tall, wide = first[:7, None], [a[100:140] for a in rest]
        whole = (
            np.broadcast_arrays(tall, *wide)
            if not case.width
            else [np.broadcast_to(a, (7, 40, case.width)) for a in (tall, *wide)]
        )
        flat = tuple(a.reshape(280, *a.shape[2:]).copy() for a in whole)
        want = [w.reshape(7, 40, *w.shape[1:]) for w in Expected(case, flat).rounded("rte")]
        assert_bits(case.call((tall, *wide)), want, case, "broadcast", whole)


@pytest.fixture
def small_slices(monkeypatch):
    """Few elements are worth a thread, and slices are small."""
    for name in ("SLICE", "BLOCK", "LEAST"):
        monkeypatch.setattr(slices, name, 64)


@in_each_format
@pytest.mark.usefixtures("small_slices")
def test_threads_and_slices_change_nothing(form):
    for case in cases(form):
        args, want = many(case)
        for layout in ("rows", "columns", "swapped"):
            laid, wanted = laid_out(case, layout)
            for threads in (1, 3):
                got = case.call(laid, threads=threads)
                assert_bits(got, wanted, case, f"{layout}, {threads} threads", laid)
        for engine in ENGINES:
            got = as_tuple(front.floats(case.name, args, engine=engine, threads=2))
            assert_bits(got, want, case, f"two threads of {engine}", args)


@in_each_format
def test_results_go_into_arrays_that_are_given(form):
    for case in cases(form):
        for name in ("none", "every second", "columns", "swapped", "strided", "misaligned"):
            laid, wanted = laid_out(case, name)
            out = tuple(LAYOUTS[name](np.full_like(w, 77)) for w in many(case)[1])
            given = out if len(out) > 1 else out[0]
            found = case.call(laid, out=given)
            assert all(f is o for f, o in zip(found, out, strict=True)), case
            assert_bits(out, wanted, case, f"out, {name}", laid)


@in_each_format
def test_results_may_overwrite_an_argument(form):
    for case in cases(form, lambda case: case.row.outputs[0].type == "gentype" and case.name != "nan"):
        args, want = many(case)
        for shift in (0, 1):
            memory = np.concatenate([args[0], args[0][:1]])
            out = (memory[shift : shift + MANY], *map(np.empty_like, want[1:]))
            case.call((memory[:MANY], *args[1:]), out=out if len(out) > 1 else out[0])
            assert_bits(out, want, case, f"over its argument, shifted by {shift}", args)


@in_each_format
def test_elements_that_where_leaves_out_are_kept(form):
    chosen = np.random.default_rng(3).random(MANY) < 0.4
    for case in cases(form):
        args, want = many(case)
        masks = [chosen if w.ndim == 1 else chosen[:, None] for w in want]
        out = tuple(np.full_like(w, 7) for w in want)
        case.call(args, out=out if len(out) > 1 else out[0], where=chosen)
        kept = [np.where(mask, w, w.dtype.type(7)) for mask, w in zip(masks, want, strict=True)]
        assert_bits(out, kept, case, "where", args)
        zeros = [np.where(mask, w, w.dtype.type(0)) for mask, w in zip(masks, want, strict=True)]
        assert_bits(case.call(args, where=chosen), zeros, case, "where, new arrays", args)


@in_each_format
def test_only_operators_inherit_the_mode_in_force(form):
    for case in cases(form, lambda case: not case.row.exact):
        args = tuple(a[::5] for a in inputs(case)[0])
        for mode in MODES:
            with clmath.select_rounding_mode(mode):
                inherited, one = case.call(args), case.call(tuple(a[3] for a in args))
                explicit = case.call(args, "rtp")
            want = [w[::5] for w in expected(case).rounded(mode if case.name in OPERATORS else "rte")]
            assert_bits(inherited, want, case, f"{mode} in force", args)
            assert_bits(one, [w[3] for w in want], case, f"{mode} in force, one", args)
            assert_bits(explicit, [w[::5] for w in expected(case).rounded("rtp")], case, f"rtp while {mode}", args)


@given(st.data())
@settings(max_examples=100)
def test_hurtful_arguments(data):
    case = data.draw(st.sampled_from([case for case in CASES if not case.row.formula]))
    args = data.draw(cl.arguments(case.name, case.form))
    mode = data.draw(cl.rounding_modes()) if not case.row.exact else None
    options = {"rounding": mode} if mode else {}
    assert_correctly_rounded(getattr(clmath, case.name)(*args, **options), case.name, args, **options)


def test_all_built_ins_and_kinds_are_there():
    assert {(case.name, case.form) for case in CASES} == {(n, f) for n, row in builtins().items() for f in row.formats}
    assert {kind for case in CASES for kind in inputs(case)[1]} == {
        "special",
        "prescribed",
        "hard",
        "random",
        "near 1",
        "spaced",
        "ends",
        "NaN",
    }
