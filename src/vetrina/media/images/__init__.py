"""Images: sub-sizes, edits, memory for decoding, and markup."""
