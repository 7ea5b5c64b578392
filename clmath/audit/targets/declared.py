"""Properties of a target that its user declares if no driver reports them: mode, flushing, division, infinities."""

from __future__ import annotations

from typing import Any, NamedTuple

from clmath import errors
from clmath.audit.acceptance.criteria import optional_subnormals
from clmath.audit.protocol.target import Target, has_infinities
from clmath.numbers.formats import Format, format_named
from clmath.numbers.rounding import Rounding, checked_mode
from clmath.spec.limits import CORRECTLY_ROUNDED


class Declaration(NamedTuple):
    """Properties of a target that its user declares.

    ``mode``: one mode for all formats, or 'half=rtz,float=rte'; empty for the target's own modes. ``flushes``: names
    of formats whose subnormals it may flush; ``finite``: names of formats without infinities and NaN. ``exact_divide``:
    whether float division and sqrt are correctly rounded.
    """

    mode: str = ""
    flushes: tuple[str, ...] = ()
    finite: tuple[str, ...] = ()
    exact_divide: bool = False

    @property
    def words(self) -> list[str]:
        """The command-line options that are equivalent to this declaration."""
        words = ["--mode", self.mode] if self.mode else []
        words += ["--flushes", ",".join(self.flushes)] if self.flushes else []
        words += ["--no-infinities", ",".join(self.finite)] if self.finite else []
        return words + (["--exact-divide"] if self.exact_divide else [])


NOTHING = Declaration()


def mode_for(said: str, form: Format) -> str:
    """Return the mode of ``form`` in a text such as 'rtz' or 'half=rtz,float=rte'; empty if it lacks one."""
    pairs = [word.rpartition("=")[::2] for word in said.split(",") if word]
    return dict(pairs).get(form.name) or dict(pairs).get("", "")


def declaration(call: str, mode: str | None, flushes: str | None, finite: str | None, *, exact: bool) -> Declaration:
    """Return the declaration that options make; UnknownNameError for an unknown format, RoundingError for a mode."""
    return Declaration(
        "" if mode is None else _modes(call, mode),
        _flushing(call, flushes),
        _formats(call, "--no-infinities", finite),
        exact,
    )


def _modes(call: str, text: str) -> str:
    """Return --mode in its normal form: one mode, or pairs FORMAT=MODE with each format once."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and "=" not in text:
        return checked_mode(call, text)
    found: dict[str, str] = {}
    for word in words:
        name, is_pair, mode = word.partition("=")
        if not is_pair:
            checked_mode(call, word)
            raise errors.RoundingError(
                f"{call}: --mode {text!r} mixes modes; write --mode half={word}, or {word} alone"
            )
        form = format_named(name, call, what="--mode for type").name
        if found.setdefault(form, mode) != mode:
            raise errors.RoundingError(f"{call}: --mode {text!r} has two modes of {form}; leave one of them out")
        checked_mode(call, mode)
    if not found:
        raise errors.RoundingError(f"{call}: --mode {text!r} names nothing; write --mode half=rtz")
    return ",".join(f"{form}={mode}" for form, mode in found.items())


def _flushing(call: str, text: str | None) -> tuple[str, ...]:
    names, allowed = _formats(call, "--flushes", text), optional_subnormals()
    for name in names:
        if name not in allowed:
            rule = (
                f"subnormals of {' and '.join(sorted(allowed))} alone are optional (OpenCL C++ 1.0, 4.2; cl_khr_fp16)"
            )
            needless = name if len(names) > 1 else "--flushes"
            raise errors.UnknownNameError(
                f"{call}: --flushes {name}: {rule}; leave {needless} out, or audit an OpenCL device with"
                " --build-options=-cl-denorms-are-zero, which waives them"
            )
    return names


def _formats(call: str, option: str, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    words = text.replace(",", " ").split()
    names = tuple(dict.fromkeys(format_named(word, call, what=option).name for word in words))
    if not names:
        raise errors.UnknownNameError(f"{call}: {option} {text!r} names nothing; write {option} half,float")
    return names


class Declared:
    """A target with its user's declarations; everything else is delegated to the target."""

    def __init__(self, target: Target, said: Declaration) -> None:
        self._target = target
        self._said = said
        self.name = target.name
        for name in dir(type(target)):  # from Python 3.12 on, isinstance() with a protocol does not call __getattr__
            if not (name.startswith("_") or hasattr(type(self), name)) and callable(getattr(type(target), name)):
                setattr(self, name, getattr(target, name))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_target"], name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *dir(self._target)]

    def describe(self) -> dict[str, str]:
        """Return the target's description of itself, and the declarations."""
        return {**self._target.describe(), "declared": " ".join(self._said.words)}

    def mode(self, form: Format) -> Rounding:
        """Return the declared mode, else the target's own."""
        return mode_for(self._said.mode, form) or self._target.mode(form)  # type: ignore[return-value] # it was checked

    def flushes(self, form: Format) -> bool:
        """Whether the target may flush subnormals of ``form``."""
        return form.name in self._said.flushes or self._target.flushes(form)

    def has_infinities(self, form: Format) -> bool:
        """Whether the target has infinities and NaN of ``form``."""
        return form.name not in self._said.finite and has_infinities(self._target, form)

    def build_options(self) -> tuple[str, ...]:
        """Return the target's build options, and the option that promises correct division if that is declared."""
        return (*self._target.build_options(), *((CORRECTLY_ROUNDED,) if self._said.exact_divide else ()))
