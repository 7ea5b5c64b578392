"""What the tests of the exact built-ins share: an oracle that rounds (MPFR), operands that hurt, comparison by bits."""

from dataclasses import dataclass

import gmpy2
import numpy as np
import pytest

from clmath.numbers.formats import FORMATS, Format
from clmath.numbers.rounding import MODES

_ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}


@dataclass(frozen=True)
class Bench:
    """One format and one mode, with everything a test does in them."""

    form: Format
    mode: str

    def context(self):
        """An MPFR context whose every operation rounds once, to this format in this mode."""
        form = self.form
        return gmpy2.context(
            precision=form.precision,
            emax=form.emax + 1,
            emin=form.quantum + 1,
            subnormalize=True,
            round=_ROUND[self.mode],
        )

    def oracle(self, function, *args):
        """``function(context, *mpfr operands)`` lane by lane, as an array of the format."""
        context = self.context()
        with gmpy2.context(precision=2200, emax=5000, emin=-5000):
            operands = [[gmpy2.mpfr(float(x)) if not isinstance(x, np.integer) else int(x) for x in a] for a in args]
        with gmpy2.context(context):
            results = [float(function(context, *lane)) for lane in zip(*operands, strict=True)]
        return np.array(results).astype(self.form.dtype)

    def specials(self):
        """Zeros, subnormals, powers of two and neighbours, overflow edge, infinities, NaN; both signs."""
        form = self.form
        top, unit = form.bits(np.inf), 1 << (form.precision - 1)
        one = form.bits(1.0)
        near = [0, 1, 2, 3, unit - 1, unit, unit + 1, 2 * unit, one - 1, one, one + 1, one + unit, one + unit + 1]
        near += [one + unit // 2, one + 3 * unit // 2, one + 5 * unit // 4, one + unit * (form.precision // 2)]
        near += [top - unit, top - unit - 1, top - 2, top - 1, top, top + unit // 2]
        bits = np.array([int(b) for b in near], form.bits_dtype)
        values = bits.view(form.dtype)
        return np.concatenate([values, -values])

    def patterns(self, count, seed):
        """Uniform bit patterns."""
        width = self.form.bits_dtype
        return np.random.default_rng(seed).integers(0, 2**self.form.width, count, dtype=width).view(self.form.dtype)

    def moderate(self, count, seed, spread=4):
        """Numbers of few exponents around 1, a third of them with few significant bits so that ties occur."""
        rng = np.random.default_rng(seed)
        bits = rng.integers(0, 2 ** (self.form.precision - 1), count)
        bits[::3] &= ~((1 << (self.form.precision // 2)) - 1)
        exponent = rng.integers(-spread, spread + 1, count)
        value = np.ldexp(1.0 + bits * 2.0 ** (1 - self.form.precision), exponent) * rng.choice([-1.0, 1.0], count)
        return value.astype(self.form.dtype)

    def crossed(self, n):
        """All specials crossed with themselves ``n`` times: n arrays."""
        grid = np.meshgrid(*[self.specials()] * n)
        return [g.ravel() for g in grid]

    def operands(self, n, count, seed):
        """``n`` arrays: specials crossed (for n < 3), then bit patterns and moderate numbers."""
        head = self.crossed(n) if n < 3 else [np.empty(0, self.form.dtype)] * n
        parts = [[head[i], self.patterns(count, seed + i), self.moderate(count, seed + 10 + i)] for i in range(n)]
        return [np.concatenate(p) for p in parts]

    def same(self, got, want, *args):
        """Assert equal bits; any NaN equals any NaN."""
        assert got.dtype == want.dtype
        form = self.form
        view = got.dtype if got.dtype.kind == "i" else form.bits_dtype
        wrong = (got.view(view) != want.view(view)) & ~((got != got) & (want != want))
        if wrong.any():
            i = int(np.flatnonzero(wrong)[0])
            shown = ", ".join(float(a[i]).hex() if a.dtype.kind == "f" else str(a[i]) for a in args)
            pytest.fail(
                f"{int(wrong.sum())} of {wrong.size} wrong, {form} {self.mode}, first at ({shown}):"
                f" got {float(got[i]).hex()}, want {float(want[i]).hex()}"
            )


@pytest.fixture(params=[(f, m) for f in FORMATS for m in MODES], ids=lambda p: f"{p[0]}-{p[1]}")
def bench(request):
    """Every format in every mode."""
    with np.errstate(all="ignore"):
        yield Bench(*request.param)


@pytest.fixture(params=FORMATS, ids=str)
def plain(request):
    """Every format, for built-ins that never round."""
    with np.errstate(all="ignore"):
        yield Bench(request.param, "rte")
