"""The limits of the specification as immutable values, read from an edition's ``limits.toml``."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.ir.primitives import filled, select, trunc
from clmath.numbers.formats import FLOAT, FORMATS, HALF, Format
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Enclosure, ulps
from clmath.spec import editions, files
from clmath.spec.builtins import builtin
from clmath.spec.editions import DEFAULT, PROFILES, Edition
from clmath.spec.formulas import (
    TABLE_37,
    Allowance,
    Argument,
    Formula,
    RootOfSquares,
    SumOfProducts,
    TwoRoundings,
    relaxed,
    rounded_steps,
)
from clmath.spec.notation import NUMBER, Condition, condition, meets, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clmath.ir.values import Real
    from clmath.spec.editions import Profile

__all__ = [
    "CORRECTLY_ROUNDED",
    "Limit",
    "Rule",
    "absolute_error",
    "limit",
    "number_of_ulps",
    "opens_integers",
    "parse",
    "values_of_vectors",
]

CORRECTLY_ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"  # the build option that tightens div, recip and sqrt

Clauses: TypeAlias = "tuple[tuple[Rule, Condition | None], ...]"


class Rule:
    """One kind of limit."""

    @property
    def may_be_unspecified(self) -> bool:
        """Whether every floating-point result passes for some arguments."""
        return False

    @property
    def least(self) -> float:
        """An error in ULPs that passes for any arguments, or 0."""
        return 0.0


@dataclass(frozen=True)
class CorrectlyRounded(Rule):
    """The exact value rounded in the mode in force, sign of zero included; any NaN for a NaN."""


@dataclass(frozen=True)
class NoRounding(CorrectlyRounded):
    """``0 ulp``: the result is exact and needs no rounding, so it must be equal, sign of zero included."""


@dataclass(frozen=True)
class LowerBits(NoRounding):
    """remquo: an exact remainder, and at least the lower 7 bits of the quotient with the quotient's sign."""


@dataclass(frozen=True)
class Ulps(Rule):
    """At most ``constant + per_component * n + growth`` ULPs, n being the vector width, growth floor(|2x|) or nothing.

    In addition ``relative`` to the exact value: below normal numbers an ulp is coarse.
    """

    constant: float
    per_component: float = 0.0
    growing: bool = False
    relative: float = 0.0

    @property
    def least(self) -> float:
        return self.constant


@dataclass(frozen=True)
class Absolute(Rule):
    """An absolute error of at most ``tolerance``; ``scaled``: (tolerance + per_component * n) x max x max x EPSILON.

    An infinite max allows no error: it would allow NaN for a number, and any number for an infinity.
    """

    tolerance: float
    per_component: float = 0.0
    scaled: bool = False


@dataclass(frozen=True)
class Unlimited(Rule):
    """A rule without a bound: ``any``, ``implementation-defined``, ``no limit given``, ``undefined``.

    ``integers_judged``: the text leaves the floating-point result free, but not the integer result.
    """

    why: str
    integers_judged: bool = False

    @property
    def may_be_unspecified(self) -> bool:
        return True

    @property
    def least(self) -> float:
        return math.inf


@dataclass(frozen=True)
class Derived(Rule):
    """A formula that an implementation may evaluate, or the limit for other implementations (None: no limit).

    A result outside the limit passes if the formula may have given it.
    """

    formula: Formula
    otherwise: Rule | None

    @property
    def may_be_unspecified(self) -> bool:
        return self.formula.may_be_unspecified

    @property
    def least(self) -> float:
        return max(self.formula.least, self.otherwise.least if self.otherwise else 0.0)


def number_of_ulps(rule: Ulps, named: Mapping[str, Real], width: int, like: Real) -> Real:
    """Return the ULPs that a limit allows, without its relative part, for arguments by name.

    As ``absolute_error``, this is an elementwise function of the project's language.
    """
    (x, *_) = named.values()
    growth = trunc(abs(x + x)) if rule.growing else 0.0
    return filled(rule.constant + rule.per_component * width, like) + growth


