"""How results are judged by exact values, one by one, in the words of the specification."""
