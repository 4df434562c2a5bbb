"""Every table and index of a site, one file per subject; all of them share one MetaData."""
