"""Records of every type, their terms, comments, menus and revisions, and the rendering of their texts."""
