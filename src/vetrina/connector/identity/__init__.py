"""Identity crisis: the site has another URL than the service knows."""
