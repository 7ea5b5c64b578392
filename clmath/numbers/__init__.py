"""Numbers: formats, the enclosure of an exact value, rounding, and the arithmetic that loses nothing."""

from clmath.numbers import guard

guard.refuse_altered_arithmetic("import clmath")  # the imports below would read wrong numbers
