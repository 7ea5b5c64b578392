"""Proofs by machine that the bounds of kernels hold, from their traces: ``python -m proofs exp --type double``.

A kernel gives hi, lo and err and claims that hi + lo is within err of the exact value. Its trace, the straight line of
operations that every engine runs, is evaluated here on cells of arguments: every value as a polynomial in the place
within the cell, plus terms for the roundings so far, plus a radius for what is too small to be kept apart. The exact
value is a rigorous Taylor series in the same form, so that the error is a difference of polynomials first and a range
afterwards.

``engine``: the prover; ``families``: what is claimed of each kernel, and how its arguments are cut into cells;
``certificates``: what is written down. The package is no part of the wheel: proofs run in a clone.
"""
