"""Targets in processes of their own, made from their names on the command line."""
