"""The `santase` command. Each command's module is imported when it is called, so help is quick."""

import codecs
import errno
import io
import json
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from arena import __version__
from arena.commands.errors import INTERRUPTED, CommandError, HostUnfit
from arena.state import NoStateFolder, state_dir

app = typer.Typer(
    name="santase",
    help="Santase (Сантасе, Sixty-six) for bots: play matches, prove replays, check the rules.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
rules_app = typer.Typer(help="The rules of the game.", no_args_is_help=True)
app.add_typer(rules_app, name="rules")

AsJson = Annotated[bool, typer.Option("--json", help="JSON lines on stdout.")]
SandboxName = Annotated[
    str, typer.Option("--sandbox", envvar="SANDBOX", help="auto, docker, bubblewrap or landlock.")
]
FirstBot = Annotated[str, typer.Argument(metavar="BOT", help="A path, or a house bot's name.")]
SecondBot = Annotated[str, typer.Argument(metavar="BOT", help="The other one.")]
Seed = Annotated[str | None, typer.Option(help="64 hex digits; drawn where absent.")]
Replays = Annotated[Path | None, typer.Option(help="Write the replays to this folder.")]
Jobs = Annotated[int, typer.Option(help="Processes, a core each.")]
Rules = Annotated[str, typer.Option(help="Rule preset.")]
Trusted = Annotated[
    bool, typer.Option("--trusted", help="WITHOUT a sandbox: only for your own bots.")
]
Key = Annotated[str | None, typer.Option(help="A public key (hex), or a file of keys.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"santase {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Santase (Сантасе, Sixty-six) for bots."""


@app.command()
def play(
    bot_a: FirstBot,
    bot_b: SecondBot,
    pairs: Annotated[int, typer.Option(help="Mirrored pairs: two matches each.")] = 10,
    seed: Seed = None,
    as_json: AsJson = False,
    replays: Replays = None,
    jobs: Jobs = 1,
    rules: Rules = "santase-bg",
    sandbox: SandboxName = "auto",
    trusted: Trusted = False,
) -> None:
    """Play mirrored pairs between two bots and say which is better."""
    from arena.commands import play as command

    options = command.PlayOptions(
        bots=(bot_a, bot_b),
        pairs=pairs,
        seed=seed,
        as_json=as_json,
        replays=replays,
        jobs=jobs,
        rules=rules,
        sandbox=sandbox,
        trusted=trusted,
    )
    raise typer.Exit(command.run(options))


@app.command()
def compare(
    bot_a: FirstBot,
    bot_b: SecondBot,
    elo0: Annotated[float, typer.Option(help="A lead of A that is not enough.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="A lead of A that is.")] = 20.0,
    alpha: Annotated[float, typer.Option(help="How often a yes may be wrong.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often a no may be wrong.")] = 0.05,
    max_pairs: Annotated[int, typer.Option(help="Gives up after so many pairs.")] = 10_000,
    seed: Seed = None,
    as_json: AsJson = False,
    replays: Replays = None,
    jobs: Jobs = 1,
    rules: Rules = "santase-bg",
    sandbox: SandboxName = "auto",
    trusted: Trusted = False,
) -> None:
    """Ask whether A is better than B: play pairs until a sequential test knows."""
    from arena.commands import compare as command
    from arena.commands.play import PlayOptions

    options = PlayOptions(
        bots=(bot_a, bot_b),
        pairs=max_pairs,
        seed=seed,
        as_json=as_json,
        replays=replays,
        jobs=jobs,
        rules=rules,
        sandbox=sandbox,
        trusted=trusted,
    )
    raise typer.Exit(command.run(options, elo0, elo1, alpha, beta))


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Replay files.")],
    key: Key = None,
    secret: Annotated[str | None, typer.Option(help="The revealed secret, 64 hex digits.")] = None,
    day: Annotated[
        str | None, typer.Option(help="The day (UTC) that a ladder's secret is of.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove replays offline: cards, rules, result, hash and signature."""
    from arena.commands import verify as command

    raise typer.Exit(command.run(files, key, secret, day, as_json))


@app.command()
def recount(
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A tournament's download.")],
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Count a tournament again offline, from the replays in its archive."""
    from arena.commands import recount as command

    raise typer.Exit(command.run(archive, key, as_json))


@app.command()
def doctor(
    sandbox: SandboxName = "auto",
    slots: Annotated[int, typer.Option(help="Matches at once; 0: one a core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Say whether bots can be run safely here, and what to do if not."""
    from arena.commands import doctor as command

    raise typer.Exit(command.run(sandbox, slots, as_json))


@rules_app.command("check")
def rules_check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of rule vectors.")],
    as_json: AsJson = False,
) -> None:
    """Compare the rules with records of deals, matches and refused actions."""
    from arena.commands import rules as command

    raise typer.Exit(command.run(files, as_json))


def main() -> None:
    """Runs the command line; every error is a message and an exit code, never a traceback."""
    _write_whatever_comes()
    try:
        app()
    except CommandError as error:
        print(f"santase: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except NoStateFolder as error:
        print(f"santase: {error}", file=sys.stderr)
        sys.exit(HostUnfit.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            print(f"santase: {error.strerror}: make room, or write elsewhere.", file=sys.stderr)
            sys.exit(HostUnfit.exit_code)
        print(f"santase: this should not have happened: {error}", file=sys.stderr)
        print(f"The details are in {_keep_details()}; please report them.", file=sys.stderr)
        sys.exit(1)


def _write_whatever_comes() -> None:
    """Characters that the terminal's encoding lacks are written as in JSON, by their numbers."""
    codecs.register_error("as-in-json", _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it was closed
            stream.reconfigure(errors="as-in-json")


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _keep_details() -> str:
    try:
        path = state_dir() / "last-error.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(traceback.format_exc(), encoding="utf-8")
    except (OSError, NoStateFolder):
        return "the terminal only:\n" + traceback.format_exc(limit=-3)
    return str(path)
