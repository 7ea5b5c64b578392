"""Editions: OpenCL C 3.1.1 is compared with its text number by number; editions are found or refused."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from clmath import errors
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import Enclosure
from clmath.spec import editions
from clmath.spec.builtins import builtin, builtins
from clmath.spec.edition_names import checked_edition
from clmath.spec.editions import PROFILES, Statement, statement, statements
from clmath.spec.limits import CORRECTLY_ROUNDED, limit
from clmath.spec.special_values import special_values
from tests.cases import for_each

C, CTS = "opencl-c-3.1.1", "opencl-cts"
# The accuracy tables of OpenCL C 3.1.1 in its own words: Copyright The Khronos Group Inc., CC-BY-4.0.
with (Path(__file__).parent / "opencl_c_3.1.1_accuracy.csv").open(encoding="utf-8") as file:
    ROWS = [tuple(row.values()) for row in csv.DictReader(file)]
FORMS = {"float": FLOAT, "double": DOUBLE, "half": HALF}
OPERATORS = {"x + y": "add", "x - y": "sub", "x * y": "mul", "1.0 / x": "recip", "x / y": "div"}
TABLED = [row for row in ROWS if row[1] != "relaxed"]
RELAXED = [row for row in ROWS if row[1] == "relaxed" and row[2] != "x * y + z"]
UNSPECIFIED = ("Implementation-defined", "Any value allowed (infinite ulp)", "Undefined")
FUSED = (
    "Implemented either as a correctly rounded fma or as a multiply followed by an add "
    "both of which are correctly rounded"
)
EXACT = {"Correctly rounded": "correctly rounded", "0 ulp": "0 ulp", FUSED: limit("mad", FLOAT).text}
SEVEN_BITS = "0 ulp and the lower 7 bits of the quotient"  # 3.19.6 of OpenCL C++ completes "0 ulp"


def name_of(function):
    return OPERATORS.get(function, function.split("(")[0])


def ids(rows):
    return ["-".join((form, profile, name_of(function))) for form, profile, function, _ in rows]


def bound_of(found, row, form, width):
    """Return the allowed error in ulp of an exact result of 1.5, which is also the largest component of the vectors."""
    shape = (1, width) if row.widths else (1,)
    values = (0.25, 1.5, 0.5)[-len(row.inputs) :] if not row.widths else (1.5, 1.5)
    args = tuple(np.full(shape, v, form.dtype) for v, _ in zip(values, row.inputs, strict=False))
    vector = row.widths and row.outputs[0].type == "gentype"
    return found.bound(args, Enclosure.of(np.full(shape if vector else (1,), 1.5)), form).ravel()


def written_bound(text, n, form):
    """Return the limit in the text, in ulp of 1.5."""
    if absolute := re.fullmatch(r"absolute error tolerance of (\S+)", text):
        return float(absolute[1]) / form.eps
    if largest := re.search(r"'max \* max \* (.*?)'", text):
        factor = re.sub(r"\* (FLT|HALF)_EPSILON", "", largest[1]).replace("2n", "2 * n")
        return 1.5 * 1.5 * eval(factor, {"n": n})  # noqa: S307 - the text of the table
    plain = re.fullmatch(r"<= ?(.+?) ulp(?:, for gentype with vector width n| for sine and cosine values)?", text)
    return eval(re.sub(r"(\d)n", r"\1 * n", plain[1]), {"n": n})  # noqa: S307 - the text of the table


@for_each(("kind", "profile", "function", "text"), TABLED)
def test_every_limit_equals_the_text(kind, profile, function, text):
    form, row = FORMS[kind], builtin(name_of(function))
    profiles = ("full", "embedded") if kind == "double" else (profile,)
    for found in (limit(row.name, form, p, edition=C) for p in profiles):
        assert found.source.startswith("OpenCL C 3.1.1, accuracy of ")
        if text in UNSPECIFIED:
            assert found.gives_no_number
        elif row.name == "remquo":
            assert found.text == SEVEN_BITS
            assert text.startswith("0 ulp")
        elif text in EXACT:
            assert found.text == EXACT[text]
        else:
            for width in row.widths or (1,):
                assert bound_of(found, row, form, width) == pytest.approx(written_bound(text, width, form), rel=1e-15)


def test_rows_are_the_same_as_in_the_text():
    """Every row of the text has a limit, and built-ins without a row say so."""
    covered = {(kind, name_of(function)) for kind, _, function, _ in TABLED}
    for name, row in builtins().items():
        for form in row.formats:
            source = limit(name, form, edition=C).source
            assert source.endswith("no row") == ((form.name, name) not in covered), (name, form)
    assert len(TABLED) + len(RELAXED) + 1 == len(ROWS) == 521


@pytest.mark.parametrize("name", ["dot", "cross"])
def test_limits_of_double_use_the_epsilon_of_double(name):
    """The text has FLT_EPSILON, which would allow 2^29 ulp."""
    found = limit(name, DOUBLE, edition=C)
    assert bound_of(found, builtin(name), DOUBLE, 4)[0] < 16


def words(text):
    """Return a relaxed limit of the text in the notation of the tables."""
    plain = re.sub(r"(\^-?\d+)\^", r"\1", text).replace("log\\(", "log(")
    plain = plain.replace("fabs(2 * x)", "|2x|").replace("fabs(x)", "|x|")
    plain = re.sub(r"(\d)\.0f?|(\d\.\d)f", lambda m: m[1] or m[2], plain)
    return plain.replace("M_PI_F", "M_1_PI_F") if re.search(r"a(cos|sin)\(x\) \* M_PI_F", plain) else plain


@for_each(("kind", "profile", "function", "text"), RELAXED)
def test_relaxed_limit_equals_the_text(kind, profile, function, text):
    """Formulas, alternatives, errors and ends of domains agree."""
    del kind, profile
    name, text = name_of(function), words(text)
    ours = [limit(name, FLOAT, p, edition=C).text for p in ("relaxed", "relaxed embedded")]
    if name == "sincos":
        assert ours == [limit("sin", FLOAT, "relaxed", edition=C).text] * 2
        return
    formulas = {
        f.strip().rstrip(".")
        for f in re.findall(r"implement(?: this case)? as (.+?)(?:\. |, |$| for )(?![^(]*\))", text)
    }
    assert bool(formulas) == ("implement" in text)
    for formula in formulas:
        closed = formula + ")" * (formula.count("(") - formula.count(")"))  # pow lacks a closing parenthesis
        assert re.search(rf"derived {re.escape(closed)}(?= or |;| for |$)", ours[0]), (closed, ours[0])
    assert ("8192 ulp" in ours[0]) == ("8192" in text)
    assert all(("8192 ulp" in clause) for clause in ours[0].split("; ") if clause.startswith("derived"))
    number = r"\d+(?:\.\d+)?\^-?\d+|\b(?:4096|8192|88)\b"
    assert set(re.findall(number, " ".join(ours))) == set(re.findall(number, text)) | (
        {"2^24"} if name == "pow" else set()
    )
    errors_in_ulp = r"([\d.]+(?: \+ floor\(\|2x\|\))?) ulp"
    of_text = re.findall(errors_in_ulp, text.lower())
    for k, one in enumerate(ours):
        expected = {of_text[min(k, len(of_text) - 1)]} if "embedded" in text else set(of_text)
        assert set(re.findall(errors_in_ulp, one)) == expected


def test_mistakes_in_the_text_are_corrected():
    assert any("acos(x) * M_PI_F" in text for *_, text in RELAXED)
    for name in ("acos", "asin"):
        assert limit(f"{name}pi", FLOAT, "relaxed", edition=C).text == f"derived {name}(x) * M_1_PI_F or 8192 ulp"


@pytest.mark.parametrize("name", ["div", "recip", "sqrt"])
def test_correctly_rounded_option_applies_to_all_editions(name):
    for edition in editions.known():
        assert limit(name, FLOAT, options=(CORRECTLY_ROUNDED,), edition=edition).text == "correctly rounded"


def test_default_edition_is_the_first_known_one():
    assert editions.known() == (editions.DEFAULT, C, CTS)
    for name, row in builtins().items():
        for form in row.formats:
            for profile in PROFILES:
                assert limit(name, form, profile) == limit(name, form, profile, edition=editions.DEFAULT)


def test_edition_inherits_files_from_its_base():
    assert editions.place(C, "special_values.toml") == f"editions/{C}/special_values.toml"
    assert special_values("pow", C) == special_values("pow")
    assert limit("clamp", FLOAT, edition=C).undefined == "minval > maxval"


def test_rules_shared_by_all_editions_are_equal():
    """Audits take modes, flushed formats and missing infinities from one edition when they compare editions."""
    shared = ("rounding", "without_infinities", "optional_subnormals", "relaxed", "options")
    first, *others = (editions.table(edition, "judging.toml") for edition in editions.known())
    for other in others:
        assert {name: first[name] for name in shared} == {name: other[name] for name in shared}


def test_source_of_a_statement_is_its_edition():
    for edition, word in ((editions.DEFAULT, "OpenCL C++ 1.0"), (C, "OpenCL C 3.1.1")):
        assert all(said.source.startswith(word) for said in statements(edition).values())
    own = {name for name, said in statements(CTS).items() if said != statements(C)[name]}
    assert own == {name for name, said in statements(CTS).items() if said.source.startswith("OpenCL-CTS: test_")}


def test_edition_of_the_conformance_tests_differs_in_statements_and_large_angles():
    """Limits and everything else are inherited from OpenCL C 3.1.1."""
    assert editions.table(CTS, "limits.toml") == editions.table(C, "limits.toml")
    more = {
        name: [special.text for special in special_values(name, CTS) if special not in special_values(name, C)]
        for name in builtins()
    }
    assert [name for name, texts in more.items() if texts] == ["half_cos", "half_sin", "half_tan"]
    assert all(text.endswith("for finite |x| > 2^16") for texts in more.values() for text in texts)
    of_cts, of_c = (editions.table(edition, "judging.toml") for edition in (CTS, C))
    assert {name for name in of_cts if of_cts[name] != of_c[name]} == {"statements"}


def test_half_functions_inherit_special_values():
    for name in ("cos", "powr", "sqrt", "log10"):
        due = [special.text.replace(name, f"half_{name}", 1) for special in special_values(name)]
        assert [special.text for special in special_values(f"half_{name}", C)] == due
        assert due
        assert special_values(f"half_{name}") == ()
    source = "OpenCL C 3.1.1, 7.5.1; ISO/IEC 9899:TC2, F.9.1.5"
    assert {special.source for special in special_values("half_cos", C) if "inf" in special.text} == {source}


def test_edition_lacks_a_special_value_of_its_base():
    assert [special.text for special in special_values("exp10") if special not in special_values("exp10", C)] == [
        "exp10(±0) = 1"
    ]


DRAFT = """
[sources]
half = "draft, half"
half_embedded = "draft, half"
float = "draft, float"
embedded = "draft, float"
double = "draft, double"
relaxed = "draft, relaxed"

