"""The XML configuration: which types, fields, blocks and shortcodes are translated."""
