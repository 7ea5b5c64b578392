"""The files that an audit can be written to, besides its own JSON: for programs, spreadsheets, browsers."""