def absolute_error(rule: Absolute, named: Mapping[str, Real], width: int, form: Format) -> Real | float:
    """Return the error that a limit allows, for arguments, and values that are computed from vectors, by name."""
    if not rule.scaled:
        return rule.tolerance
    largest = named["largest element"]
    found = largest * largest * (rule.tolerance + rule.per_component * width) * form.eps
    return select(found < math.inf, found, 0.0)


def _bound(rule: Rule | None, named: Mapping[str, Real], width: int, exact: Enclosure, form: Format) -> Real | float:
    """Return the allowed errors of calls in ULPs; NaN where the rule is not a number of ULPs."""
    if isinstance(rule, Derived):
        return _bound(rule.otherwise, named, width, exact, form)
    if isinstance(rule, Ulps):
        return number_of_ulps(rule, named, width, exact.hi) + (
            rule.relative * _in_ulps(exact, form) if rule.relative else 0.0
        )
    if isinstance(rule, Absolute):
        return absolute_error(rule, named, width, form) / ulps(exact, form)
    if isinstance(rule, Unlimited):
        return math.inf
    return 0.0 if isinstance(rule, NoRounding) else math.nan


def _in_ulps(exact: Enclosure, form: Format) -> Real:
    """Return the sizes of exact values in ULPs, 0 for infinities and NaN."""
    place = np.frexp(ulps(exact, form))[1].astype(np.int64) - 1
    size = np.ldexp(np.abs(exact.hi), np.clip(exact.exponent - place, -4000, 4000))
    return np.where(np.isfinite(size), size, 0.0)


@dataclass(frozen=True)
class Limit:
    """The limit of one built-in in one format and profile, by the specification.

    ``text`` is the wording of the table, ``source`` names the table, ``undefined`` names the arguments whose result is
    unspecified ("" if there are none). ``clauses``, which include the ``undefined`` ones, are tried in order: the
    first whose condition the arguments meet applies; arguments that meet none have no limit.
    """

    text: str
    source: str
    parameters: tuple[str, ...]
    clauses: Clauses
    undefined: str = ""

    def __str__(self) -> str:
        """The wording with its section, as in '4 ulp (OpenCL C++ 1.0, 4.4, table 35)'."""
        unspecified = f"; undefined for {self.undefined}" if self.undefined else ""
        return f"{self.text}{unspecified} ({self.source})"

    @property
    def gives_no_number(self) -> bool:
        """Whether every floating-point result passes, for any arguments."""
        return self.clauses[-1][1] is None and all(isinstance(rule, Unlimited) for rule, _ in self.clauses)

    @property
    def is_equality(self) -> bool:
        """Whether only the exact value rounded in the mode passes, for any arguments."""
        return len(self.clauses) == 1 and self.clauses[0][1] is None and self.clauses[0][0] in _EQUALITIES

    @property
    def is_exact(self) -> bool:
        """Whether results need no rounding, so that only the exact value passes, for any arguments."""
        return all(isinstance(rule, NoRounding) for rule, _ in self.clauses)

    @property
    def least(self) -> float | None:
        """An error in ULPs that passes for any arguments, infinite if all do, or None if a result is unspecified."""
        if self.clauses[-1][1] is not None or any(rule.may_be_unspecified for rule, _ in self.clauses):
            return None
        return min(rule.least for rule, _ in self.clauses)

    @np.errstate(all="ignore")
    def bound(self, args: tuple[np.ndarray, ...], exact: Enclosure | np.ndarray, form: Format) -> Real:
        """Return the allowed error in ULPs of each element: infinite if any result passes, NaN for equality."""
        refuse_altered_arithmetic("Limit.bound()")
        value = exact if isinstance(exact, Enclosure) else Enclosure.of(np.asarray(exact, np.float64))
        width, found = args[0].shape[-1], np.full(value.hi.shape, np.inf)
        named = dict(zip(self.parameters, (a.astype(np.float64) for a in args), strict=True))
        if args[0].ndim > 1:
            of_calls = values_of_vectors(args).items()
            named |= {name: v[..., np.newaxis] if v.ndim < found.ndim else v for name, v in of_calls}
        for rule, met in reversed(self.clauses):
            holds = True if met is None else meets(met, named, form)
            found = np.where(holds, _bound(rule, named, width, value, form), found)
        return found


