"""The pages of the site that follow from tables, docstrings and reports; mkdocs.yml names the others."""
