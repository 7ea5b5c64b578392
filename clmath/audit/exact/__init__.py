"""Rows whose every result is prescribed: conversions, integers, comparisons, loads, stores, macros, images."""
