"""The delivery engine of webhooks: what they are, how they are stored, signed, sent, retried and disabled."""
