"""The public built-ins, one module for each chapter of the specification."""
