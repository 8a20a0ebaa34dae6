"""`santase play` and `compare`: mirrored pairs of matches between two bots on this machine."""

import contextlib
import hashlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from arena.commands import play_worker
from arena.commands.entrants import LocalBot, resolve
from arena.commands.errors import INTERRUPTED, HostUnfit, UsageError
from arena.commands.play_worker import Job, PairRows, Setup
from arena.commands.sandbox_name import named_sandbox
from arena.commands.tally import Tally
from arena.protocol import Limits
from arena.rating import Decision
from arena.referee import BadSeed, Entrant, HostFault, Keyring, KeyringError, MatchSpec
from arena.referee.dealer import local_pair_seed, new_secret, parse_seed
from arena.referee.host import cores
from arena.sandbox import NoSandbox
from arena.santase import RuleSet, SantaseError, ruleset
from arena.state import keys_dir

_PAIRS_AHEAD = 4
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
    if options.pairs < 1:
        raise UsageError("--pairs takes a whole number from 1 up.")
    return play_pairs(options, Tally(options.bots, options.pairs, options.as_json))


def play_pairs(options: PlayOptions, tally: Tally) -> int:
    """Plays pairs until they are all played or the tally is decided; 0, or the code of Ctrl-C.

    Pairs count in their order, so that what comes out is the same whatever the `jobs`. Raises
    `UsageError` and `HostUnfit`.
    """
    if options.jobs < 1:
        raise UsageError("--jobs takes a whole number from 1 up.")
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
    jobs = (_job(bots, secret, pair, rules) for pair in range(options.pairs))
    processes = _processes(options.jobs)
    with _workers(setup, processes) as executor:
        rows = _played(executor, jobs, processes + _PAIRS_AHEAD)
        return _count(rows, tally)


def _count(played: Iterator[PairRows], tally: Tally) -> int:
    """Counts the pairs as they end, up to a decision or Ctrl-C; gives the exit code.

    Raises `HostUnfit`.
    """
    finished = False
    try:
        for rows in played:
            tally.add(rows)
            if tally.decision is not Decision.OPEN:
                break  # what was given out beyond it is dropped
        finished = True
    except KeyboardInterrupt:
        return INTERRUPTED
    except HostFault as fault:
        raise HostUnfit(f"A match could not be played on this machine: {fault}") from fault
    except BrokenProcessPool as error:
        raise HostUnfit(
            "A process that plays the matches was ended from outside, by lack of memory perhaps. "
            "Free some, or use fewer --jobs; the same --seed plays the same matches again."
        ) from error
    finally:
        tally.close(interrupted=not finished)
    return 0


def _processes(asked: int) -> int:
    """How many play at once: two matches on one core would take each other's time."""
    there_are = len(cores())
    if asked > there_are:
        print(f"--jobs {asked}: this machine has {there_are} cores, one a match.", file=sys.stderr)
    return min(asked, there_are)


def _check_sandbox(name: str) -> None:
    try:
        named_sandbox(name)
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
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"--replays {folder}: you may not write there. Name another folder.")
    return folder


def _job(bots: tuple[LocalBot, LocalBot], secret: str, pair: int, rules: RuleSet) -> Job:
    """Both matches of pair `pair`: the same seed, A at seat 0 and then at seat 1."""
    seed = local_pair_seed(secret, pair)
    entrants = (bots[0].entrant, bots[1].entrant)
    first = MatchSpec(
        match=_match_id(seed, entrants),
        seed=seed,
        entrants=entrants,
        rules=rules,
        pair=pair,
        game=0,
    )
    exchanged = (entrants[1], entrants[0])
    mirrored = replace(first, match=_match_id(seed, exchanged, 1), entrants=exchanged, game=1)
    return first, mirrored


def _match_id(seed: str, entrants: tuple[Entrant, Entrant], game: int = 0) -> str:
    """The same for the same cards and bots only, so that no replay takes another's place."""
    named = [seed, *(entrant.sha256 for entrant in entrants), str(game)]
    return "m_" + hashlib.sha256("/".join(named).encode()).hexdigest()[:12]


@contextlib.contextmanager
def _workers(setup: Setup, number: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes that play pairs, a core each.

    They are started at once, while Ctrl-C is blocked, which they inherit: it is the parent's to
    handle. No other thread runs yet that could take it instead.
    """
    context = multiprocessing.get_context("spawn")
    available = cores()
    turns = context.SimpleQueue()
    for worker in range(number):
        turns.put(available[worker % len(available)])
    executor = ProcessPoolExecutor(
        number, mp_context=context, initializer=play_worker.begin, initargs=(setup, turns)
    )
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        executor.submit(os.getpid)  # anything: the first submission starts them
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _played(executor: ProcessPoolExecutor, jobs: Iterator[Job], ahead: int) -> Iterator[PairRows]:
    """The pairs in their order; so many are given out at a time."""
    waiting: list[Future[PairRows]] = []
    for job in jobs:
        waiting.append(executor.submit(play_worker.play_pair, job))
        if len(waiting) >= ahead:
            yield waiting.pop(0).result()
    while waiting:
        yield waiting.pop(0).result()
