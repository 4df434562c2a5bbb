"""oEmbed in both directions: the site's records elsewhere, and other sites' pages here."""
