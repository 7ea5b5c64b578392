"""The interface between an audit and its subjects."""
