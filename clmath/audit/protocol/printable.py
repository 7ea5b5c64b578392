"""Make foreign text, such as a target's message or a driver's name, safe to show on a terminal."""

from __future__ import annotations

_KEPT = "\n\t"


def printable(text: str) -> str:
    """Return ``text`` with escapes for control characters, and for anything else that a terminal would act upon."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def message_of(error: BaseException) -> str:
    """Return type and message of an exception on one line; its ``__str__`` is the target's code, and may raise."""
    try:
        text = " ".join(str(error).split())
    except BaseException as second:  # noqa: BLE001 - on any error, the message is lost
        text = f"no message: its __str__ raised {type(second).__name__}"
    name = " ".join(type(error).__name__.split())
    return printable(f"{name}: {text or 'no message'}")
