"""Where records come from: the interface of another site, a folder of JSON."""
