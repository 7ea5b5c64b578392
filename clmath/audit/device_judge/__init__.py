"""Judges a device's results where they are: only failures, worst inputs and undecided results come to the host."""
