"""`santase compare`: is A better than B? Plays pairs until a sequential test knows."""

from arena.commands.errors import DOES_NOT_HOLD, UNDECIDED, UsageError
from arena.commands.play import PlayOptions, play_pairs
from arena.commands.tally import Tally
from arena.rating import BadHypotheses, Decision, Hypotheses


def run(options: PlayOptions, elo0: float, elo1: float, alpha: float, beta: float) -> int:
    """Plays until it is decided, at most `options.pairs`, and prints the answer.

    Gives 0 where A is better, 1 where it is not, 5 where the pairs did not suffice, or the code of
    Ctrl-C. Raises `UsageError` and `HostUnfit`.
    """
    if options.pairs < 1:
        raise UsageError("--max-pairs takes a whole number from 1 up.")
    try:
        asked = Hypotheses(elo0, elo1, alpha, beta)
    except BadHypotheses as error:
        raise UsageError(f"--elo0, --elo1, --alpha, --beta: {error}.") from error
    tally = Tally(options.bots, options.pairs, options.as_json, asked)
    stopped = play_pairs(options, tally)
    if stopped:
        return stopped
    match tally.decision:
        case Decision.BETTER:
            return 0
        case Decision.NOT_BETTER:
            return DOES_NOT_HOLD
        case Decision.OPEN:
            return UNDECIDED
