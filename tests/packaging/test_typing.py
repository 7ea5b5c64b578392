"""Type checkers accept correct calls of the installed package and refuse wrong ones."""

from __future__ import annotations

import ast
import doctest
import importlib.metadata
import importlib.util
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import clmath
from clmath import testing
from clmath.direct.texels import ORDERS, TYPES
from clmath.functions.math import forms
from clmath.functions.sampling import _ADDRESSING, _FILTERS
from clmath.spec.aliases import stub
from clmath.testing import strategies
from clmath.typing import Addressing, ChannelOrder, ChannelType, Filter

SCRIPT = """
from typing import Any

import numpy as np
import numpy.typing as npt

import clmath
from clmath import sin
from clmath.testing import assert_correctly_rounded, strategies
from clmath.typing import Engine, Rounding

x: npt.NDArray[np.float32] = np.linspace(0, 1, 4, dtype=np.float32)
mode: Rounding = "rtz"
engine: Engine = "native"
sin(x, rounding=mode, engine=engine, threads=2, out=np.empty_like(x))
clmath.pow(x, 2.0)
clmath.pown([1.0, 2.0], np.arange(2))
sine, cosine = clmath.sincos(np.float16(1.0), out=(None, np.empty((), np.float16)))
clmath.sin(x, where=x > 0, out=(np.empty_like(x),))
clmath.sin(range(3), where=[True, False, True])
x[clmath.isnan(x, dtype=bool) | clmath.isinf(x, dtype=np.bool_)]
clmath.convert_uchar4_sat_rte(x)
clmath.as_uint(clmath.convert(x, "uchar", sat=True))
clmath.convert(clmath.convert(x, "float32"), np.dtype(np.int16), sat=True)
clmath.convert([1, 2, 3, 4], ("int", 4))
clmath.shuffle(x, np.arange(2, dtype=np.uint32))
clmath.shuffle2(np.arange(2), np.arange(2), [3, 0, 2, 1])
clmath.vload(np.arange(2), x, 2)
clmath.sprintf("%s %d %g %v4hlf", "a", 1, np.float32(1.0), x)
with clmath.flush_to_zero("half", "double"):
    clmath.numeric_limits(np.float32)
clmath.dot(x, x) + clmath.popcount(3) + clmath.isnan(x)
with clmath.select_rounding_mode("rtp"):
    clmath.add(clmath.FLT_MAX, clmath.M_PI_F)
for (name, form), lanes in clmath.stats().items():
    print(name.upper(), form.upper(), lanes.evaluated + lanes.undecided)
print(clmath.engines()["native"].upper())
assert_correctly_rounded(clmath.sqrt(x), "sqrt", (x,))
strategies.floats(allow_nan=False)


class OnCuda:
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {}


clmath.pow(OnCuda(), 2.5, out=OnCuda())

clmath.sin(x, rounding="nearest")  # wrong
clmath.sin(x, engine="cuda")  # wrong
clmath.sin(x, threads="2")  # wrong
clmath.sin(x, where=np.arange(2))  # wrong
clmath.isnan(x, dtype=int)  # wrong
clmath.sin(x=x)  # wrong
clmath.sin(np.arange(4))  # wrong
clmath.sin(x + 0j)  # wrong
clmath.fabs(x, rounding="rte")  # wrong
clmath.fma(x, x, x, engine="numpy")  # wrong
clmath.sinus(x)  # wrong
clmath.convert_uchar5(x)  # wrong
clmath.convert(x, "flaot")  # wrong
clmath.convert(x, int)  # wrong
clmath.numeric_limits("float5")  # wrong
clmath.sprintf("%d", None)  # wrong
clmath.sincos(x, out=np.empty_like(x))  # wrong
clmath.flush_to_zero("x")  # wrong
clmath.shuffle(x, x)  # wrong
"""


TYPED = Path(__file__).with_name("typed_program.py")


ALIASES = """
import numpy as np

import clmath
from clmath import convert_uchar4_sat_rte, vload4

convert_uchar4_sat_rte([1.0], out=None)
clmath.vstore_half_rtz(1.0, 0, clmath.vload4(0, [1.0]))
vload4(0)  # wrong
vload4("a", np.zeros(8))  # wrong
clmath.convert_uchar5(1.0)  # wrong
clmath.convert_float(1.0, sat=True)  # wrong
"""


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed: pip install mypy")
def test_stub_types_aliases_and_without_it_any_name_passes(tmp_path):
    """Without the stub, in a clone that was never built, every alias is of type Any."""
    package = Path(clmath.__file__).parent
    shutil.copytree(package, tmp_path / "clmath", ignore=shutil.ignore_patterns("aliases.pyi", "built", "__pycache__"))
    (tmp_path / "script.py").write_text(ALIASES)
    wrong = {n for n, line in enumerate(ALIASES.splitlines(), 1) if line.endswith("# wrong")}
    makers = tmp_path / "clmath" / "functions" / "aliases.py"
    for has_stub in (False, True):
        if has_stub:
            makers.with_suffix(".pyi").write_text(stub(makers.read_text(encoding="utf-8")))
        options = ["--strict", "--follow-imports=silent", "--cache-dir=cache"]
        command = [sys.executable, "-m", "mypy", *options, "script.py"]
        report = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
        found = {int(line.split(":")[1]) for line in report.splitlines() if ": error:" in line}
        assert found == (wrong if has_stub else set()), report


