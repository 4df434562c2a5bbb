"""The target of an import: records are written into a site by the rules of its modules."""
