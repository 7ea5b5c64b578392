"""What can be audited: arrays, C libraries, Python functions and clmath itself."""
