"""The language of elementwise functions: one statement of a rule, and many interpreters.

An elementwise function is Python code on ``+ - * /``, comparisons, bit operations and the primitives of ``primitives``:

    def scaled(x, n):
        x = mark("clamped", clamp(x, -1.0, 1.0))
        return x * two_to(n)

Called with float64 arrays, a function computes. Called with symbols, it becomes a ``Program``, a straight line of
statements, each of one operation:

>>> import numpy as np
>>> from clmath.ir.primitives import fast_two_sum
>>> fast_two_sum(np.array([1.0]), np.array([2.0**-60]))
(array([1.]), array([8.67361738e-19]))
>>> from clmath.ir.program import Tables
>>> from clmath.ir.trace import trace
>>> program = trace(fast_two_sum, ["double", "double"], ["double", "double"], Tables())
>>> [statement.operation for statement in program.statements]
['double.add', 'double.sub', 'double.add']

``values``: the types of arrays and symbols. ``primitives``: the primitives, as NumPy computes them. ``trace``: from
functions to programs. ``program``: statements, and the names that ``mark`` gives. ``printing``: programs as C, OpenCL C
and CUDA C. ``ranges``: programs on intervals. ``simplifying``: shorter programs, and programs for usual elements.
"""
