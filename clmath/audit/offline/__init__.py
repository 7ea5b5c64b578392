"""Audits of devices that clmath cannot reach: a folder of inputs goes there, results come back into it."""