@np.errstate(all="ignore")
def values_of_vectors(vectors: Sequence[np.ndarray]) -> dict[str, Real]:
    """Return the numbers that conditions and limits compute from the vectors of each call, by their names.

    The sum of squares and the greatest element belong to a vector, or to the difference of two. NaN elements have no
    size: one in an element that a result does not depend on (w of cross) must not void a limit.
    """
    wide = _difference([v.astype(np.float64) for v in vectors])
    given = _difference(list(vectors)).astype(np.float64)
    sizes = [np.fmax.reduce(np.abs(v.astype(np.float64)), axis=-1) for v in vectors]
    return {
        "sum of squares": np.sum(wide * wide, axis=-1),
        "greatest element": np.max(np.where(np.isnan(given), 0.0, np.abs(given)), axis=-1),
        "largest element": np.asarray(functools.reduce(np.fmax, sizes)),
    }


def _difference(vectors: list[np.ndarray]) -> np.ndarray:
    """Return a vector, or the difference of two in their own type."""
    return vectors[0] - vectors[1] if len(vectors) > 1 else vectors[0]


def opens_integers(rule: Rule) -> bool:
    """Return whether every int result passes."""
    return isinstance(rule, Unlimited) and not rule.integers_judged


_EQUALITIES = (CorrectlyRounded(), NoRounding())

_EXACTLY, _FREE = "0 ulp", "no limit given"
_FIXED: Mapping[str, Rule] = {
    "correctly rounded": CorrectlyRounded(),
    "correctly rounded fma, or multiply then add each correctly rounded": Derived(TwoRoundings(), CorrectlyRounded()),
    _EXACTLY: NoRounding(),
    "0 ulp and the lower 7 bits of the quotient": LowerBits(),
    "any": Unlimited("any"),
    "implementation-defined": Unlimited("implementation-defined"),
    _FREE: Unlimited("no limit given", integers_judged=True),
    "undefined": Unlimited("undefined"),
}
_SIZE = r"\d+(?:\.\d+)?"
_ULPS = re.compile(
    rf"(?:(?P<constant>{_SIZE})|(?P<base>{_SIZE}) \+ (?P<plus>(?:{_SIZE})?)n|(?P<components>(?:{_SIZE})?)n"
    rf"|(?P<start>{_SIZE}) \+ floor\(\|2x\|\)) ulp(?: \+ relative (?P<relative>{NUMBER}))?"
)
_ABSOLUTE = re.compile(
    r"absolute (?:max \* max \* (?:\((?P<components>\d+)n - (?P<less>\d+)\)|(?P<times>\d+)) \* EPSILON"
    rf"|(?P<tolerance>{NUMBER}))"
)
_ROOT = re.compile(rf"(?P<ulps>{_SIZE}) ulp of the root of rounded squares or (?P<otherwise>.+ ulp)")
_DERIVED = re.compile(r"derived (?P<formula>.+?)(?: or (?P<otherwise>[^ ]+ ulp|absolute .+))?")
_IN_STEPS = re.compile(
    rf"(?P<text>.+) in rounded steps(?:, / within (?P<division>{_SIZE}) ulp"
    r"(?: in \[2\^-(?P<domain>\d+), 2\^(?P=domain)\])?)?"
)
_PRODUCTS = re.compile(r"(?P<left>\w+) (?P<sign>[·×]) (?P<right>\w+)")
_OR_ARGUMENT = " or p"


def parse(text: str, where: str, allowed: Allowance = TABLE_37) -> Clauses:
    """Parse the clauses of a limit, separated by ``;``; TableError naming ``where``, the row, for a malformed one.

    ``allowed``: the allowed errors of functions inside of a derived formula.

    >>> parse("2.5 ulp for |x| in [2^-126, 2^126]", "example")[0][0]
    Ulps(constant=2.5, per_component=0.0, growing=False, relative=0.0)
    """
    clauses = []
    for part in text.split("; "):
        body, _, met = part.partition(" for ")
        clauses.append((_rule(body, text, where, allowed), condition(met, where) if met else None))
    return tuple(clauses)


