"""Reports as JSON: written row by row, read again, joined and compared with the plan."""
