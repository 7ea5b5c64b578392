"""Narrow what accurate kernels enclose to 2^-80 or better, computing in pairs throughout: for the lanes those leave."""
