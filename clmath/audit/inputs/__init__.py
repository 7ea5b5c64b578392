"""The inputs that an audit tries: all floats, what is known to hurt, and random ones that go together."""
