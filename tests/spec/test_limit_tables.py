"""Table of limits, compared with the specifications row by row and in number."""

import re

import pytest

from clmath import errors
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec import editions
from clmath.spec.builtins import builtins
from clmath.spec.editions import PROFILES
from clmath.spec.limits import CORRECTLY_ROUNDED, limit, parse
from tests.cases import for_each

COLUMNS = {
    "float": (FLOAT, "full"),
    "embedded": (FLOAT, "embedded"),
    "double": (DOUBLE, "full"),
    "half": (HALF, "full"),
    "half_embedded": (HALF, "embedded"),
    "relaxed": (FLOAT, "relaxed"),
    "relaxed_embedded": (FLOAT, "relaxed embedded"),
}
# rows of each table: OpenCL C++ 1.0, 4.4, tables 35 to 38; cl_khr_fp16, "Relative Error as ULPs"
ROWS = {"float": 84, "embedded": 98, "double": 70, "half": 84, "half_embedded": 84}
LOWER_BITS = "0 ulp and the lower 7 bits of the quotient"
OPERATORS = {"x + y": "add", "1.0 / x": "recip", "x / y": "div"}
FUSED = "correctly rounded fma, or multiply then add each correctly rounded"
# text of the specification, in lower case and without "<=", and our notation
WORDS = {
    "implemented either as a correctly rounded fma or as a multiply followed by an add "
    "both of which are correctly rounded": FUSED,
    "any value allowed (infinite ulp)": "any",
    "absolute error tolerance of 'max * max * (3 * hlf_epsilon)' per vector component, "
    "where max is the maximum input operand magnitude": (
        "derived p0 × p1 in rounded steps or absolute max * max * 3 * EPSILON"
    ),
    "absolute error tolerance of 'max * max * (2n - 1) * hlf_epsilon', for vector width n and "
    "maximum input operand magnitude max across all vector components": (
        "derived p0 · p1 in rounded steps or absolute max * max * (2n - 1) * EPSILON"
    ),
    "0 ulp for the remainder, at least the lower 7 bits of the integral quotient": LOWER_BITS,
}


def in_our_words(text):
    plain = text.lower().removeprefix("<=").strip()
    plain = plain.removesuffix(", for gentype with vector width n").removesuffix(" for sine and cosine values")
    return WORDS.get(plain, plain)


def entries(column):
    """Generate built-in and limit for every row of [limits] in a column; a row of one string is in every column."""
    for name, row in editions.table(editions.DEFAULT, "limits.toml")["limits"].items():
        texts = row if isinstance(row, dict) else dict.fromkeys(ROWS, row)
        in_table = column in ("float", "embedded") or not name.startswith("native_")
        if column in texts and in_table:
            yield name, texts[column]


@pytest.mark.parametrize("column", ROWS)
def test_column_has_every_row_of_its_table(column):
    assert len(list(entries(column))) == ROWS[column]


def test_relaxed_table_has_every_row():
    assert len(editions.table(editions.DEFAULT, "limits.toml")["relaxed"]) == 37  # OpenCL C++ 1.0, 4.4, table 37


@pytest.mark.parametrize(
    "place, column", [(1, "float"), (2, "embedded"), (3, "double"), (5, "half"), (6, "half_embedded")]
)
def test_limits_equal_the_specifications(accuracy_rows, place, column):
    ours = dict(entries(column))
    for row in accuracy_rows:
        name = OPERATORS.get(row[0], row[0].split("(")[0])
        if row[place] == "-":
            assert name not in ours
        elif name == "remquo" and row[place] == "0 ulp":  # 3.19.6 completes it: at least the seven lower bits
            assert ours[name] == LOWER_BITS
        else:
            assert ours[name] == in_our_words(row[place]), name


def test_both_tables_of_half_agree_except_mad_and_remquo(accuracy_rows):
    differing = {row[0] for row in accuracy_rows if row[4] != "-" and in_our_words(row[4]) != in_our_words(row[5])}
    assert differing == {"mad", "remquo"}  # the limits are taken from cl_khr_fp16, see tables/README.md


@pytest.mark.parametrize("profile", PROFILES)
def test_every_built_in_has_a_limit_with_a_source(profile):
    for name, row in builtins().items():
        for form in row.formats:
            found = limit(name, form, profile)
            assert found.text
            assert found.source.startswith(("OpenCL C++ 1.0, ", "cl_khr_fp16"))


def test_every_row_names_an_existing_built_in():
    table = editions.table(editions.DEFAULT, "limits.toml")
    named = {*table["limits"], *table["relaxed"], *table["option"][CORRECTLY_ROUNDED]}
    named |= {*editions.table(editions.DEFAULT, "judging.toml")["undefined"]}
    named |= {name for rows in table["text"].values() for name in rows}
    assert named - {"x * y + z"} == set(builtins())  # an expression of table 37, not a built-in


