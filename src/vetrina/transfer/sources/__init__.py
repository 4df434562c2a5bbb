"""Where records come from: a folder or file for each kind of source."""