def _rule(body: str, text: str, where: str, allowed: Allowance) -> Rule:
    """Return the rule ``body`` of the limit ``text``."""

    def otherwise(rest: str | None) -> Rule | None:
        return _rule(rest, text, where, allowed) if rest else None

    if match := _DERIVED.fullmatch(body):
        return Derived(_formula(match["formula"], where, allowed), otherwise(match["otherwise"]))
    if match := _ROOT.fullmatch(body):
        return Derived(RootOfSquares(float(match["ulps"])), otherwise(match["otherwise"]))
    if body.endswith(_OR_ARGUMENT):
        return Derived(Argument(), otherwise(body.removesuffix(_OR_ARGUMENT)))
    rule = _FIXED.get(body) or _ulps(body) or _absolute(body)
    if rule is None:
        raise errors.TableError(
            f"{where} = {text!r} is not a limit; write '4 ulp', 'correctly rounded', 'absolute 2^-11' or 'any'"
        )
    return rule


def _formula(text: str, where: str, allowed: Allowance) -> Formula:
    steps = _IN_STEPS.fullmatch(text)
    if steps is None:
        return relaxed(text, where, allowed)
    if products := _PRODUCTS.fullmatch(steps["text"]):
        return SumOfProducts(**products.groupdict())
    domain = 2.0 ** int(steps["domain"]) if steps["domain"] else math.inf
    return rounded_steps(steps["text"], where, float(steps["division"] or 0.0), domain)


def _ulps(body: str) -> Ulps | None:
    match = _ULPS.fullmatch(body)
    if match is None:
        return None
    slope = match["plus"] if match["plus"] is not None else match["components"]
    return Ulps(
        float(match["constant"] or match["base"] or match["start"] or 0),
        per_component=float(slope or 1) if slope is not None else 0.0,
        growing=match["start"] is not None,
        relative=number(match["relative"], FLOAT) if match["relative"] else 0.0,
    )


def _absolute(body: str) -> Absolute | None:
    match = _ABSOLUTE.fullmatch(body)
    if match is None:
        return None
    if match["tolerance"]:
        return Absolute(number(match["tolerance"], FLOAT))
    if match["times"]:
        return Absolute(float(match["times"]), scaled=True)
    return Absolute(-float(match["less"]), float(match["components"]), scaled=True)


_COLUMNS = {
    ("float", "full"): "float",
    ("float", "embedded"): "embedded",
    ("double", "full"): "double",
    ("double", "embedded"): "double",
    ("half", "full"): "half",
    ("half", "embedded"): "half_embedded",
}


@functools.cache
def limit(
    name: str,
    form: Format,
    profile: Profile = "full",
    *,
    options: tuple[str, ...] = (),
    edition: Edition = DEFAULT,
) -> Limit:
    """Return the limit of the built-in ``name`` in ``form`` and ``profile`` by an ``edition`` of the specification.

    By the rules of 4.4: relaxed (``-cl-unsafe-math-optimizations``) concerns float alone, and a built-in that the
    relaxed table does not name keeps the limit of the full or embedded profile; double has one table for both profiles.
    ``options``: the build options of the program; ``[option...]`` in ``limits.toml`` has the limits that they change.
    Raises UnknownNameError for an unknown name, profile or edition, or a format that the built-in does not have.
    """
    if profile not in PROFILES:
        raise errors.not_one_of("limit()", "profile", profile, PROFILES)
    row = builtin(name, "limit()")
    if not row.takes(form.name):
        known = " or ".join(str(f) for f in row.formats)
        raise errors.UnknownNameError(f"limit(): {name} is not defined for {form}; only {known} is")
    rows = _Rows(editions.checked_edition("limit()", edition))
    text, source = rows.by_option(name, form, profile, options) or rows.found(name, form, profile)
    where, undefined = (
        f"{rows.place}: {name}.{form}",
        editions.table(edition, "judging.toml")["undefined"].get(name, ""),
    )
    unspecified = tuple((_FIXED["undefined"], condition(met, where)) for met in undefined.split("; ") if met)
    clauses, parameters = unspecified + parse(text, where, rows.allowance()), tuple(p.name for p in row.inputs)
    _check_variables(clauses, parameters, where)
    return Limit(text, source, parameters, clauses, undefined)


