"""Numbers: formats, the enclosure of an exact value, rounding, and the arithmetic that loses nothing."""
