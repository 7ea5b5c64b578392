"""Makes text from elsewhere, such as a subject's message or a driver's name, safe to show on a terminal."""

from __future__ import annotations

__all__ = ["message_of", "printable"]

_KEPT = "\n\t"


def printable(text: str) -> str:
    """``text`` with control characters, and whatever else a terminal would act upon, written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def message_of(error: BaseException) -> str:
    """Type and message of an exception on one line; its ``__str__`` is the subject's code, and may raise as well."""
    try:
        text = " ".join(str(error).split())
    except BaseException as second:  # noqa: BLE001 - whatever it is, there is no message
        text = f"no message: its __str__ raised {type(second).__name__}"
    name = " ".join(type(error).__name__.split())
    return printable(f"{name}: {text or 'no message'}")
