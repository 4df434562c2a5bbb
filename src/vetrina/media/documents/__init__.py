"""Documents: metadata of PDF files."""
