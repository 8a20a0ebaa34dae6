"""The sandbox that `--sandbox` names."""

from arena.commands.errors import UsageError
from arena.sandbox import Sandbox, choose
from arena.sandbox.choice import NAMES


def named_sandbox(name: str) -> Sandbox:
    """The back-end of that name, or the best one for `auto`.

    Raises `UsageError` for a name that is none, `NoSandbox` where none holds here.
    """
    if name not in NAMES:
        raise UsageError(f"--sandbox {name!r}: choose one of {', '.join(NAMES)}.")
    return choose(name)
