"""How many planted faults an audit, ``conformance_test`` and the strategies find, each at its default size."""
