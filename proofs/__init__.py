"""Proofs by machine that the error bounds of kernels hold: ``python -m proofs exp --type double``.

A kernel returns hi, lo and err and claims that hi + lo is within err of the exact value. The trace of a kernel, the
straight line of operations that every engine runs, is evaluated on cells of arguments: every value is a polynomial in
the place within the cell, plus terms for the rounding errors so far, plus a radius for small errors that are not kept
apart. The exact value is a rigorous Taylor series in the same form, so that the error is a difference of polynomials
first and a range afterwards.

``engine``: the prover. ``check``: a checker that shares no code with it. ``lemmas``: a lemma as a value, assumptions
and claims by the names that kernels mark. ``terms``: the statements of lemmas as plain data. ``fast``, ``accurate`` and
``narrowing``: the lemmas of each kernel, in files with the kernels' names. ``registry``: the proofs by kernel.
``certificates``: the results on record. The package is not part of the wheel: proofs run in a clone.
"""
