"""Exported libraries tried at length: every float on the processor, and millions of calls on a GPU."""
