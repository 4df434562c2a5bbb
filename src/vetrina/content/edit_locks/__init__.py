"""Who is editing a record in a window of the administration, so that no two people write into one unawares."""
