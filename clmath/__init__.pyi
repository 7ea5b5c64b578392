# What type checkers and editors see: __init__.py hands on these names when the first one is asked for.

from clmath.public import *

__version__: str
