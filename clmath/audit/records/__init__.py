"""Reports as JSON: written case by case, read again, joined and compared with the plan."""
