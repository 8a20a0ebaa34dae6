"""Standings of tournaments, refit from the booked results."""
