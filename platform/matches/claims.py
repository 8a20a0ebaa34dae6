"""What a replay says of its match, held against the match's row."""

from collections.abc import Iterator

import msgspec

from arena.rating import Result
from matches.luck import luck_in_replay
from matches.models import Match
from replays.errors import ReplayDamaged
from replays.reader import Replay


def differences(match: Match, replay: Replay) -> Iterator[str]:
    """Where the two part ways, a line of text each."""
    try:
        for what, file, row in claims(match, replay):
            if file != row:
                yield f"{match}: {what} is {file} in its replay, {row} in the database"
    except ReplayDamaged as error:
        yield f"{match}: {error}"


def claims(match: Match, replay: Replay) -> Iterator[tuple[str, object, object]]:
    """What, as the replay has it, as the row has it (with its pairing and its versions). Raises
    `ReplayDamaged`, at the last of them.

    Luck is compared to the last bit, where the row has any: null says that it is not known.
    """
    header, end = replay.header, replay.end
    pairing, seats = match.pairing, (match.seat0, match.seat1)
    yield "the match", header.match, match.public_id
    yield "the tournament", header.tournament, match.tournament_id
    yield "the pair", (header.pair, header.game_of_pair), (match.pair, match.game)
    yield "the seed", header.seed, match.seed
    yield "the bots", tuple(bot.id for bot in header.bots), (match.seat0_id, match.seat1_id)
    uploads = tuple((bot.version, bot.sha256) for bot in header.bots)
    yield "the bots' files", uploads, tuple((one.number, one.sha256) for one in seats)
    yield "the rules", header.ruleset, pairing.ruleset
    yield "the limits", msgspec.to_builtins(header.limits), pairing.limits
    yield "the commitment", header.commitment, pairing.commitment
    yield "the winner", end.winner, match.winner
    yield "the score", end.score, (match.score0, match.score1)
    yield "the reason", end.reason, match.reason
    yield "the number of deals", len(replay.deals), match.deals
    yield "the faults", faults_of(replay), (match.fault0, match.fault1)
    if match.luck is not None:
        yield "the luck", luck_in_replay(replay), match.luck


def faults_of(replay: Replay) -> tuple[str, str]:
    """The name of each seat's fault, or ""."""
    faults = {fault.seat: fault.name.value for fault in replay.end.faults}
    return faults.get(0, ""), faults.get(1, "")


def result_of(match: Match, replay: Replay) -> Result:
    """The result by the replay; the host's voids, which no replay shows, by the row."""
    header, end = replay.header, replay.end
    return Result(
        header.pair, header.game_of_pair, end.winner, *end.score, *faults_of(replay), match.voids
    )
