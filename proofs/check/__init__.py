"""A checker of lemmas that is independent of the prover: other arithmetic, other rules, shorter cells.

``share(traced, statement, ends, case)`` returns the largest error in a statement's claims, relative to the claimed
bounds, on a cell of the subinterval; ``Undecided`` is raised where the cell is too long. The lemma is right there if
the share is at most 1. Tests sample subintervals and cells of every lemma.

From the prover nothing is imported. Both read only data: the program that a kernel is traced to, and ``Statement``
values (``proofs.terms``). Where the prover has Taylor models of Arb's balls, there are integers here: a value is a
polynomial in the place in the cell, plus named errors, plus a rest, in units of 2^-448. Where the prover asks Arb for
exact functions, series are summed here. Which operations do not round follows here from a few rules for bits and for
multiples of powers of two, and from three patterns of operations.

- ``forms``: values on a cell, and doubles. ``encodings``: integers, and the bits of doubles.
- ``functions``: exponentials, logarithms, angles, error functions and gamma of forms.
- ``patterns``: sums without error in a program, and when two values are the same.
- ``evaluation``: the values of a program on a cell, operation by operation.
- ``statements``: properties, terms and claims of a lemma.
- ``kernels``: entire kernels on very short cells, without a lemma between argument and result.

A check is not a proof: it covers a few cells, exponents, and values of numbers that are only bounded.
"""

from proofs.check.forms import Undecided
from proofs.check.patterns import Traced
from proofs.check.statements import Case, share

__all__ = ["Case", "Traced", "Undecided", "share"]
