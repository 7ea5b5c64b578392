"""Detection rates of injected faults: audit, ``conformance_test`` and the strategies, each at its default size."""
