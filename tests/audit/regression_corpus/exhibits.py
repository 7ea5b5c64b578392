"""Targets of the regression corpus: clmath's built-ins with the faults that ``bugs.toml`` describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import clmath
from clmath.audit.plan.rows import rows_named
from clmath.audit.targets.host import Host
from tests.audit.regression_corpus.formulas import formula

if TYPE_CHECKING:
    from clmath.numbers.formats import Format


def number(text: str) -> float:
    """Return a number written in the table: hexadecimal, decimal, inf or nan."""
    return float.fromhex(text) if "0x" in text else float(text)


def parsed(texts: list[str], kinds: list[str], dtype: np.dtype) -> list[np.ndarray]:
    """Return numbers of the type, and ints, as arrays of one element."""
    return [
        np.array([int(t)], np.int32) if kind == "intn" else np.array([number(t)]).astype(_type_of(kind, dtype))
        for t, kind in zip(texts, kinds, strict=True)
    ]


def _type_of(kind: str, dtype: np.dtype) -> np.dtype:
    """Return the dtype of values declared as ``kind``; ``dtype``: the type of the built-in's own values."""
    return np.dtype({"intn": np.int32, "storage": np.float16}.get(kind, dtype))


@dataclass(frozen=True)
class Exhibit(Host):
    """A built-in that is correct except where its bug is."""

    bug: dict

    @property
    def name(self) -> str:
        return self.bug["name"]

    @property
    def widths(self) -> tuple[int, ...]:
        return tuple(self.bug.get("widths", (1,)))

    def describe(self) -> dict[str, str]:
        return {"name": self.name}

    def defines(self, row, form):
        return row is self.row and form.name == self.bug["type"]

    def build_options(self) -> tuple[str, ...]:
        return tuple(self.bug.get("options", ()))

    @property
    def row(self):
        return rows_named(self.bug["function"])[0]

    def __call__(self, *args: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the results of the faulty built-in."""
        if "formula" in self.bug:
            return tuple_of(formula(self.bug["formula"])(*args))
        right = tuple_of(getattr(clmath, self.row.name)(*args))
        given = dict(zip([p.name for p in self.row.inputs], args, strict=True)) | {"result": right[0]}
        met = self._met(given)
        return (np.where(met, self._faulty(right[0], args), right[0]), *right[1:])

    def evaluate(self, row, form, args):  # noqa: ARG002 - the protocol's signature
        with np.errstate(all="ignore"):
            return tuple(np.asarray(r).astype(t) for r, t in zip(self(*args), self.types(form), strict=True))

    def types(self, form: Format) -> list[np.dtype]:
        return [_type_of(p.type, form.dtype) for p in self.row.outputs]

    def _met(self, given: dict[str, np.ndarray]) -> np.ndarray:
        """Return where the bug occurs: inside all intervals of one region, or everywhere if no region is listed."""
        regions = self.bug.get("where", {})
        regions = regions if isinstance(regions, list) else [regions]
        return np.logical_or.reduce([self._inside(region, given) for region in regions])

    @staticmethod
    def _inside(region: dict[str, list[str]], given: dict[str, np.ndarray]) -> np.ndarray:
        met = np.ones(given["result"].shape, bool)
        for name, (low, high) in region.items():
            value = np.abs(given[name.strip("|")]) if name.startswith("|") else given[name]
            met &= (value >= number(low)) & (value <= number(high))
        return met

    def _faulty(self, right: np.ndarray, args: tuple[np.ndarray, ...]) -> np.ndarray:
        bug, dtype = self.bug, right.dtype
        if "calls" in bug:
            return self._at_calls(right, args)
        if "relative" in bug:
            return right + right * dtype.type(number(bug["relative"]))
        if "places" in bug:
            return (right.view(f"i{dtype.itemsize}") + bug["places"]).view(dtype)
        if bug.get("unsigned zeros"):
            return np.where(right == 0, np.abs(right), right)
        if bug.get("flipped zeros"):
            return np.where(right == 0, -right, right)
        return np.copysign(dtype.type(number(bug["gives"])), right)

    def _at_calls(self, right: np.ndarray, args: tuple[np.ndarray, ...]) -> np.ndarray:
        """Return the results with the faulty ones of single calls."""
        kinds = [p.type for p in self.row.inputs]
        for line in self.bug["calls"]:
            call, got = (part.split() for part in line.split(" -> "))
            bits = zip(args, parsed(call, kinds, right.dtype), strict=True)
            met = np.logical_and.reduce([(a == v) | ((a != a) & (v != v)) for a, v in bits])
            right = np.where(met, number(got[0]), right)
        return right


def tuple_of(results: np.ndarray | tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)
