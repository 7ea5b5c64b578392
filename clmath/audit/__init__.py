"""The auditor: plan, inputs, subject, measure, judge, tally, report."""
