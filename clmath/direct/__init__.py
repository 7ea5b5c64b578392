"""Built-ins whose results need no kernel, in plain NumPy: integers, tests, conversions, images, sums and text."""
