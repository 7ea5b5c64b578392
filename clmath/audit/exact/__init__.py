"""Rows whose results are prescribed one by one: conversions, integers, comparisons, loads, stores, macros, images."""
