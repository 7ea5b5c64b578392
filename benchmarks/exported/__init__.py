"""Long tests of exported libraries: every float on the processor, and millions of calls on a GPU."""
