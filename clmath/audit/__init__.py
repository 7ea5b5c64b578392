"""Audits of devices and libraries; docs/guide/audit-code.md describes the packages and the flow of an audit."""

from clmath.numbers import guard

guard.refuse_altered_arithmetic("import clmath.audit")  # everything loaded after this would be misread
