"""Starts the first process of a box: its pipes, its uid, its core, and nothing else of ours."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox import clearing, label, slots
from arena.sandbox.errors import BoxError
from arena.sandbox.process import Pipes, on_core
from arena.sandbox.reaping import will_reap


@dataclass(frozen=True, slots=True)
class Spawned:
    """A child of ours, the pipes to it, and the uid it holds where the worker is root."""

    child: "subprocess.Popen[bytes]"
    pipes: Pipes
    slot: slots.Slot | None


def spawn(
    command: Sequence[str | Path],
    environment: Mapping[str, str],
    core: int | None,
    handed: Sequence[int] = (),
) -> Spawned:
    """Starts `command` in a session of its own, under a uid of its own where we are root.

    Its last word is our label. It gets the environment given, three pipes, the descriptors of
    `handed`, and no other of ours. Raises BoxError, with nothing left behind.
    """
    clearing.sweep_once()
    slot = slots.take() if os.geteuid() == 0 else None
    pipes = Pipes()
    try:
        with on_core(core):
            child = subprocess.Popen(
                [*command, label.mine()],
                stdin=pipes.theirs[0],
                stdout=pipes.theirs[1],
                stderr=pipes.theirs[2],
                env=environment,
                cwd="/",
                start_new_session=True,
                pass_fds=handed,
                user=slot.uid if slot else None,
                group=slot.uid if slot else None,
                extra_groups=[] if slot else None,
            )
    except (OSError, subprocess.SubprocessError, BoxError) as error:
        pipes.close_ours()
        if slot:
            slot.release()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BoxError(f"a box could not be started: {reason}") from error
    finally:
        pipes.close_theirs()
    will_reap(child.pid)
    return Spawned(child, pipes, slot)
