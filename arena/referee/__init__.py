"""The referee: the only place where rules, protocol, sandbox and clock meet.

`play_match(spec, boxes, sandbox)` plays one match and gives its record; `replay.seal` makes the
replay of it, `replay.verify` proves one.
"""

from arena.referee.errors import BadSeed, HostFault, KeyringError, NotAReplay, RefereeError
from arena.referee.keys import Keyring, PublicKey
from arena.referee.record import Entrant, MatchRecord, MatchSpec, SeatRecord
from arena.referee.referee import play_match
from arena.referee.replay import Verification, inflated, read_replay_file, seal, verify
from arena.referee.verdict import Fault, FaultName
from arena.sandbox import BotFiles, ExitReport

__all__ = [
    "BadSeed",
    "BotFiles",
    "Entrant",
    "ExitReport",
    "Fault",
    "FaultName",
    "HostFault",
    "Keyring",
    "KeyringError",
    "MatchRecord",
    "MatchSpec",
    "NotAReplay",
    "PublicKey",
    "RefereeError",
    "SeatRecord",
    "Verification",
    "inflated",
    "play_match",
    "read_replay_file",
    "seal",
    "verify",
]
