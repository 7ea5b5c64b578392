"""A subject that returned a list was told of '7845 values': what is wrong with a result, and what helps, is said."""

import textwrap

import numpy as np
import pytest

from clmath.audit.protocol.subject import SubjectError
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

X = np.array([-1.5, 0.5, 2.25], np.float32)
RIGHT = np.floor(X)
NEEDED = "a NumPy array is needed: "
ASARRAY = "wrap it in np.asarray(..., 'float32')"
VECTORIZE = "lift a function of single numbers with np.vectorize"


class Table:
    """Something that NumPy can make an array of."""

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
    (np.float32(1), f"returned shape () for result; (3,) is needed, one lane per input: {VECTORIZE}"),
    (np.array(1, np.float32), f"returned shape () for result; (3,) is needed, one lane per input: {VECTORIZE}"),
    (RIGHT[:, None], "returned shape (3, 1) for result; (3,) is needed, one lane per input: reshape it so"),
    (RIGHT[:2], "returned shape (2,) for result; (3,) is needed, one lane per input"),
    (RIGHT.astype(float), "returned dtype float64 for result; float32 is needed: end with .astype('float32')"),
    (RIGHT.astype(object), "returned dtype object for result; float32 is needed: end with .astype('float32')"),
    (RIGHT.astype(int), "returned dtype int64 for result; float32 is needed: end with .astype('float32')"),
    (RIGHT.astype(complex), "returned dtype complex128 for result; float32 is needed"),
    (np.ma.masked_less(RIGHT, 0), "returned masked values for result; a result for every input is needed: fill them"),
]


def of(returned, name="floor"):
    return Function(lambda _, *_args: returned, "lab:f").evaluate(builtin(name), FLOAT, (X,))


@for_each("returned, fact", WRONG)
def test_what_is_wrong_is_said_with_what_helps(returned, fact):
    with pytest.raises(SubjectError) as caught:
        of(returned)
    assert any(str(caught.value).startswith(f"lab:f: floor(float) {one}") for one in fact.split("|"))


@pytest.mark.parametrize(
    "returned, told",
    [
        (RIGHT, "ndarray alone"),
        (None, "None"),
        ((RIGHT,) * 3, "a tuple of 3 arrays"),
        ({"a": 1}, "dict alone"),
        (np.stack([RIGHT, RIGHT]), "ndarray alone"),
    ],
)
def test_of_several_results_all_are_named(returned, told):
    with pytest.raises(SubjectError) as caught:
        of(returned, "fract")
    names = ", ".join(p.name for p in builtin("fract").outputs)
    assert str(caught.value) == (
        f"lab:f: fract(float) returned {told}; a tuple of 2 NumPy arrays is needed: return {names}"
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
def test_what_is_a_result_is_one(returned):
    (found,) = of(returned)
    assert found.dtype == np.dtype("=f4")
    assert found.tobytes() == RIGHT.tobytes()


def test_a_view_of_an_argument_is_a_result_and_no_argument_is_changed():
    def through(_, x):
        x[...] = np.floor(x)
        return x[:]

    before = X.copy()
    (found,) = Function(through, "lab:f").evaluate(builtin("floor"), FLOAT, (X,))
    assert (found.tobytes(), X.tobytes()) == (RIGHT.tobytes(), before.tobytes())


REMEDIES = """
    import numpy as np

    def listed(name, x):
        return np.asarray([np.floor(v) for v in x], "float32")

    @np.vectorize
    def single(x):
        return np.floor(x)

    def lifted(name, x):
        return single(x).astype("float32")

"""


@pytest.mark.parametrize("name", ["listed", "lifted"])
def test_the_remedies_help(clm, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "remedied_lab.py").write_text(textwrap.dedent(REMEDIES))
    words = ["--functions", "floor", "--types", "float", "--inputs", "16", "--jobs", "1"]
    assert clm("audit", f"remedied_lab:{name}", *words)[0] == 0
