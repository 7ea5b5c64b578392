"""Lemmas of the fast kernels (``clmath.kernels.fast``): one double and a bound, for float and half.

``LEMMAS`` of each module: by the name of a kernel, a function that takes the name and returns the lemmas. Lemmas of one
kernel have different names.
"""
