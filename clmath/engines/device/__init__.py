"""Kernels on a device: traced into a small program, printed as OpenCL C or CUDA C, calibrated and run."""
