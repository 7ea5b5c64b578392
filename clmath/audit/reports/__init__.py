"""Formats for an audit's results in addition to its own JSON: for programs, spreadsheets, browsers."""
