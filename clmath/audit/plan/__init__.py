"""What an audit does: its rows, and the types, inputs and built-ins that are asked for."""
