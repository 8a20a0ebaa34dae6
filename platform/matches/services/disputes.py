"""An author disputes the result of a match of his bot."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from matches.errors import DisputedAlready, NotDisputable, TooManyDisputes
from matches.models import Dispute, Match, MatchStatus, Pairing
from matches.services.reasons import checked_reason

MOST_A_DAY = 5
"""Disputes of one author within 24 hours."""


def may_dispute(match: Match, user: User) -> bool:
    """Whether the match is played and counts, and one of its bots is the user's."""
    return match.status == MatchStatus.FINISHED and user.pk in owners_of(match)


def owners_of(match: Match) -> set[int]:
    """Whose bots play it, by number of the user."""
    return {match.seat0.bot.owner_id, match.seat1.bot.owner_id}


def dispute(match: Match, author: User, reason: str) -> Dispute:
    """Files a dispute, once a match while it is open.

    Raises `NotDisputable`, `BadReason`, `TooManyDisputes` or `DisputedAlready`.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        Pairing.objects.select_for_update().get(pk=match.pairing_id)  # no ruling in between
        match = Match.objects.select_related("seat0__bot", "seat1__bot").get(pk=match.pk)
        if not may_dispute(match, author):
            raise NotDisputable(f"{match.public_id} is not played, or not by a bot of {author}")
        User.objects.select_for_update().get(pk=author.pk)  # counts one at a time
        recent = Dispute.objects.filter(
            author=author, made_at__gt=timezone.now() - timedelta(days=1)
        )
        if recent.count() >= MOST_A_DAY:
            raise TooManyDisputes(f"{MOST_A_DAY} disputes a day are allowed: try again tomorrow")
        try:
            with transaction.atomic():
                return Dispute.objects.create(match=match, author=author, reason=reason)
        except IntegrityError as error:
            raise DisputedAlready(f"{match.public_id} is disputed already") from error
