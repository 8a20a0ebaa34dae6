"""Moves in the words of a player."""

from typing import assert_never

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from arena.santase import Card, Move, MoveKind
from web.words.cards import card_sign, suit_name


def move_sentence(
    player: SafeString, move: Move, *, leads: bool, value: int = 20, taken: Card | None = None
) -> SafeString:
    """What a player does, e.g. "Ada leads K♥".

    `leads` tells a lead from a reply, `value` is that of a meld (20 or 40), `taken` the card that
    an exchange brings.
    """
    match move.kind:
        case MoveKind.PLAY:
            assert move.card is not None
            text = gettext("{player} leads {card}") if leads else gettext("{player} plays {card}")
            return format_html(text, player=player, card=card_sign(move.card))
        case MoveKind.MELD:
            assert move.suit is not None
            text = gettext("{player} announces {value} in {suit}")
            return format_html(text, player=player, value=value, suit=suit_name(move.suit))
        case MoveKind.EXCHANGE:
            card = "" if taken is None else card_sign(taken)
            text = gettext("{player} exchanges the nine of trumps for {card}")
            return format_html(text, player=player, card=card)
        case MoveKind.CLOSE:
            return format_html(gettext("{player} closes the talon"), player=player)
        case MoveKind.CLAIM:
            return format_html(gettext("{player} claims 66"), player=player)
        case unknown:
            assert_never(unknown)
