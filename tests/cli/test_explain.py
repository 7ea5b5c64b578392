"""One explained call: digits and distances compared with mpmath, limits of the tables, results of libraries."""

import math
import re
import shlex
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.numbers.formats import KNOWN, format_named
from clmath.spec import editions
from clmath.spec.families import audited_builtins
from tests.cases import for_each

LAB = """
    def off(name, *args):
        return np.nextafter(right(name, *args), np.float32(9)) + np.float32(1e-6)
"""
HUGE = "0x1.4c96c11134d36p+578"


def lines_of(out):
    """Return the lines by their first word, without the names' explanations."""
    plain = [re.sub(r" (\(Python's\)|\(CORE-MATH\))", "", line) for line in out.splitlines()]
    return {line.split()[0]: line.split(maxsplit=1)[1] for line in plain if len(line.split()) > 1}


def exact_sine(text):
    with mpmath.workprec(1200):
        return mpmath.sin(mpmath.mpf(float.fromhex(text)))


def off(text):
    return float(re.search(r", ([-+][\d.e+]+) ulp", text)[1])


def test_explain_shows_the_value_and_its_neighbours(clm):
    status, out, _ = clm("explain", "sin", HUGE, "--type", "double", "--targets", "clmath,numpy,math")
    assert status == 0
    assert len(out.splitlines()) <= 24
    found = lines_of(out)
    exact = exact_sine(HUGE)
    assert found["exact"] == mpmath.nstr(exact, 40)
    near = float(exact)
    other = math.nextafter(near, -math.inf if exact < near else math.inf)
    above, below = max(near, other), min(near, other)
    assert float.fromhex(found["above"].split()[0]) == above
    assert float.fromhex(found["below"].split()[0]) == below
    with mpmath.workprec(1200):
        unit = mpmath.mpf(math.ulp(near))
        middle = (mpmath.mpf(above) + mpmath.mpf(below)) / 2
        distance = float(abs(exact - middle) / unit)
        assert off(found["above"]) == pytest.approx(float((above - exact) / unit), abs=1e-3)
    assert float(found["halfway"].split()[0]) == pytest.approx(distance, rel=1e-3)
    nearest = "above" if near == above else "below"
    assert "rte" in found[nearest]
    assert "rtn" in found["below"]
    assert "rtp" in found["above"]


def test_explain_measures_results_of_libraries(clm):
    _, out, _ = clm("explain", "sin", HUGE, "--type", "double", "--targets", "clmath,numpy,math")
    found = lines_of(out.partition("returned:")[2])
    assert found["clmath"].endswith("correctly rounded")
    exact = exact_sine(HUGE)
    for name, value in (("numpy", float(np.sin(float.fromhex(HUGE)))), ("math", math.sin(float.fromhex(HUGE)))):
        assert float.fromhex(found[name].split()[0]) == value
        with mpmath.workprec(1200):
            error = float((mpmath.mpf(value) - exact) / mpmath.mpf(math.ulp(float(exact))))
        assert off(found[name]) == pytest.approx(error, rel=1e-3, abs=1e-3)


def test_explain_reports_that_a_wrong_library_fails(clm, lab):
    status, out, _ = clm("explain", "exp", "0.5", "--targets", f"{lab}:off,clmath,nowhere:nothing")
    assert status == 0
    found = lines_of(out.partition("returned:")[2])
    assert re.search(r"\+\d+\.\d+ ulp  fails: not within the limit: 3 ulp", found["lab:off"])
    assert found["nowhere:nothing"].startswith("- (")


def test_explain_names_every_edition(clm):
    out = clm("explain", "exp", "1", "--targets", "clmath")[1]
    allowed = out.partition("allowed:\n")[2].partition("returned:")[0]
    assert all(edition in allowed for edition in editions.known())
    assert "  3 ulp: " in allowed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sqrt", "4", "--type", "half"], "is        0x1p+1 [0x4000] = 2.0, exact: every mode gives it"),
        (["log", "0"], "exact     -inf"),
        (["sqrt", "-1", "--type", "double"], "exact     nan"),
        (["add", "0x1p+24", "1"], "halfway   a tie: to even"),
        (["frexp", "8"], "int       4"),
    ],
)
def test_explain_of_exact_values_ties_and_infinities(clm, words, expected):
    status, out, _ = clm("explain", *words, "--targets", "clmath")
    assert status == 0
    assert expected in out.splitlines()


def test_explain_uses_core_math_if_installed(clm):
    pytest.importorskip("ival")
    out = clm("explain", "exp", "0.5", "--type", "double", "--targets", "ival")[1]
    low, high = re.search(r"CORE-MATH: from (\S+) to (\S+)", out).groups()
    with mpmath.workprec(300):
        assert float.fromhex(low) < mpmath.exp(0.5) < float.fromhex(high)
    assert Fraction(math.nextafter(float.fromhex(low), 9.0)) == Fraction(float.fromhex(high))