[limits]
exp = "7 ulp"
atan2 = "7 ulp"
sin = "7 ulp"
"""


@pytest.fixture
def draft(tmp_path):
    folder = tmp_path / "draft"
    folder.mkdir()
    (folder / "edition.toml").write_text(f'title = "A draft"\nbased_on = "{editions.DEFAULT}"\n')
    (folder / "limits.toml").write_text(DRAFT)
    return folder


def test_folder_can_be_an_edition(draft):
    found = limit("sin", FLOAT, edition=str(draft))
    assert (found.text, found.source) == ("7 ulp", "draft, float")
    assert special_values("sin", str(draft)) == special_values("sin")
    assert editions.title(str(draft)) == "A draft"


def test_limit_is_inherited_from_the_base(draft):
    found, below = limit("cos", FLOAT, edition=str(draft)), limit("cos", FLOAT)
    assert (found.text, found.source) == (below.text, "draft, float")


def test_limit_that_no_edition_has_is_an_error(draft):
    (draft / "edition.toml").write_text('title = "A draft of its own"\n')
    with pytest.raises(errors.TableError, match=rf"{draft}/limits.toml: cos.float is missing; give it a line"):
        limit("cos", FLOAT, edition=str(draft))


def test_limit_under_an_option_of_the_base_can_be_taken_back(draft):
    option = ("-cl-mad-enable",)
    assert limit("mix", FLOAT, "embedded", options=option).text == "any"
    (draft / "limits.toml").write_text(DRAFT + '[option.-cl-mad-enable]\nmix = ""\n')
    assert limit("mix", FLOAT, "embedded", options=option, edition=str(draft)).text == limit("mix", FLOAT).text


def test_error_in_an_edition_names_its_file(draft):
    (draft / "limits.toml").write_text(DRAFT.replace('sin = "7 ulp"', 'sin = "7 ulps"'))
    with pytest.raises(errors.TableError, match=rf"{draft}/limits.toml: sin.float = '7 ulps' is not a limit; write"):
        limit("sin", FLOAT, edition=str(draft))
    (draft / "special_values.toml").write_text('["a draft"]\nspecial_values = ["sin(x)"]\n')
    with pytest.raises(
        errors.TableError, match=rf"{draft}/special_values.toml: \[a draft\] 'sin\(x\)' is not a special value; write"
    ):
        special_values("sin", str(draft))


def test_edition_contains_only_differences_from_its_base(draft):
    (draft / "special_values.toml").write_text(
        'without = ["log(1) = +0"]\n["a draft"]\nspecial_values = ["log(2) = 1"]\nsame_as = { native_log = "log" }\n'
        '["ISO/IEC 9899:TC2, F.9.1.5"]\nspecial_values = ["cos(±0) = 1"]\n'
    )
    (draft / "judging.toml").write_text(
        '[undefined]\nclamp = ""\n[statements.saturated_nan]\nsays = "0"\nsource = "a draft"\n'
    )
    found, before = ({special.text for special in special_values("log", e)} for e in (str(draft), editions.DEFAULT))
    assert (found - before, before - found) == ({"log(2) = 1"}, {"log(1) = +0"})
    assert "native_log(2) = 1" not in {
        special.text for special in special_values("native_log", str(draft))
    }  # inherited ones only
    assert "native_log(NaN) = NaN" in {special.text for special in special_values("native_log", str(draft))}
    assert [special.text for special in special_values("cos", str(draft))] == ["cos(NaN) = NaN", "cos(±0) = 1"]
    assert limit("exp", FLOAT, edition=str(draft)).text == "7 ulp"
    assert limit("atan2", FLOAT, edition=str(draft)).undefined == ""
    assert statements(str(draft))["saturated_nan"] == Statement(("0",), "a draft")
    assert statements(str(draft))["true_lanes"] == statements(editions.DEFAULT)["true_lanes"]
    assert editions.tables(str(draft)) == (
        f"editions/{editions.DEFAULT}/limits.toml",
        f"{draft}/limits.toml",
        f"editions/{editions.DEFAULT}/special_values.toml",
        f"{draft}/special_values.toml",
        f"editions/{editions.DEFAULT}/judging.toml",
        f"{draft}/judging.toml",
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "special_values.toml",
            'without = ["log(3) = +0"]',
            r"without has 'log\(3\) = \+0', which no edition below prescribes",
        ),
        ("judging.toml", '[statements.saturated_nan]\nsays = "1"', r"saturated_nan says '1'; write 'any' or '0'"),
        ("judging.toml", '[statements.nan]\nsays = "1"', r"\[statements\] needs true_lanes, .*, and no others: nan"),
    ],
)
def test_mistake_in_differences_is_refused(draft, name, text, message):
    (draft / name).write_text(text)
    with pytest.raises(errors.TableError, match=message):
        (special_values if name == "special_values.toml" else statement)("log", str(draft))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("edition.toml", 'title = "A draft"\nbasedon = ""', "'basedon' is read by nothing; did you mean 'based_on'"),
        ("limit.toml", "", "'limit.toml' is read by nothing; did you mean 'limits.toml'"),
        ("edges.toml", "", "'edges.toml' is read by nothing; it is called 'special_values.toml' now: rename it"),
        (
            "special_values.toml",
            '["a draft"]\nedges = ["sin(0) = 0"]',
            "'edges' is read by nothing; it is called 'special_values' now: rename it",
        ),
        ("limits.toml", '[limit]\nsin = "7 ulp"', "'limit' is read by nothing; did you mean 'limits'"),
        ("limits.toml", '[limits]\nsinn = "7 ulp"', "'sinn' is read by nothing; did you mean 'sin"),
        ("limits.toml", '[limits.sin]\nflaot = "7 ulp"', "'flaot' is read by nothing; did you mean 'float'"),
        ("limits.toml", '[option.-cl-x.sin]\nfulll = "7 ulp"', "'fulll' is read by nothing; did you mean 'full'"),
        (
            "special_values.toml",
            '["a draft"]\nspecial_value = ["sin(0) = 0"]',
            "'special_value' is read by nothing; did you mean 'special_values'",
        ),
        ("special_values.toml", '["a draft".same_as]\nsinn = "sin"', "'sinn' is read by nothing"),
        ("judging.toml", 'may_flsh = ["sin"]', "'may_flsh' is read by nothing; did you mean 'may_flush'"),
        ("judging.toml", 'may_flush = ["half_sim"]', "'half_sim' is read by nothing; did you mean 'half_sin'"),
        ("judging.toml", '[rounding]\nby_defualt = ""', "'by_defualt' is read by nothing; did you mean 'by_default'"),
        ("judging.toml", "[options.-cl-x]\nwaive = []", "'waive' is read by nothing; did you mean 'waives'"),
    ],
)
def test_unknown_name_in_an_edition_is_refused(draft, name, text, message):
    (draft / name).write_text(text)
    with pytest.raises(errors.TableError, match=rf"^{draft}(/{name})?: {message}"):
        checked_edition("audit()", draft)


def test_names_in_all_editions_are_known():
    assert [checked_edition("audit()", name) for name in editions.known()] == list(editions.known())


def test_editions_based_on_each_other_are_refused(draft):
    (draft / "edition.toml").write_text(f'title = "A draft"\nbased_on = "{draft}"\n')
    with pytest.raises(errors.TableError, match="based_on leads back"):
        special_values("sin", str(draft))


@pytest.mark.parametrize(
    ("edition", "message"),
    [
        ("opencl-c", r"limit\(\): edition='opencl-c' is not one of 'opencl-c\+\+-1.0', 'opencl-c-3.1.1', 'opencl-cts'"),
        (3, "edition=3 is not one of"),
        ("./nowhere", r"edition='./nowhere' is not a folder with the file edition.toml; write one of opencl-c\+\+-1.0"),
    ],
)
def test_unknown_edition_is_refused(edition, message):
    with pytest.raises(errors.UnknownNameError, match=message):
        limit("sin", FLOAT, edition=edition)
