"""The prover.

``models``: values on a cell; ``execution``: the operations of a trace on them; ``exactness``: which roundings are
exact; ``ideals``: exact functions; ``traced``: the trace; ``proof``: cells and claims.
"""
