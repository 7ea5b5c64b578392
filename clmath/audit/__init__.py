"""Audits of devices and libraries, in rooms: CONTRIBUTING.md says how an audit goes through them."""

from clmath.numbers import guard

guard.refuse_altered_arithmetic("import clmath.audit")  # what is loaded after this would be misread
