"""What matches announce; always after commit."""

from django.dispatch import Signal

match_booked = Signal()
"""A match was booked; with `match_id` and `tournament_id`."""

pairing_over = Signal()
"""A pairing is finished, parked or cancelled; with `pairing_id` and `tournament_id`."""
