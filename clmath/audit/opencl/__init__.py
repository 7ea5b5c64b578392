"""OpenCL devices as targets: kernels, drivers and launches."""
