"""The engine is killed or stopped in the middle of a match, and comes back: nothing is left."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from worker_to_kill import is_gone, wait_for

from arena.sandbox import Box, BoxError, BoxLimits, ExitReport, bot_image, janitor, sweep
from arena.sandbox.container import DockerSandbox
from arena.sandbox.engine import Engine

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="an engine of the test's own takes root to start"
)

ECHO = {"bot.py": b"import sys\nfor line in sys.stdin:\n    print(line.strip())\n"}
SCRIPT = Path(__file__).parents[3] / ".ci/engine"
