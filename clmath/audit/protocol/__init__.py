"""The interface between an audit and its subjects: what a subject offers, and how results come back."""
