"""Audited functions that return results of a wrong kind, raise, crash or end their process."""

import platform
import textwrap
from pathlib import Path

import numpy as np
import pytest

from clmath.audit.isolation.isolated import Isolated
from clmath.audit.isolation.process import Process
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import TargetError
from clmath.audit.running.run import audit
from clmath.audit.targets.function import Function, load
from clmath.errors import ClmathError
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

LAB = """
    import ctypes
    import os
    import numpy as np
    import clmath

    def leaves(name, *args):
        os._exit(0)

    def stays(name, *args):
        return getattr(clmath, name)(*args)

    def crashes(name, x):
        if (x == 7).any():
            ctypes.string_at(0)
        return getattr(clmath, name)(x)

    def raises(name, x):
        if (x == 7).any():
            raise ValueError("seven")
        return getattr(clmath, name)(x)

    def listed(name, x):
        return np.asarray([np.floor(v) for v in x], "float32")

    @np.vectorize
    def single(x):
        return np.floor(x)

    def lifted(name, x):
        return single(x).astype("float32")
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "faulty_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return "faulty_lab"


X = np.array([-1.5, 0.5, 2.25], np.float32)
RIGHT = np.floor(X)
NEEDED = "a NumPy array is needed: "
ASARRAY = "wrap it in np.asarray(..., 'float32')"
VECTORIZE = "lift a function of single numbers with np.vectorize"


class Table:
    """Object that NumPy can convert to an array."""

    def __array__(self, dtype=None, copy=None):
        return np.asarray(RIGHT, dtype)


WRONG = [
    (RIGHT.tolist(), f"returned a list of 3 values; {NEEDED}{ASARRAY}"),
    (tuple(RIGHT.tolist()), f"returned a tuple of 3 values; {NEEDED}{ASARRAY}"),
    ([], f"returned a list of 0 values|returned a list of 0 arrays; {NEEDED}{ASARRAY}"),
    ([RIGHT.tolist()], f"returned list for result; {NEEDED}{ASARRAY}"),
    ((RIGHT, RIGHT), "returned a tuple of 2 arrays; one NumPy array is needed: return result alone"),
    (None, f"returned None for result; {NEEDED}has the function a 'return'?"),
    (1.5, f"returned float for result; {NEEDED}{VECTORIZE}"),
    ({"x": RIGHT}, f"returned dict for result; {NEEDED}return one"),
    ("three", f"returned str for result; {NEEDED}return one"),
    (Table(), f"returned Table for result; {NEEDED}{ASARRAY}"),
    (np.float32(1), f"returned shape () for result; (3,) is needed, one component per input: {VECTORIZE}"),
    (np.array(1, np.float32), f"returned shape () for result; (3,) is needed, one component per input: {VECTORIZE}"),
    (RIGHT[:, None], "returned shape (3, 1) for result; (3,) is needed, one component per input: reshape it so"),
    (RIGHT[:2], "returned shape (2,) for result; (3,) is needed, one component per input"),
    (RIGHT.astype(float), "returned dtype float64 for result; float32 is needed: end with .astype('float32')"),
    (RIGHT.astype(object), "returned dtype object for result; float32 is needed: end with .astype('float32')"),
    (RIGHT.astype(int), "returned dtype int64 for result; float32 is needed: end with .astype('float32')"),
    (RIGHT.astype(complex), "returned dtype complex128 for result; float32 is needed"),
    (np.ma.masked_less(RIGHT, 0), "returned masked values for result; a result for every input is needed: fill them"),
]


def of(returned, name="floor"):
    return Function(lambda _, *_args: returned, "lab:f").evaluate(builtin(name), FLOAT, (X,))


@for_each("returned, fact", WRONG)
def test_result_of_a_wrong_kind_is_reported_with_a_remedy(returned, fact):
    with pytest.raises(TargetError) as caught:
        of(returned)
    assert any(str(caught.value).startswith(f"lab:f: floor(float) {one}") for one in fact.split("|"))


@for_each(
    "returned, shown",
    [
        (RIGHT, "ndarray alone"),
        (None, "None"),
        ((RIGHT,) * 3, "a tuple of 3 arrays"),
        ({"a": 1}, "dict alone"),
        (np.stack([RIGHT, RIGHT]), "ndarray alone"),
    ],
)
def test_message_names_all_of_several_results(returned, shown):
    with pytest.raises(TargetError) as caught:
        of(returned, "fract")
    names = ", ".join(p.name for p in builtin("fract").outputs)
    assert str(caught.value) == (
        f"lab:f: fract(float) returned {shown}; a tuple of 2 NumPy arrays is needed: return {names}"
    )


@for_each(
    "returned",
    [
        RIGHT,
        (RIGHT,),
        [RIGHT],
        RIGHT.astype(">f4"),
        np.repeat(RIGHT, 2)[::2],
        np.ma.masked_less(RIGHT, -99),
        RIGHT.data.obj,
    ],
)
def test_result_with_any_memory_layout_is_accepted(returned):
    (found,) = of(returned)
    assert found.dtype == np.dtype("=f4")
    assert found.tobytes() == RIGHT.tobytes()


def test_result_that_is_a_view_of_an_argument_is_copied():
    (found,) = Function(lambda _, x: x[:], "lab:f").evaluate(builtin("floor"), FLOAT, (RIGHT,))
    assert found.tobytes() == RIGHT.tobytes()
    assert not np.shares_memory(found, RIGHT)


@pytest.mark.parametrize("name", ["listed", "lifted"])
def test_remedy_makes_the_target_conform(clm, lab, name):
    words = ["--functions", "floor", "--types", "float", "--inputs", "16", "--jobs", "1"]
    assert clm("audit", f"{lab}:{name}", *words)[0] == 0


def test_error_names_any_exception_of_a_target():
    class Panic(BaseException):
        pass

    def panics(*_):
        raise Panic("the device")

    with pytest.raises(TargetError, match="raised Panic: the device"):
        Function(panics, "panics").evaluate(builtin("sin"), FLOAT, (np.zeros(2, np.float32),))
    assert issubclass(TargetError, ClmathError)


def test_exception_without_a_message_is_reported_by_its_type():
    class MuteError(Exception):
        def __str__(self):
            raise OSError

    assert message_of(MuteError()) == "MuteError: no message: its __str__ raised OSError"


@pytest.mark.parametrize("name, status, words", [("leaves", 2, "could not be judged"), ("stays", 0, "conforms")])
def test_target_that_exits_does_not_set_the_exit_status_of_the_audit(clm, lab, name, status, words):
    found, out, err = clm(
        "audit", f"{lab}:{name}", "--functions", "fabs", "--types", "float", "--inputs", "8", "--jobs", "1"
    )
    assert (found, err) == (status, "")
    assert out.splitlines()[-1].endswith(f": {words}")
    assert ("ended its process with exit status 0; with x = " in out) is (name == "leaves")


NAMES = ["floor", "ceil", "trunc", "rint", "fabs"]
AT_SEVEN = "; with x = 0x1.cp+2 [0x40e00000]"


@pytest.fixture
def started(monkeypatch):
    """List with an item for every started process."""
    found, make = [], Process.__init__
    monkeypatch.setattr(
        Process,
        "__init__",
        lambda self, *given, **words: found.append(1) or make(self, *given, **words),
    )
    return found


def judged(target, names):
    return list(audit(Plan.of(names, ["float"], inputs=64, local_search=False, jobs=1), target))


@pytest.mark.slow
def test_crashing_input_is_not_searched_for_after_two_crashes_of_a_width(lab, started):
    counts = []
    with Isolated(f"{lab}:crashes") as target:
        verdicts = []
        for name in NAMES:
            before = len(started)
            verdicts += judged(target, [name])
            counts.append(len(started) - before)
    reasons = [verdict.reason for verdict in verdicts]
    assert all("died of signal 11" in reason for reason in reasons)
    assert all(reason.endswith(AT_SEVEN) for reason in reasons[:2])
    not_searched = (
        "; the input that does it was not searched for, as 2 cases of the math chapter on scalars died before"
    )
    assert all(reason.endswith(not_searched) for reason in reasons[2:])
    assert max(counts[2:]) <= 1 < min(counts[:2])


@pytest.mark.slow
def test_resumed_audit_gives_the_same_verdicts(lab):
    with Isolated(f"{lab}:crashes") as target:
        whole = judged(target, NAMES)
    with Isolated(f"{lab}:crashes") as target:
        target.recall(whole[:2])
        assert judged(target, NAMES[2:]) == whole[2:]


def test_raising_input_is_searched_for_in_one_process(lab, started):
    with Isolated(f"{lab}:raises") as target:
        assert all(verdict.reason.endswith(f"raised ValueError: seven{AT_SEVEN}") for verdict in judged(target, NAMES))
    assert len(started) == 1


def test_function_named_like_a_built_in_is_called_without_a_name():
    target = load("numpy:sin")
    assert not target.defines(builtin("cos"), FLOAT)
    x = np.array([0.5, 2.0], np.float32)
    (result,) = target.evaluate(builtin("sin"), FLOAT, (x,))
    np.testing.assert_array_equal(result, np.sin(x))


@pytest.mark.usefixtures("lab")
def test_function_with_a_parameter_called_name_gets_the_name():
    Path("faulty_sine.py").write_text("def sin(name, x): return x if name == 'sin' else -x", encoding="utf-8")
    target, x = load("faulty_sine:sin"), np.ones(1, np.float32)
    assert target.evaluate(builtin("cos"), FLOAT, (x,)) == (-1.0,)
    assert target.evaluate(builtin("sin"), FLOAT, (x,)) == (1.0,)


def test_type_error_of_a_target_shows_how_it_is_called():
    with pytest.raises(TargetError, match=r"called with the name of the built-in: arcsin\('asin', x\)"):
        load("numpy:arcsin").evaluate(builtin("asin"), FLOAT, (np.ones(1, np.float32),))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="sets bits of x86-64")
@pytest.mark.usefixtures("lab")
def test_module_whose_import_sets_flushing_is_judged_as_flushing():
    text = """
    import ctypes
    import numpy as np

    C = ctypes.CDLL(None)
    state = (ctypes.c_uint32 * 8)()
    C.fegetenv(state)
    state[7] |= 0x8040
    C.fesetenv(state)

    def run(name, x):
        return np.sqrt(x)
    """
    Path("flushing_lab.py").write_text(textwrap.dedent(text), encoding="utf-8")
    plan = Plan.of(["sqrt"], ["half", "float", "double"], inputs=200, jobs=1)
    verdicts = {v.item.form.name: v for v in audit(plan, load("flushing_lab:run"))}
    assert {name: v.status for name, v in verdicts.items()} == {"half": "pass", "float": "pass", "double": "fail"}
    assert verdicts["float"].tally.flushed > 0
    assert np.float32(2.0**-140) * np.float32(0.5) != 0.0


def test_target_that_writes_into_its_arguments_is_not_judged():
    def doubled(name, x):  # noqa: ARG001
        result = np.sqrt(x)
        x *= 2
        return result

    (verdict,) = audit(Plan.of(["sqrt"], ["float"], inputs=200, jobs=1), Function(doubled, "doubled"))
    assert verdict.status == "not judged"
    assert "wrote into its argument x" in verdict.reason
