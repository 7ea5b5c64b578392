"""The plan of an audit: its rows, and the requested types, inputs and built-ins."""
