"""Pairings and their matches: ordered, claimed by a worker, played, booked once."""
