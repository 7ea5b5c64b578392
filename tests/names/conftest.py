"""Find the expressions that an error message recommends, and evaluate them."""

from __future__ import annotations

import ast
import functools
import re

import numpy as np
import pytest

import clmath

_CALLS = ("detach", "dequantize", "to_dense", "float", "resolve_neg")


class Tensor:
    """Imitation of a PyTorch tensor that NumPy cannot convert until all of the calls ``left`` are made."""

    def __init__(self, values, left):
        self.values, self.left = values, frozenset(left)
        self.is_meta, self.is_quantized = "values" in self.left, "dequantize" in self.left
        self.layout = "torch.sparse_coo" if "to_dense" in self.left else "torch.strided"
        self.dtype = "torch.bfloat16" if "float" in self.left else "torch.float32"

    def __getitem__(self, key):
        return Tensor(self.values[key], self.left)

    def __getattr__(self, name):
        if name not in _CALLS:
            raise AttributeError(name)
        return lambda: Tensor(self.values, self.left - {name})

    def is_neg(self):
        return "resolve_neg" in self.left

    def cpu(self):
        return self

    def numpy(self):
        if self.left:
            raise TypeError(f"NumPy does not see it before {', '.join(self.left)}")
        return self.values

    def __array__(self, dtype=None, copy=None):
        return self.numpy()


Tensor.__module__ = "torch"
_CODE = (ast.Call, ast.BinOp, ast.Compare, ast.Subscript)


@functools.cache
def _longest(text):
    """Return the longest beginning of ``text`` that is a computing expression, or None."""
    for end in reversed([match.end() for match in re.finditer(r"[)\]'\"]|\w\b", text)]):
        try:
            node = ast.parse(text[:end], mode="eval").body
        except (SyntaxError, ValueError):
            continue
        sketched = any(n.value is ... for n in ast.walk(node) if isinstance(n, ast.Constant))  # x.filled(...)
        if (
            isinstance(node, _CODE)
            and not sketched
            and not (isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.NotEq))
        ):
            return text[:end].strip()
    return None


def offered(message, names):
    """Return the pairs (argument, expression) that a message recommends for the arguments in ``names``.

    In a message ``likewise y`` means the first expression with y instead of its argument.
    """
    found, place = [], 0
    starts = re.compile(rf"\b(?:clmath\.|np\.|numpy\.|(?:{'|'.join(map(re.escape, names))})\b)|\(np\.|\blist\(")
    while match := starts.search(message, place):
        place = match.end()
        code = _longest(message[match.start() :])
        inside = {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)} & {*names} if code else ()
        if len(inside) == 1:
            found.append((*inside, code))
            place = match.start() + len(code)
    for other in re.findall(r"likewise (\w+)", message):
        first, code = found[0]
        found.append((other, re.sub(rf"\b{first}\b", other, code)))
    return found


@pytest.fixture(scope="session")
def remedies():
    return offered


@pytest.fixture(scope="session")
def followed():
    """Function that follows the first remedy for each argument and returns the arguments, or None without code."""

    def follow(names, message):
        changed = {}
        for argument, code in offered(message, names):
            changed.setdefault(argument, eval(code, {"clmath": clmath, "np": np, "numpy": np}, {**names}))  # noqa: S307 - our own
        return names | changed if changed else None

    return follow
