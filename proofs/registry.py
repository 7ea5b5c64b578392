"""The proof of each kernel, by the kernel's folder and name."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence

from proofs import accurate, fast, narrowing
from proofs.engine.proof import Lemma


def checked(lemmas: Callable[[str], Sequence[Lemma]], kernel: str) -> Sequence[Lemma]:
    """Return the lemmas of a kernel; LookupError where a free name of one is a mark of another one's function."""
    found = lemmas(kernel)
    marks = {name for lemma in found for name in lemma.traced.program.names}
    for lemma in found:
        wrong = marks & {name for s in (lemma.over[0], lemma.over[-1]) for name in lemma.free(s)}
        if wrong:
            raise LookupError(f"{lemma.name} of {kernel}: {', '.join(sorted(wrong))} is not marked in the function")
    return found


PROOFS: Mapping[tuple[str, str], Callable[[str], Sequence[Lemma]]] = {
    (package.__name__.rpartition(".")[2], name): functools.partial(checked, lemmas)
    for package in (fast, accurate, narrowing)
    for file in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    for name, lemmas in getattr(importlib.import_module(file.name), "LEMMAS", {}).items()
}
