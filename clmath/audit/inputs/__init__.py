"""The inputs that an audit tries: all floats, fixed inputs at which implementations fail, and random ones."""