def _check_variables(clauses: Clauses, parameters: tuple[str, ...], where: str) -> None:
    known = {*parameters, "sum of squares", "greatest element"}
    for rule, met in clauses:
        named = rule.formula.variables if isinstance(rule, Derived) else frozenset()
        for name in sorted((named | (met.variables if met else frozenset())) - known):
            text = met.text if met else rule
            raise errors.TableError(f"{where}: {name!r} in {text!r} is not a parameter of the built-in")


@dataclass(frozen=True)
class _Rows:
    """The rows of the ``limits.toml`` of an edition."""

    edition: Edition

    @property
    def place(self) -> str:
        """The place of the table, as messages name it."""
        return files.shown(editions.place(self.edition, "limits.toml"))

    def section(self, name: str) -> dict[str, Any]:
        """Return a part of the table; empty if the edition does not have it."""
        return dict(editions.table(self.edition, "limits.toml").get(name, {}))

    def source(self, column: str) -> str:
        """Return the name of the specification's table with a column."""
        if column not in self.section("sources"):
            raise errors.TableError(f"{self.place}: [sources] has no {column}; name the table that it is from")
        return str(self.section("sources")[column])

    def by_option(self, name: str, form: Format, profile: Profile, options: tuple[str, ...]) -> tuple[str, str] | None:
        """Return the limit of float that a build option changes, and its source, or None if no option changes it."""
        for option, rows in self.section("option").items():
            if option in options and form is FLOAT and (text := _entry(rows, name, profile)):
                return text, f"OpenCL API, {option}"
        return None

    def found(self, name: str, form: Format, profile: Profile) -> tuple[str, str]:
        """Return the text of the row that applies, and its source."""
        if form not in FORMATS:
            return self._beyond(name, form)
        base = "embedded" if profile.endswith("embedded") else "full"
        column = _COLUMNS[form.name, base]
        if form is FLOAT and profile.startswith("relaxed") and (text := _entry(self.section("relaxed"), name, base)):
            return text, self.source("relaxed")
        columns = (profile, column) if form is FLOAT else (column,)
        chapters = reversed(self.section("text").items())  # chapters of the upper edition first
        for source, rows in [(self.source(column), self.section("limits")), *chapters]:
            if text := _entry(rows, name, *columns):
                return text, source
        raise errors.TableError(f"{self.place}: {name}.{column} is missing; give it a line")

    def _beyond(self, name: str, form: Format) -> tuple[str, str]:
        """Return the text for a format of no edition: correctly rounded, or half's text if it is not in ulp.

        Exact results stay exact, and the formulas of half hold, too.
        """
        text, _ = self.found(name, HALF, "full")
        is_error = text == _FREE or _ULPS.fullmatch(text.removesuffix(_OR_ARGUMENT)) is not None
        return "correctly rounded" if is_error and text != _EXACTLY else text, f"no edition has {form}"

    @functools.cache  # noqa: B019 - one entry for each edition
    def allowance(self) -> Allowance:
        """Return the allowed errors of functions inside of a derived formula: the larger of both profiles."""
        errors_of_exp = [rule for rule, _ in self._relaxed("exp") if isinstance(rule, Ulps)]
        alternatives = [rule.otherwise for rule, _ in self._relaxed("atan2") if isinstance(rule, Derived)]
        if not errors_of_exp:
            raise errors.TableError(f"{self.place}: exp.relaxed is not in ulp; write '3 + floor(|2x|) ulp'")
        return Allowance(
            exp=tuple(dict.fromkeys((rule.constant, rule.growing) for rule in errors_of_exp)),
            atan2=max((rule.least for rule in alternatives if rule is not None), default=0.0),
        )

    def _relaxed(self, name: str) -> Clauses:
        texts = (self.found(name, FLOAT, profile)[0] for profile in ("relaxed", "relaxed embedded"))
        return tuple(clause for text in texts for clause in parse(text, f"{self.place}: {name}.relaxed"))


def _entry(rows: Mapping[str, Any], name: str, *columns: str) -> str | None:
    """Return the text of a row: one text for all columns, or the text of the first column that it has, or None.

    It is empty where an edition takes back the text of the edition that it is based on.
    """
    entry = rows.get(name, {})
    texts = [entry] if isinstance(entry, str) else [entry[column] for column in columns if column in entry]
    return texts[0] if texts else None
