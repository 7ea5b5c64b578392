"""Errors of results in the language of elementwise functions, run over arrays by NumPy and on devices."""
