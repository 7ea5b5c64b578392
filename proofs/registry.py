"""The proof of each kernel, by the kernel's folder and name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence

from proofs import accurate, fast, narrowing
from proofs.engine.proof import Lemma


def _proofs() -> Iterator[tuple[tuple[str, str], Callable[[str], Sequence[Lemma]]]]:
    for package in (fast, accurate, narrowing):
        for file in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, lemmas in getattr(importlib.import_module(file.name), "LEMMAS", {}).items():
                yield (package.__name__.rpartition(".")[2], name), lemmas


PROOFS: Mapping[tuple[str, str], Callable[[str], Sequence[Lemma]]] = dict(_proofs())
