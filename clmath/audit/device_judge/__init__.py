"""Judges a device's results where they are: only what fails, leads or cannot be decided there comes to the host."""
