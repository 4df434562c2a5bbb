"""Audio and video: metadata from file headers."""
