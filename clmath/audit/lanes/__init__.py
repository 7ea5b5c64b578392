"""How results are judged in lane arithmetic: one law, run over arrays by NumPy and on devices."""
