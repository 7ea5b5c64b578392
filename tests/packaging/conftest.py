"""Exclude the file that is only for type checkers: importing it would make the calls that they must refuse."""

collect_ignore = ["typed_program.py"]
