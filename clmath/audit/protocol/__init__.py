"""The interface between an audit and its targets: their abilities, and the form of their results."""
