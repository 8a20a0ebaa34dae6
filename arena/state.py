"""The state folder of an installation: signing keys and whatever else must outlive a run."""

import os
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[1]


def state_dir() -> Path:
    """`SANTASE_STATE` where it is set; in a checkout its `var`; else the user's folder (XDG)."""
    named = os.environ.get("SANTASE_STATE")
    if named:
        return Path(named)
    if (_CHECKOUT / "manage.py").is_file() and os.access(_CHECKOUT, os.W_OK):
        return _CHECKOUT / "var"
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "santase"


def keys_dir() -> Path:
    """Where the signing keys of this installation are kept."""
    return state_dir() / "keys"
