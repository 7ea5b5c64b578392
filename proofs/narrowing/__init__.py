"""Lemmas of the functions that narrow the enclosures of accurate kernels."""
