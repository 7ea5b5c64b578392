"""The compiled loop that screens results, run with sanitizers: they end the program at undefined behaviour."""

import numpy as np
import pytest

from clmath.audit.screens.one_float import library_texts
from clmath.engines.native import text
from clmath.engines.native.library import LEVELS, machine
from tests.audit.screens.driven import SCREEN_CALLS, ScreenCalls
from tests.audit.screens.screened import ROWS, Enclosed, altered, arguments, reported, requests
from tests.cases import some
from tests.engines.native.watched import watching


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return a function that compiles texts for a level and returns the command that runs the program."""
    return watching(tmp_path_factory)


def texts_of(kernels):
    """Return the texts of the library of screens and of a library of ``kernels``."""
    return text.texts(kernels) | library_texts()


@pytest.mark.slow
@np.errstate(all="ignore")
def test_screening_has_no_undefined_behaviour(loops, program):
    """For correct and for wrong results, the program agrees with ``reported``."""
    library, rows = loops[0][1], [ROWS[names] for names in some(list(ROWS), 8)]
    compiled = list({kernel: None for row in rows for kernel in row if kernel in library.kernels})
    command, x = program(texts_of(compiled), LEVELS[machine()][-1], SCREEN_CALLS), arguments()
    with ScreenCalls(command, compiled) as running:
        for kernels in rows:
            enclosed, rng = Enclosed(library, kernels, x), np.random.default_rng(8)
            for share, asked in zip((0.0, 0.1, 0.5, 1.0), requests(rng), strict=True):
                for elements in (slice(None), slice(0, 512), slice(0, 1), slice(0, 0)):
                    found = [result[elements] for result in altered(rng, enclosed.right(), share)]
                    seen = running.screened(kernels, x[elements], found, asked)
                    part = Enclosed(library, kernels, x[elements])
                    counts, *rest = reported(kernels, part, x[elements], found, asked)
                    assert seen == (counts.tolist(), *rest)


@pytest.mark.slow
def test_out_of_bounds_access_ends_the_program(program, capfd):
    kernels, x = ROWS["exp",], np.ones(600, np.float32)
    texts = texts_of(kernels)
    changed = texts["screens.c"].replace("const void *here = x + first;", "const void *here = x + first + 1;")
    assert changed != texts["screens.c"]
    running = ScreenCalls(program(texts | {"screens.c": changed}, LEVELS[machine()][-1], SCREEN_CALLS), list(kernels))
    asked = next(requests(np.random.default_rng(1)))
    with pytest.raises(AssertionError, match="the program ended: 1"):
        running.screened(kernels, x, [np.exp(x)], asked)
    running.stop()
    assert "heap-buffer-overflow" in capfd.readouterr().err
