"""Uploaded files: attachments, images, audio and video, documents, embeds."""
