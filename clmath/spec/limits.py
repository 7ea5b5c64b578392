"""The limits of the specification as immutable values that judge results, read from an edition's ``limits.toml``."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from clmath import errors
from clmath.direct import operators
from clmath.numbers.formats import FLOAT, FORMATS, HALF, Format
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Enclosure, ulps
from clmath.spec import editions, files
from clmath.spec.builtins import builtin
from clmath.spec.derived import TABLE_37, Allowance, RelaxedArithmetic, relaxed
from clmath.spec.editions import DEFAULT, Edition
from clmath.spec.notation import NUMBER, Condition, condition, meets, number
from clmath.spec.profiles import PROFILES
from clmath.spec.sample import Sample
from clmath.spec.squares import may_be_root, sums_of_squares
from clmath.spec.steps import RoundedSteps, SumOfProducts, rounded_steps, same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.spec.profiles import Profile

__all__ = ["CORRECTLY_ROUNDED", "Limit", "Rule", "limit", "parse", "values_of_vectors"]

CORRECTLY_ROUNDED = "-cl-fp32-correctly-rounded-divide-sqrt"  # the build option that tightens div, recip and sqrt

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
Clauses: TypeAlias = "tuple[tuple[Rule, Condition | None], ...]"


class Rule(Protocol):
    """One kind of limit."""

    def gives(self, sample: Sample) -> Bools:
        """Return which results the rule allows whatever their distance from the exact value."""

    def bound(self, sample: Sample) -> F64 | float:
        """Return the allowed error in ULPs; NaN where the rule is not a number of ULPs."""

    @property
    def is_open(self) -> bool:
        """Whether every floating-point result passes."""

    @property
    def may_be_open(self) -> bool:
        """Whether every floating-point result passes for some arguments."""

    @property
    def integers_open(self) -> bool:
        """Whether every integer result passes."""

    @property
    def least(self) -> float:
        """An error in ULPs that passes whatever the arguments; 0 where there is none."""


class _Exactly:
    """Integer results are not measured in ULPs: they are right or wrong."""

    @property
    def is_open(self) -> bool:
        return False

    @property
    def may_be_open(self) -> bool:
        return False

    @property
    def integers_open(self) -> bool:
        return False

    @property
    def least(self) -> float:
        return 0.0

    def gives(self, sample: Sample) -> Bools:
        return np.zeros(sample.actual.shape, np.bool_)


@dataclass(frozen=True)
class CorrectlyRounded(_Exactly):
    """The exact value rounded in the mode in force, sign of zero included; any NaN for a NaN."""

    def bound(self, sample: Sample) -> float:  # noqa: ARG002 - equality is not a number of ULPs
        return np.nan


@dataclass(frozen=True)
class NoRounding(CorrectlyRounded):
    """``0 ulp``: the result is exact and needs no rounding, so it must be equal, sign of zero included."""

    def bound(self, sample: Sample) -> float:  # noqa: ARG002 - whatever the arguments
        return 0.0


@dataclass(frozen=True)
class LowerBits(NoRounding):
    """remquo: an exact remainder, and at least the lower 7 bits of the quotient with the quotient's sign."""


@dataclass(frozen=True)
class Ulps(_Exactly):
    """At most ``constant + per_lane * n + growth`` ULPs, n being the vector width, growth floor(|2x|) or nothing."""

    constant: float
    per_lane: float = 0.0
    growing: bool = False

    @property
    def least(self) -> float:
        return self.constant

    def bound(self, sample: Sample) -> F64:
        allowed = self.constant + (self.per_lane * sample.lanes if self.per_lane else 0.0)
        growth = np.floor(np.abs(2.0 * sample.args[0].astype(np.float64))) if self.growing else 0.0
        return np.broadcast_to(np.asarray(allowed + growth, np.float64), sample.actual.shape)


@dataclass(frozen=True)
class UlpsAndRelative(Ulps):
    """At most ``constant`` ULPs and ``relative`` to the exact value together: below normal numbers an ulp is coarse."""

    relative: float = 0.0

    def bound(self, sample: Sample) -> F64:
        place = np.frexp(ulps(sample.exact, sample.form))[1].astype(np.int64) - 1
        size = np.ldexp(np.abs(sample.exact.hi), np.clip(sample.exact.exponent - place, -4000, 4000))
        return np.asarray(self.constant + self.relative * np.where(np.isfinite(size), size, 0.0))


