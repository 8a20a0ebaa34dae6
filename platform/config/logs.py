"""How log lines look: JSON for machines, plain for people; never coloured in files."""

from typing import Any

import structlog
from structlog.typing import Processor


def log_processors() -> list[Processor]:
    """What every log line goes through, ours and those of libraries alike."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _formatter(*last: Processor) -> dict[str, Any]:
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": log_processors(),
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    }


LOG_FORMATTERS = {
    # The default shows the local variables of every frame: passwords, forms, sources of bots.
    "plain": _formatter(
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
    ),
    "json": _formatter(structlog.processors.format_exc_info, structlog.processors.JSONRenderer()),
}
