"""Of this folder one file is for type checkers alone: to import it is to make the calls that they must refuse."""

collect_ignore = ["typed_program.py"]
