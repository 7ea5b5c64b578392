"""What an audit counts: tallies of results, and how these are spread about the correctly rounded ones."""