@pytest.mark.slow
def test_explain_uses_a_device(clm, opencl_device):
    out = clm("explain", "exp", "0.5", "--type", "float", "--targets", opencl_device)[1]
    assert " ulp  " in lines_of(out.partition("returned:")[2])[opencl_device]


@for_each("type, target", [("float", "half"), ("double", "float"), ("long", "double"), ("float", "bfloat16")])
def test_explain_shows_the_four_roundings_of_a_conversion(clm, type, target):
    """Both neighbours of the argument and, for rte, the nearer one are checked by fractions."""
    form = format_named(target, known=KNOWN)
    for text in ("1025", str(2**60 + 2**7), "-4194305") if type == "long" else ("0.1", "-2.71", "1e-7", "1000.3"):
        status, out, _ = clm("explain", f"convert_{target}", text, "--type", type, "--targets", "clmath")
        assert status == 0
        exact = Fraction(text) if type == "long" else Fraction(float.fromhex(lines_of(out)["x"].split()[0]))
        found = lines_of(out)
        if "above" not in found:
            assert Fraction(float.fromhex(found["is"].split()[0])) == exact
            continue
        ends = {name: Fraction(float.fromhex(found[name].split()[0])) for name in ("below", "above")}
        assert ends["below"] < exact < ends["above"]
        codes = [int(form.bits(float(end))) for end in ends.values()]
        assert abs(codes[1] - codes[0]) == 1
        nearest = min(ends, key=lambda name: abs(ends[name] - exact))
        modes = {mode: name for name in ends for mode in found[name].partition(" ulp")[2].replace(",", "").split()}
        toward_zero = "below" if exact > 0 else "above"
        assert modes == {"rte": nearest, "rtp": "above", "rtn": "below", "rtz": toward_zero}
        assert re.search(r"clmath .* (pass|correctly rounded)$", out)


@for_each(
    "words, wanted",
    [
        ("clz 5", "result    29\nallowed:\n  every result: every bit counts\nreturned:\n  clmath  29  pass\n"),
        ("convert_int_rte 2.5", "result    2\n"),
        ("isless 1 2", "result    1\nvectors   -1\n"),
        ("nan 5", "is        nan [0x7fc00005]\n"),
        ("normalize 3 4", "result[1]:\nexact     0.8\n"),
        ("vstore_half_rtz 0.1", "  clmath  0x1.998p-4 [0x2e66] = 0.1, -0.400 ulp  pass\n"),
        ("FP_ILOGB0", "one of two values, the one that ilogb returns"),
        ("exp 12 --type bfloat16", "  correctly rounded (no edition has bfloat16)\nreturned:\n  clmath  0x1.3ep+17"),
        ("convert_int_rtz 2.5 --type bfloat16", "returned:\n  clmath  2  pass\n"),
    ],
)  # fmt: skip
def test_explain_accepts_every_chapter_and_bfloat16(clm, words, wanted):
    status, out, err = clm("explain", *words.split(), "--targets", "clmath")
    assert (status, err) == (0, "")
    assert wanted in out


def test_explain_refuses_a_wrong_call_and_texts(clm, refusal):
    assert "clmath explain: sin takes 1 value" in refusal("explain", "sin", "1", "2")
    remedy = refusal("explain", "sprintf", "%.2f", "1.5").partition("; run: clmath ")[2]
    assert "result    '1.50'" in clm(*shlex.split(remedy))[1]


@pytest.mark.slow
def test_built_ins_of_every_chapter_are_evaluated_and_explained(clm):
    chapters = {row.chapter: row for row in audited_builtins()}
    evaluated_and_explained(clm, [*audited_builtins()[::20], *chapters.values()])


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
def test_every_built_in_is_evaluated_and_explained(clm):
    evaluated_and_explained(clm, audited_builtins())


def evaluated_and_explained(clm, rows):
    """Check that calls allowed by the declaration of a built-in are not refused."""
    for row in rows:
        type = row.type_names[-1]
        item = item_of(row, TYPES[type], row.widths[-1] if row.widths else 0)
        ones = [] if row.chapter == "constants" else [str(i % 3 + 1) for i in range(len(item.columns))]
        for words in (["eval"], ["explain", "--targets", ""]):
            status, out, err = clm(*words, row.name, *ones, "--type", type)
            assert (status, err) == (0, ""), (row.name, type)
            assert re.search("^(result|exact|int) ", out, re.MULTILINE), (row.name, type)
