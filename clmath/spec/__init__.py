"""The tables of the specification as immutable values."""
