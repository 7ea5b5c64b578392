"""One call explained: digits and distances against mpmath, the limits of the tables, and what libraries return."""

import math
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from clmath.spec import editions

LAB = """
    def off(name, *args):
        return np.nextafter(right(name, *args), np.float32(9)) + np.float32(1e-6)
"""
HUGE = "0x1.4c96c11134d36p+578"


def lines_of(out):
    """The lines by their first word; those of subjects by their names, without what these mean."""
    plain = [re.sub(r" (\(Python's\)|\(CORE-MATH\))", "", line) for line in out.splitlines()]
    return {line.split()[0]: line.split(maxsplit=1)[1] for line in plain if len(line.split()) > 1}


def exact_sine(text):
    with mpmath.workprec(1200):
        return mpmath.sin(mpmath.mpf(float.fromhex(text)))


def off(text):
    return float(re.search(r", ([-+][\d.e+]+) ulp", text)[1])


def test_explain_shows_the_value_and_its_neighbours(clm):
    status, out, _ = clm("explain", "sin", HUGE, "--type", "double", "--subjects", "clmath,numpy,math")
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
    _, out, _ = clm("explain", "sin", HUGE, "--type", "double", "--subjects", "clmath,numpy,math")
    found = lines_of(out.partition("returned:")[2])
    assert found["clmath"].endswith("correctly rounded")
    exact = exact_sine(HUGE)
    for name, value in (("numpy", float(np.sin(float.fromhex(HUGE)))), ("math", math.sin(float.fromhex(HUGE)))):
        assert float.fromhex(found[name].split()[0]) == value
        with mpmath.workprec(1200):
            error = float((mpmath.mpf(value) - exact) / mpmath.mpf(math.ulp(float(exact))))
        assert off(found[name]) == pytest.approx(error, rel=1e-3, abs=1e-3)


def test_explain_tells_that_a_wrong_library_fails(clm, lab):
    status, out, _ = clm("explain", "exp", "0.5", "--subjects", f"{lab}:off,clmath,nowhere:nothing")
    assert status == 0
    found = lines_of(out.partition("returned:")[2])
    assert re.search(r"\+\d+\.\d+ ulp  fails: not within the limit: 3 ulp", found["lab:off"])
    assert found["nowhere:nothing"].startswith("- (")


def test_explain_names_every_edition(clm):
    out = clm("explain", "exp", "1", "--subjects", "clmath")[1]
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
    status, out, _ = clm("explain", *words, "--subjects", "clmath")
    assert status == 0
    assert expected in out.splitlines()


def test_explain_asks_core_math_where_it_is_installed(clm):
    pytest.importorskip("ival")
    out = clm("explain", "exp", "0.5", "--type", "double", "--subjects", "ival")[1]
    low, high = re.search(r"CORE-MATH: from (\S+) to (\S+)", out).groups()
    with mpmath.workprec(300):
        assert float.fromhex(low) < mpmath.exp(0.5) < float.fromhex(high)
    assert Fraction(math.nextafter(float.fromhex(low), 9.0)) == Fraction(float.fromhex(high))


@pytest.mark.slow
def test_explain_asks_a_device(clm, opencl_device):
    out = clm("explain", "exp", "0.5", "--type", "float", "--subjects", opencl_device)[1]
    assert " ulp  " in lines_of(out.partition("returned:")[2])[opencl_device]


def test_explain_refuses_what_is_not_rounded(refusal):
    err = refusal("explain", "clz", "5", "--type", "int")
    assert "clmath explain: clz has no rounding to explain" in err
    assert "clmath eval clz" in err
    assert "clmath explain: sin takes 1 value" in refusal("explain", "sin", "1", "2")
