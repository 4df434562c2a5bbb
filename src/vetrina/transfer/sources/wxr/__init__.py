"""Export files (WXR, versions 1.0 to 1.2) as a source: read in one pass for what is where, then part by part."""
