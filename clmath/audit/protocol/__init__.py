"""What an audit asks of a subject, and what it takes from one."""
