"""The plan of an audit: its cases, and the requested types, inputs and built-ins."""
