"""Languages: their names, and how a site translates."""
