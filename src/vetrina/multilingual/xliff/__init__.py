"""XLIFF files of jobs, written and read."""
