"""Writes to pairings and matches: orders (before play), leases (who plays), booking (results)."""
