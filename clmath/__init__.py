"""The numerics of OpenCL C in NumPy, correctly rounded in every mode."""

__version__ = "0.1.0"