def checked(checker, folder, *options):
    """Return the exit status and output of a type checker for all files of a folder."""
    if not list(importlib.metadata.distributions(name="clmath")) or importlib.util.find_spec(checker) is None:
        pytest.skip(f"clmath itself, or {checker}, is not installed: pip install 'clmath[dev]'")
    files = [file.name for file in folder.glob("*.py")]
    command = [sys.executable, "-m", checker, *options, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.returncode, done.stdout + done.stderr


def test_mypy_accepts_correct_calls_and_refuses_wrong_ones(tmp_path, pytestconfig):
    """The files are a script that computes, and a program of tests whose wrong lines have ``type: ignore``."""
    (tmp_path / "script.py").write_text(SCRIPT)
    shutil.copy(TYPED, tmp_path)
    kept = pytestconfig.rootpath / "build" / "typing"  # mypy's cache of NumPy and clmath, for the next run
    _, report = checked("mypy", tmp_path, "--strict", "--no-pretty", f"--cache-dir={kept}")
    found = {tuple(line.split(":")[:2]) for line in report.splitlines() if ": error:" in line}
    wrong = {("script.py", str(n)) for n, line in enumerate(SCRIPT.splitlines(), 1) if line.endswith("# wrong")}
    assert found == wrong, report


RESULTS = {  # type of the result for a Python float or int, by the decorator in clmath/functions/overloads.py
    "floats": np.float64,
    "pairs": np.float64,
    "singles": np.float32,
    "numbers": np.integer,
    "ints": np.integer,
    "truth": np.integer,
}


def overloaded():
    """Generate functions with overloads: name, kind of results, number of such arguments and of further integers."""
    trees = [
        ast.parse(p.read_text(encoding="utf-8")) for p in (Path(clmath.__file__).parent / "functions").rglob("*.py")
    ]
    nodes = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    decorated = [(node, ast.unparse(node.decorator_list[0])) for node in nodes if node.decorator_list]
    for node, decorator in decorated:
        words = re.fullmatch(
            r"(?!of_)(\w+?)_(?:and_ints_)?of_(one|two|three)(?:_numbers?|_and_int)?(\(\w+\))?", decorator
        )
        if words is not None:
            count = ("one", "two", "three").index(words[2]) + 1
            yield node.name, words[1], count, len(node.args.posonlyargs) - count
    for name in forms.__all__:
        yield name, "singles", len(inspect.signature(getattr(forms, name)).parameters.keys() & {"x", "y"}), 0


def test_overloads_have_the_types_of_results():
    """Numbers give a number and arrays an array, in their format."""
    found, refused = list(overloaded()), set()
    assert len(found) > 150
    for name, kind, count, more in found:
        number = 1 if kind in {"ints", "numbers"} else 1.0
        dtype = np.int32 if type(number) is int else np.float64 if kind == "truth" else np.float32
        vectors = np.full(3, number, dtype)
        for argument, kept in ((number, RESULTS[kind]), (vectors, dtype if dtype is np.float32 else RESULTS[kind])):
            try:
                results = getattr(clmath, name)(*(argument,) * count, *(1,) * more)
            except clmath.ClmathError:
                refused.add(name)
                continue
            first, *others = results if isinstance(results, tuple) else (results,)
            assert isinstance(first, np.ndarray) == (argument is vectors), name
            assert issubclass(first.dtype.type, kept), name
            assert all(other.dtype in (first.dtype, np.int32) for other in others), name
    assert refused == {"cross", "upsample"}  # cross takes vectors, upsample arguments of two types


def test_literal_types_list_the_names_that_images_accept():
    for alias, names in ((ChannelType, TYPES), (ChannelOrder, ORDERS), (Addressing, _ADDRESSING), (Filter, _FILTERS)):
        assert get_args(alias) == (*names,)


@pytest.mark.slow
def test_pyright_accepts_the_program_and_the_examples_of_the_documentation(tmp_path):
    """Examples are in the README, the guides, ``help(clmath.testing)``, and docstrings of assertions and strategies."""
    root = Path(__file__).resolve().parents[2]
    pages = ("README.md", "docs/guide/arrays.md", "docs/guide/testing.md")
    texts = [(root / page).read_text(encoding="utf-8") for page in pages]
    programs = [code for text in texts for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]
    head = "import numpy as np\nimport clmath\nfrom hypothesis import given\n"
    programs = [code if "import clmath" in code else head + code for code in programs]  # not a page's first
    named = [
        (testing, "from clmath.testing import {}\n"),
        (strategies, "from clmath.testing import strategies as cl\n"),
    ]
    for module, imported in named:
        documents = [module.__doc__, *(getattr(module, name).__doc__ for name in module.__all__)]
        parsed = [doctest.DocTestParser().get_examples(text) for text in documents]
        line = imported.format(", ".join(testing.__all__))
        programs += [head + line + "".join(e.source for e in examples) for examples in parsed]
    assert len(programs) > 18
    for number, program in enumerate(programs):
        (tmp_path / f"program_{number}.py").write_text(program)
    shutil.copy(TYPED, tmp_path)
    (tmp_path / "pyrightconfig.json").write_text('{"reportUnnecessaryTypeIgnoreComment": "error"}')  # like mypy
    status, report = checked("pyright", tmp_path, "--pythonpath", sys.executable)
    assert status == 0, report