@dataclass(frozen=True)
class UlpsOrArgument(Ulps):
    """fast_normalize of a short vector: within the limit, or the argument itself."""

    def gives(self, sample: Sample) -> Bools:
        unchanged = same(sample.actual, sample.args[0], sample.form).all(axis=-1, keepdims=True)
        return np.broadcast_to(unchanged, sample.actual.shape)


@dataclass(frozen=True)
class Absolute(_Exactly):
    """An absolute error of at most ``tolerance``; ``scaled``: (tolerance + per_lane * n) x max x max x EPSILON.

    An infinite max allows no error: it would allow NaN for a number, and any number for an infinity.
    """

    tolerance: float
    per_lane: float = 0.0
    scaled: bool = False

    def bound(self, sample: Sample) -> F64:
        allowed = np.asarray(self._allowed(sample))
        return np.asarray(np.where(np.isinf(allowed), 0.0, allowed) / ulps(sample.exact, sample.form))

    def _allowed(self, sample: Sample) -> Any:
        if not self.scaled:
            return self.tolerance
        largest = sample.along_lanes(values_of_vectors(sample.args)["largest element"])
        return largest * largest * (self.tolerance + self.per_lane * sample.lanes) * sample.form.eps


@dataclass(frozen=True)
class FusedOrNot(_Exactly):
    """mad: a correctly rounded fma, or a multiplication and an addition that are each correctly rounded."""

    def gives(self, sample: Sample) -> Bools:
        with np.errstate(all="ignore"):
            (product,) = operators.mul(sample.form, sample.mode, sample.args[0], sample.args[1])
            (total,) = operators.add(sample.form, sample.mode, product, sample.args[2])
        return same(sample.actual, total, sample.form)

    def bound(self, sample: Sample) -> float:  # noqa: ARG002 - equality is not a number of ULPs
        return np.nan


@dataclass(frozen=True)
class Unlimited:
    """No number to hold a result to: ``any``, ``implementation-defined``, ``no limit given``, ``undefined``.

    ``integers_judged``: the text leaves the floating-point result free, not the integer beside it.
    """

    why: str
    integers_judged: bool = False

    def gives(self, sample: Sample) -> Bools:
        return np.ones(sample.actual.shape, np.bool_)

    def bound(self, sample: Sample) -> float:  # noqa: ARG002 - whatever the arguments
        return np.inf

    @property
    def is_open(self) -> bool:
        return True

    @property
    def may_be_open(self) -> bool:
        return True

    @property
    def integers_open(self) -> bool:
        return not self.integers_judged

    @property
    def least(self) -> float:
        return np.inf


class Formula(Protocol):
    """A formula of the text."""

    @property
    def variables(self) -> frozenset[str]:
        """The parameters of the built-in that the formula names."""


@dataclass(frozen=True)
class Derived(_Exactly):
    """A formula that an implementation may evaluate, or the limit for those that do not; None: there is none.

    A result outside the limit passes where the formula may have given it.
    """

    formula: Formula
    otherwise: Rule | None

    def gives(self, sample: Sample) -> Bools:
        assert isinstance(self.formula, RoundedSteps | SumOfProducts)  # sets hold all that relaxed arithmetic gives
        return self.formula.gives(sample)

    def bound(self, sample: Sample) -> F64 | float:
        return self.otherwise.bound(sample) if self.otherwise else np.nan

    @property
    def may_be_open(self) -> bool:
        return isinstance(self.formula, RelaxedArithmetic)

    @property
    def least(self) -> float:
        given = self.formula.least if isinstance(self.formula, RelaxedArithmetic) else 0.0
        return max(given, self.otherwise.least if self.otherwise else 0.0)


@dataclass(frozen=True)
class RootOfSquares(_Exactly):
    """The root of squares that are rounded on the way, within ``allowed`` ULPs of it; or the limit beside it."""

    allowed: float
    otherwise: Ulps

    def gives(self, sample: Sample) -> Bools:
        sums = sums_of_squares(sample.args, sample.form, sample.mode, flushing=sample.flushing)
        return np.asarray(
            np.logical_or.reduce([may_be_root(sample.actual, s, self.allowed, sample.form) for s in sums])
        )

    def bound(self, sample: Sample) -> F64:
        return self.otherwise.bound(sample)

    @property
    def least(self) -> float:
        return self.otherwise.least


