"""The public built-ins, one room a chapter of the specification."""
