"""The auditor: plan, inputs, subject, measure, judge, tally, report."""

from clmath.numbers import guard

guard.refuse_altered_arithmetic("import clmath.audit")  # what is loaded after this would be misread
