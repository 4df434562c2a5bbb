"""A site as an export file (WXR 1.2), as its importers read it; read again by transfer/sources/wxr."""
