"""Subjects in processes of their own, made by the names that the command line takes."""