@for_each(
    "name, form, profile, text, source",
    [
        ("sin", FLOAT, "full", "4 ulp", "table 35"),
        ("cbrt", FLOAT, "embedded", "4 ulp", "table 36"),
        ("cbrt", DOUBLE, "embedded", "2 ulp", "table 38"),  # double has one table for both profiles
        ("sin", FLOAT, "relaxed", "absolute 2^-11 for x in [-π, π]", "table 37"),
        ("erf", FLOAT, "relaxed", "16 ulp", "table 35"),  # not in table 37
        ("cbrt", HALF, "relaxed", "2 ulp", "full profile"),  # relaxed limits apply only to float
        ("sqrt", FLOAT, "relaxed embedded", "4 ulp", "table 36"),
        ("exp", FLOAT, "relaxed embedded", "4 ulp", "table 37"),
        ("exp", FLOAT, "relaxed", "3 + floor(|2x|) ulp", "table 37"),
        ("half_cos", FLOAT, "full", "8192 ulp", "3.19.10"),  # table 35 lacks the half_ built-ins
        ("half_cos", FLOAT, "embedded", "8192 ulp", "table 36"),
        ("lgamma", DOUBLE, "full", "no limit given", "note 31"),
        ("native_sin", FLOAT, "relaxed", "implementation-defined", "table 35"),
    ],
)
def test_limit_falls_back_to_another_table(name, form, profile, text, source):
    found = limit(name, form, profile)
    assert found.text == text
    assert source in found.source


@pytest.mark.parametrize("name", ["div", "recip", "sqrt"])
def test_correctly_rounded_option_applies_only_to_float(name):
    assert limit(name, FLOAT, options=(CORRECTLY_ROUNDED,)).text == "correctly rounded"
    assert limit(name, HALF, "embedded", options=(CORRECTLY_ROUNDED,)).text == "1 ulp"


@for_each(
    "text",
    [
        "4 ulps",
        "about 4 ulp",
        "",
        "absolute",
        "absolute max * max * EPSILON",
        "4 ulp for",
        "derived",
        "4 ulp, 5 ulp",
        "-1 ulp",
    ],
)
def test_invalid_limit_is_refused_with_a_remedy(text):
    with pytest.raises(errors.TableError, match=r"sin\.float.*write"):
        parse(text, "tables/limits.toml: sin.float")


def test_message_for_an_invalid_limit():
    with pytest.raises(errors.TableError) as caught:
        parse("4 ulps", "tables/limits.toml: sin.float")
    assert str(caught.value) == (
        "tables/limits.toml: sin.float = '4 ulps' is not a limit; "
        "write '4 ulp', 'correctly rounded', 'absolute 2^-11' or 'any'"
    )


def test_invalid_condition_is_refused():
    with pytest.raises(errors.TableError, match="'x is big' is not a condition; write 'x > 0'"):
        parse("4 ulp for x is big", "tables/limits.toml: sin.float")


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: limit("sine", FLOAT), "did you mean 'sin'"),
        (lambda: limit("sin", FLOAT, "fast"), "profile='fast' is not one of"),
        (lambda: limit("native_sin", HALF), "native_sin is not defined for half; only float is"),
    ],
)
def test_unknown_name_is_refused(call, message):
    with pytest.raises(errors.UnknownNameError, match=message):
        call()


def headline(text):
    """Return the first number of a limit in the notation of OpenCL-CTS, whose tolerances have no conditions."""
    clauses = [c for c in text.split("; ") if not c.startswith(("undefined", "any ", "derived 0", "derived x or"))]
    body = clauses[0].split(" for ")[0].split(" or ")[-1 if clauses[0].startswith("derived") else 0]
    if body.startswith(("correctly rounded", "0 ulp")):
        return "0"
    if body in ("any", "implementation-defined", "no limit given"):
        return "inf"
    if absolute := re.fullmatch(r"absolute 2\^(-\d+)", body):
        return f"{2.0 ** int(absolute[1]):.6g}"
    number = re.fullmatch(r"([\d.]+)(?: \+ floor\(\|2x\|\))? ulp", body)
    return number[1] if number else body


def test_readme_has_the_limits_that_differ_from_the_conformance_tests(differences_in_readme):
    assert len(differences_in_readme) == 32
    for name, column, text, of_tests, reason in differences_in_readme:
        builtin, _, option = name.partition(" ")
        form, profile = COLUMNS[column]
        assert limit(builtin, form, profile, options=(option,)).text == text, name
        assert headline(text) != of_tests, name
        assert len(reason) > 20, name
