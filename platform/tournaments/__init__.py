"""Tournaments: entries, the pump that orders pairings, progress."""
