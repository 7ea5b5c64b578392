"""The language of elementwise functions: one statement of a rule, and many interpreters.

An elementwise function is Python code on ``+ - * /``, comparisons, bit operations and the primitives of ``lanes``:

>>> from clmath.ir import lanes
>>> def clamped_square(x):
...     x = lanes.mark("clamped", lanes.clamp(x, -1.0, 1.0))
...     return x * x

Called with float64 arrays, the function computes. Called with symbols, it becomes a ``Program``, a straight line of
statements, each of one operation:

>>> import numpy as np
>>> clamped_square(np.array([-3.0, 0.5]))
array([1.  , 0.25])
>>> from clmath.ir.program import Tables
>>> from clmath.ir.trace import trace
>>> program = trace(clamped_square, ["double"], ["double"], Tables())
>>> [statement.operation for statement in program.statements][-1]
'double.mul'

``lanes``: the primitives, as NumPy computes them. ``trace``: from functions to programs. ``program``: statements, and
the names that ``mark`` gives. ``printing``: programs as C, OpenCL C and CUDA C. ``ranges``: programs on intervals.
"""
