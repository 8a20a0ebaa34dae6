"""The state folder of an installation: signing keys and whatever else must outlive a run."""

import os
from pathlib import Path


def state_dir() -> Path:
    """`SANTASE_STATE` where it is set, else `santase` in the user's folder for state (XDG)."""
    named = os.environ.get("SANTASE_STATE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "santase"


def keys_dir() -> Path:
    """Where the signing keys of this installation are kept."""
    return state_dir() / "keys"
