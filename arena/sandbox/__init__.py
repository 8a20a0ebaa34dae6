"""Runs an untrusted program behind walls and speaks lines with it.

`choose()` gives the back-end that holds on this machine, `Sandbox.start` a box, `Box.load` puts the
bot in, `Channel` speaks with both bots of a match, `Box.stop` says how it ended. There is no way in
here to run a bot without isolation but `trusted`, for an author's own bots.
"""

from arena.finding import Finding
from arena.sandbox.base import BotFiles, Box, BoxLimits, ExitReport, Sandbox
from arena.sandbox.channel import Channel
from arena.sandbox.choice import choose
from arena.sandbox.clearing import Leftover, Swept, leftovers, sweep
from arena.sandbox.errors import BadBotFiles, BoxError, NoSandbox, SandboxError
from arena.sandbox.landlock import LandlockSandbox
from arena.sandbox.pool import Pool
from arena.sandbox.reaping import stop_reaping
from arena.sandbox.trusted import trusted, trusted_file

__all__ = [
    "BadBotFiles",
    "BotFiles",
    "Box",
    "BoxError",
    "BoxLimits",
    "Channel",
    "ExitReport",
    "Finding",
    "LandlockSandbox",
    "Leftover",
    "NoSandbox",
    "Pool",
    "Sandbox",
    "SandboxError",
    "Swept",
    "choose",
    "leftovers",
    "stop_reaping",
    "sweep",
    "trusted",
    "trusted_file",
]
