"""`santase play`: mirrored pairs of matches between two bots on this machine."""

import hashlib
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from arena.commands import play_worker
from arena.commands.entrants import LocalBot, resolve
from arena.commands.errors import INTERRUPTED, HostUnfit, UsageError
from arena.commands.play_worker import Job, PairRows, Setup
from arena.commands.tally import Tally
from arena.protocol import Limits
from arena.referee import BadSeed, HostFault, Keyring, KeyringError, MatchSpec
from arena.referee.dealer import local_pair_seed, new_secret, parse_seed
from arena.referee.host import cores
from arena.sandbox import NoSandbox, choose
from arena.sandbox.choice import NAMES
from arena.santase import RuleSet, SantaseError, ruleset
from arena.state import keys_dir

_AHEAD = 4
"""Pairs given out beyond the workers' number, so that none waits and few are lost on Ctrl-C."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What the command line asked for; `replays` is a folder, `seed` 64 hex digits or None."""

    bots: tuple[str, str]
    pairs: int
    seed: str | None
    as_json: bool
    replays: Path | None
    jobs: int
    rules: str
    sandbox: str
    trusted: bool


def run(options: PlayOptions) -> int:
    """Plays the pairs and prints what came of them; gives the exit code.

    Raises `UsageError` and `HostUnfit`.
    """
    if options.pairs < 1 or options.jobs < 1:
        raise UsageError("--pairs and --jobs take a whole number from 1 up.")
    bots = (resolve(options.bots[0]), resolve(options.bots[1]))
    secret = _secret(options.seed)
    rules = _rules(options.rules)
    setup = Setup(
        sandbox=options.sandbox,
        trusted=options.trusted,
        bots=bots,
        limits=Limits(),
        replays=_replay_folder(options.replays),
    )
    if not options.trusted:
        _check_sandbox(options.sandbox)
    else:
        print(
            "WARNING: --trusted runs both bots WITHOUT a sandbox, with all your rights. "
            "Only for programs you wrote yourself.",
            file=sys.stderr,
        )
    tally = Tally(options.bots, options.pairs, options.as_json)
    jobs = (_job(bots, secret, pair, rules) for pair in range(options.pairs))
    try:
        for rows in _played(setup, jobs, options.jobs):
            tally.add(rows)
    except KeyboardInterrupt:
        tally.close(interrupted=True)
        return INTERRUPTED
    except HostFault as fault:
        tally.close(interrupted=True)
        raise HostUnfit(f"A match could not be played on this machine: {fault}") from fault
    tally.close(interrupted=False)
    return 0


def _check_sandbox(name: str) -> None:
    if name not in NAMES:
        raise UsageError(f"--sandbox {name!r}: choose one of {', '.join(NAMES)}.")
    try:
        choose(name)
    except NoSandbox as error:
        raise HostUnfit(str(error)) from error


def _secret(seed: str | None) -> str:
    if seed is None:
        return new_secret()
    try:
        return parse_seed(seed)
    except BadSeed as error:
        raise UsageError(f"--seed: {error}") from error


def _rules(name: str) -> RuleSet:
    try:
        return ruleset(name)
    except SantaseError as error:
        raise UsageError(f"--rules: {error}") from error


def _replay_folder(folder: Path | None) -> Path | None:
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        Keyring(keys_dir())
    except OSError as error:
        raise UsageError(f"--replays {folder}: cannot be made: {error.strerror}.") from error
    except KeyringError as error:
        raise HostUnfit(str(error)) from error
    return folder


def _job(bots: tuple[LocalBot, LocalBot], secret: str, pair: int, rules: RuleSet) -> Job:
    """Both matches of pair `pair`: the same seed, A at seat 0 and then at seat 1."""
    seed = local_pair_seed(secret, pair)
    first = MatchSpec(
        match=_match_id(seed, 0),
        seed=seed,
        entrants=(bots[0].entrant, bots[1].entrant),
        rules=rules,
        pair=pair,
        game=0,
    )
    mirrored = replace(
        first, match=_match_id(seed, 1), entrants=(bots[1].entrant, bots[0].entrant), game=1
    )
    return first, mirrored


def _match_id(seed: str, game: int) -> str:
    return "m_" + hashlib.sha256(f"{seed}/{game}".encode()).hexdigest()[:12]


def _played(setup: Setup, jobs: Iterator[Job], workers: int) -> Iterator[PairRows]:
    """The pairs in their order, played by `workers` processes, a core each."""
    context = multiprocessing.get_context("spawn")
    available = cores()
    turns = context.Queue()
    for number in range(workers):
        turns.put(available[number % len(available)])
    executor = ProcessPoolExecutor(
        workers, mp_context=context, initializer=play_worker.begin, initargs=(setup, turns)
    )
    waiting: list[Future[PairRows]] = []
    try:
        for job in jobs:
            waiting.append(executor.submit(play_worker.play_pair, job))
            if len(waiting) >= workers + _AHEAD:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