@dataclass(frozen=True)
class Limit:
    """What the specification allows one built-in in one format and profile.

    ``text`` is the wording of the table, ``source`` names the table, ``undefined`` says for which arguments the text
    leaves the result open ("" where for none). ``clauses``, those of ``undefined`` among them, are tried in order: the
    first whose condition the arguments meet applies; arguments that meet none have no limit.
    """

    text: str
    source: str
    parameters: tuple[str, ...]
    clauses: Clauses
    undefined: str = ""

    def __str__(self) -> str:
        """The wording with its section, as in '4 ulp (OpenCL C++ 1.0, 4.4, table 35)'."""
        left_open = f"; undefined for {self.undefined}" if self.undefined else ""
        return f"{self.text}{left_open} ({self.source})"

    @np.errstate(all="ignore")
    def gives(self, sample: Sample, asked: Sequence[bool]) -> Bools:
        """Return which results rules allow whatever their distance from the exact value; ``asked``: of which rules.

        The vectors of geometric built-ins have their elements along the last axis, in arguments as in results.
        """
        refuse_altered_arithmetic("Limit.gives()")
        pairs = zip(self.clauses, asked, strict=True)
        parts = [(rule.gives(sample) if is_asked else np.False_, where) for (rule, where), is_asked in pairs]
        return self._chosen(sample, parts, np.False_)

    @property
    def gives_no_number(self) -> bool:
        """Whether every floating-point result passes, whatever the arguments."""
        return self.clauses[-1][1] is None and all(rule.is_open for rule, _ in self.clauses)

    @property
    def is_equality(self) -> bool:
        """Whether nothing but the exact value rounded in the mode passes, whatever the arguments."""
        return len(self.clauses) == 1 and self.clauses[0][1] is None and self.clauses[0][0] in _EQUALITIES

    @property
    def is_exact(self) -> bool:
        """Whether results need no rounding, so that only the exact value passes, whatever the arguments."""
        return all(isinstance(rule, NoRounding) for rule, _ in self.clauses)

    @property
    def least(self) -> float | None:
        """An error in ULPs that passes whatever the arguments, infinite where all do; None where a result is open."""
        if self.clauses[-1][1] is not None or any(rule.may_be_open for rule, _ in self.clauses):
            return None
        return min(rule.least for rule, _ in self.clauses)

    @property
    def rules(self) -> tuple[Rule | None, ...]:
        """The rules, and of a formula that for results which it does not give."""
        return tuple(rule.otherwise if isinstance(rule, Derived) else rule for rule, _ in self.clauses)

    @property
    def grows(self) -> bool:
        """Whether the error that passes grows with the argument."""
        return any(isinstance(rule, Ulps) and rule.growing for rule in self.rules)

    @np.errstate(all="ignore")
    def bound(self, args: tuple[np.ndarray, ...], exact: object, form: Format) -> F64:
        """The allowed error in ULPs, lane by lane: infinite where anything goes, NaN where equality is asked."""
        refuse_altered_arithmetic("Limit.bound()")
        head = exact.hi if isinstance(exact, Enclosure) else np.asarray(exact)
        sample = Sample(args, exact, head, form, "rte", self.parameters)
        parts = [(rule.bound(sample), condition) for rule, condition in self.clauses]
        return np.asarray(self._chosen(sample, parts, np.float64(np.inf)))

    def _chosen(self, sample: Sample, parts: list[tuple[Any, Condition | None]], free: object) -> np.ndarray:
        result = np.full(sample.actual.shape, free)
        values = None
        for part, where in reversed(parts):
            if where is None:
                result = np.broadcast_to(part, result.shape)
                continue
            values = self._values(sample) if values is None else values
            truth = sample.along_lanes(meets(where, values, sample.form))
            result = np.where(truth, part, result)
        return result

    @staticmethod
    def _values(sample: Sample) -> dict[str, F64]:
        values = {p: a.astype(np.float64) for p, a in sample.named.items()}
        return values | values_of_vectors(sample.args) if sample.args[0].ndim > 1 else values


