"""OpenCL devices as subjects: kernels, drivers and launches."""
