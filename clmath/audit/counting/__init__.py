"""What an audit counts of results: tallies, and how they are spread about the correctly rounded ones."""
