"""`santase recount`: a tournament's archive, proven and counted again offline."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from arena.archive import NotAnArchive, Recounted, recount
from arena.commands.errors import DOES_NOT_HOLD, KEY_UNKNOWN, UsageError
from arena.commands.known_keys import named_keys
from arena.rating import in_words

_SHOWN = 200
"""Differences that are printed for people; with --json all are."""
_TICK = 25


def run(archive: Path, key: str | None, as_json: bool) -> int:
    """Prints the standings and every difference; gives the exit code. Raises `UsageError`."""
    known = None if key is None else named_keys(key)
    try:
        found = recount(archive, known, _tick if sys.stderr.isatty() else lambda done, of: None)
    except NotAnArchive as error:
        raise UsageError(str(error)) from error
    if as_json:
        _print_json(found)
    else:
        _print(found, named=known is not None)
    if found.differences:
        return DOES_NOT_HOLD
    return 0 if found.key_known else KEY_UNKNOWN


def _tick(done: int, of: int) -> None:
    if done % _TICK == 0:
        print(f"\r{done:,} of {of:,} replays", end="\r", file=sys.stderr, flush=True)


def _print_json(found: Recounted) -> None:
    names = _names(found)
    for line in found.standings:
        print(json.dumps({"bot": names[line.version], **asdict(line)}, ensure_ascii=False))
    for difference in found.differences:
        print(json.dumps({"difference": asdict(difference)}, ensure_ascii=False))
    summary = {
        "summary": True,
        "tournament": _plain(found.header.tournament.name),
        "matches": found.matches,
        "proven": found.proven,
        "left_out": found.header.left_out,
        "struck": found.header.struck,
        "secrets": len(found.header.secrets),
        "commitments": len(found.header.commitments),
        **_trial_fields(found),
        "key": found.key,
        "key_known": found.key_known,
        "differences": len(found.differences),
    }
    print(json.dumps(summary, ensure_ascii=False))


def _print(found: Recounted, *, named: bool) -> None:
    header, names = found.header, _names(found)
    print(
        f"{_plain(header.tournament.name)}: {found.matches:,} matches, "
        f"made {_plain(header.made_at)}"
    )
    print(f"{'rank':>9}  {'rating':>6}  {'±':>4}  {'2–0':>6} {'1–1':>6} {'0–2':>6}  {'points':>13}")
    for line in found.standings:
        low, high = line.rank_low, line.rank_high
        rank = str(low) if low == high else f"{low}–{high}"
        print(
            f"{rank:>9}  {line.elo:6.0f}  {line.error:4.0f}  "
            f"{line.pairs_won:6} {line.pairs_split:6} {line.pairs_lost:6}  "
            f"{line.points_for:>6}:{line.points_against:<6}  {names[line.version]}"
        )
    _print_trial(found)
    missing = len(header.commitments) - len(header.secrets)
    if not header.secrets:
        print("The secret is not published yet, so where the cards came from is not proven.")
    elif missing > 0:
        print(
            f"{len(header.secrets)} of {len(header.commitments)} secrets are published; of the "
            "other days it is not proven yet where the cards came from."
        )
    if header.left_out or header.struck:
        print(
            f"left out: {header.left_out} matches whose mirror match is still to be played, "
            f"{header.struck} void"
        )
    for difference in found.differences[:_SHOWN]:
        print(f"{difference.where}: {difference.what}")
    more = len(found.differences) - _SHOWN
    if more > 0:
        print(f"… and {more:,} more (all of them with --json)")
    print(f"{found.proven:,} replays hold, {len(found.differences)} differences")
    if not found.key_known:
        print(f"all is sealed with the key {found.key}, which is none of those named")
    elif not named and found.key:
        print(f"sealed with the key {found.key}: see that it is the server's", file=sys.stderr)


def _trial_fields(found: Recounted) -> dict[str, object]:
    """How a sequential test stands, as `santase compare` tells it."""
    if found.trial is None:
        return {}
    asked, weighed = found.trial.asked, found.trial.weighed
    return {
        "pair_scores": found.trial.scores,
        "llr": round(weighed.llr, 4),
        "bounds": [round(asked.lower, 4), round(asked.upper, 4)],
        "decision": weighed.decision.value,
        "answer": _answer(found),
    }


def _print_trial(found: Recounted) -> None:
    if found.trial is not None:
        low, high = found.trial.asked.lower, found.trial.asked.upper
        print(f"LLR {found.trial.weighed.llr:+.2f}, between {low:.2f} and {high:+.2f} is undecided")
        print(_answer(found))


def _answer(found: Recounted) -> str:
    asked = found.header.tournament.trial
    if found.trial is None or asked is None:
        return ""
    named = _names(found)
    others = [name for version, name in named.items() if version != asked.first]
    names = (named.get(asked.first, "A"), others[0] if others else "B")
    return in_words(found.trial.weighed, found.trial.asked, *names)


def _names(found: Recounted) -> dict[int, str]:
    """What to call each version: "name v3"; its number alone where the archive does not name it."""
    named = {each.id: f"{_plain(each.bot)} v{each.number}" for each in found.header.versions}
    return {line.version: named.get(line.version, f"{line.version}") for line in found.standings}


def _plain(text: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
