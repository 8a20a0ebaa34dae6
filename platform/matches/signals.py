"""What matches announce; always after commit."""

from django.dispatch import Signal

pairing_over = Signal()
"""A pairing is finished or parked; with `pairing_id` and `tournament_id`."""