@np.errstate(all="ignore")
def values_of_vectors(vectors: Sequence[np.ndarray]) -> dict[str, F64]:
    """Return the numbers that conditions and limits compute from the vectors of each call, by their names.

    The sum of squares and the greatest element are those of a vector, or of the difference of two. NaN elements have no
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
    """A vector, or the difference of two as their type gives it."""
    return vectors[0] - vectors[1] if len(vectors) > 1 else vectors[0]


_EQUALITIES = (CorrectlyRounded(), NoRounding())

_EXACTLY, _FREE = "0 ulp", "no limit given"
_FIXED: Mapping[str, Rule] = {
    "correctly rounded": CorrectlyRounded(),
    "correctly rounded fma, or multiply then add each correctly rounded": FusedOrNot(),
    _EXACTLY: NoRounding(),
    "0 ulp and the lower 7 bits of the quotient": LowerBits(),
    "any": Unlimited("any"),
    "implementation-defined": Unlimited("implementation-defined"),
    _FREE: Unlimited("no limit given", integers_judged=True),
    "undefined": Unlimited("undefined"),
}
_SIZE = r"\d+(?:\.\d+)?"
_ULPS = re.compile(
    rf"(?:(?P<constant>{_SIZE})|(?P<base>{_SIZE}) \+ (?P<plus>(?:{_SIZE})?)n|(?P<lanes>(?:{_SIZE})?)n"
    rf"|(?P<start>{_SIZE}) \+ floor\(\|2x\|\)) ulp(?:(?P<or_argument> or p)| \+ relative (?P<relative>{NUMBER}))?"
)
_ABSOLUTE = re.compile(
    r"absolute (?:max \* max \* (?:\((?P<lanes>\d+)n - (?P<less>\d+)\)|(?P<times>\d+)) \* EPSILON"
    rf"|(?P<tolerance>{NUMBER}))"
)
_ROOT = re.compile(rf"(?P<ulps>{_SIZE}) ulp of the root of rounded squares or (?P<otherwise>.+ ulp)")
_DERIVED = re.compile(r"derived (?P<formula>.+?)(?: or (?P<otherwise>[^ ]+ ulp|absolute .+))?")
_IN_STEPS = re.compile(
    rf"(?P<text>.+) in rounded steps(?:, / within (?P<division>{_SIZE}) ulp"
    r"(?: in \[2\^-(?P<domain>\d+), 2\^(?P=domain)\])?)?"
)
_PRODUCTS = re.compile(r"(?P<left>\w+) (?P<sign>[·×]) (?P<right>\w+)")


def parse(text: str, where: str, allowed: Allowance = TABLE_37) -> Clauses:
    """The clauses of a limit, ``;`` between them; TableError naming ``where``, the row, for what is not a limit.

    ``allowed``: what functions inside of a derived formula may be off by.

    >>> parse("2.5 ulp for |x| in [2^-126, 2^126]", "example")[0][0]
    Ulps(constant=2.5, per_lane=0.0, growing=False)
    """
    clauses = []
    for part in text.split("; "):
        body, _, met = part.partition(" for ")
        clauses.append((_rule(body, text, where, allowed), condition(met, where) if met else None))
    return tuple(clauses)


def _rule(body: str, text: str, where: str, allowed: Allowance) -> Rule:
    if body in _FIXED:
        return _FIXED[body]
    if match := _DERIVED.fullmatch(body):
        otherwise = match["otherwise"]
        rule_of_others = _rule(otherwise, text, where, allowed) if otherwise else None
        return Derived(_formula(match["formula"], where, allowed), rule_of_others)
    if match := _ROOT.fullmatch(body):
        otherwise = _ulps(match["otherwise"])
        rule: Rule | None = RootOfSquares(float(match["ulps"]), otherwise) if otherwise else None
    else:
        rule = _ulps(body) or _absolute(body)
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
    try:
        domain = 2.0 ** int(steps["domain"]) if steps["domain"] else np.inf
        return rounded_steps(steps["text"], float(steps["division"] or 0.0), domain)
    except SyntaxError:
        remedy = "write 'x + (y - x) * a in rounded steps'"
        raise errors.TableError(f"{where}: {steps['text']!r} is not a formula; {remedy}") from None


def _ulps(body: str) -> Ulps | None:
    match = _ULPS.fullmatch(body)
    if match is None:
        return None
    constant = float(match["constant"] or match["base"] or match["start"] or 0)
    if match["relative"]:
        return UlpsAndRelative(constant, relative=number(match["relative"], FLOAT))
    slope = match["plus"] if match["plus"] is not None else match["lanes"]
    per_lane = float(slope or 1) if slope is not None else 0.0
    kind = UlpsOrArgument if match["or_argument"] else Ulps
    return kind(constant, per_lane, growing=match["start"] is not None)


def _absolute(body: str) -> Rule | None:
    match = _ABSOLUTE.fullmatch(body)
    if match is None:
        return None
    if match["tolerance"]:
        return Absolute(number(match["tolerance"], FLOAT))
    if match["times"]:
        return Absolute(float(match["times"]), scaled=True)
    return Absolute(-float(match["less"]), float(match["lanes"]), scaled=True)


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
    """The limit of the built-in ``name`` in ``form`` and ``profile`` by an ``edition`` of the specification.

    By the rules of 4.4: relaxed (``-cl-unsafe-math-optimizations``) concerns float alone, and a built-in that the
    relaxed table does not name keeps the limit of the full or embedded profile; double has one table for both profiles.
    ``options``: those that the program was built with; ``[option...]`` in ``limits.toml`` has what they change.
    Raises UnknownNameError for an unknown name, profile or edition, or a format that the built-in does not have.
    """
    if profile not in PROFILES:
        raise errors.not_one_of("limit()", "profile", profile, PROFILES)
    row = builtin(name, "limit()")
    if not row.takes(form.name):
        known = " or ".join(str(f) for f in row.formats)
        raise errors.UnknownNameError(f"limit(): {name} is not defined for {form}; only {known} is")
    rows = _Rows.of(editions.checked_edition("limit()", edition))
    text, source = rows.by_option(name, form, profile, options) or rows.found(name, form, profile)
    where = f"{rows.place}: {name}.{form}"
    clauses = parse(text, where, rows.allowance())
    parameters = tuple(p.name for p in row.inputs)
    undefined = editions.table(edition, "judging.toml")["undefined"].get(name, "")
    left_open = tuple((_FIXED["undefined"], condition(met, where)) for met in undefined.split("; ") if met)
    clauses = left_open + clauses
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
    """The ``limits.toml`` of an edition, and where it lies."""

    place: str
    table: Mapping[str, Any] = field(compare=False)

    @classmethod
    def of(cls, edition: Edition) -> _Rows:
        return cls(files.shown(editions.place(edition, "limits.toml")), editions.table(edition, "limits.toml"))

    def _section(self, name: str) -> dict[str, Any]:
        """A part of the table; empty where the edition says nothing of the kind."""
        return dict(self.table.get(name, {}))

    def source(self, column: str) -> str:
        """The table of the specification that a column is taken from."""
        if column not in self._section("sources"):
            raise errors.TableError(f"{self.place}: [sources] has no {column}; name the table that it is from")
        return str(self._section("sources")[column])

    def by_option(self, name: str, form: Format, profile: Profile, options: tuple[str, ...]) -> tuple[str, str] | None:
        """What a build option makes of a limit of float, and its source; None where it says nothing."""
        for option, rows in self._section("option").items():
            entry = rows.get(name, {}) if option in options and form is FLOAT else {}
            if isinstance(entry, str) or profile in entry:
                return entry if isinstance(entry, str) else entry[profile], f"OpenCL API, {option}"
        return None

    def found(self, name: str, form: Format, profile: Profile) -> tuple[str, str]:
        """The text of the row that applies, and its source."""
        if form not in FORMATS:
            return self._beyond(name, form)
        base = "embedded" if profile.endswith("embedded") else "full"
        if form is FLOAT and profile.startswith("relaxed") and name in self._section("relaxed"):
            entry = self._section("relaxed")[name]
            return entry if isinstance(entry, str) else entry[base], self.source("relaxed")
        column = _COLUMNS[form.name, base]
        for source, rows in [(self.source(column), self._section("limits")), *self._section("text").items()]:
            entry = rows.get(name, {})
            if isinstance(entry, str):
                return entry, source
            if form is FLOAT and profile in entry:
                return entry[profile], source
            if column in entry:
                return entry[column], source
        raise errors.TableError(f"{self.place}: {name}.{column} is missing; give it a row")

    def _beyond(self, name: str, form: Format) -> tuple[str, str]:
        """The text for a format that no edition has: correctly rounded, or that of half if it is no error in ulp.

        Exact results stay exact, and the formulas of half hold, too.
        """
        text, _ = self.found(name, HALF, "full")
        is_error = text == _FREE or _ULPS.fullmatch(text) is not None
        return "correctly rounded" if is_error and text != _EXACTLY else text, f"no edition has {form}"

    @functools.cache  # noqa: B019 - there are as many as editions
    def allowance(self) -> Allowance:
        """What functions inside of a derived formula may be off by: the larger of both profiles."""
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
