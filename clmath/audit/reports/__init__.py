"""The files that an audit can be written to, beside its own JSON: for programs, spreadsheets, browsers."""
