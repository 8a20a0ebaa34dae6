"""The state folder of an installation: signing keys and whatever else must outlive a run."""

import os
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[1]


class NoStateFolder(Exception):
    """The user has no home to keep anything in, and `SANTASE_STATE` names no other place."""


def state_dir() -> Path:
    """`SANTASE_STATE` where it is set; in a checkout its `var`; else the user's folder (XDG).

    Raises `NoStateFolder`.
    """
    named = os.environ.get("SANTASE_STATE")
    if named:
        return Path(named)
    if (_CHECKOUT / "manage.py").is_file() and os.access(_CHECKOUT, os.W_OK):
        return _CHECKOUT / "var"
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    if base.startswith("~"):
        raise NoStateFolder("this user has no home: name a folder for keys with SANTASE_STATE.")
    return Path(base, "santase")


def keys_dir() -> Path:
    """Where the signing keys of this installation are kept. Raises `NoStateFolder`."""
    return state_dir() / "keys"
