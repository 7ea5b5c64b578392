"""The engines that run kernels: plain NumPy, and Numba where it is installed."""
