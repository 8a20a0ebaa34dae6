"""Reads of matches and of the workers that play them."""

from matches.queries.lists import (
    ANY_FAULT,
    MatchFilter,
    is_being_played,
    match,
    match_list,
    mirror,
    newest,
    replay,
    replay_name,
    seat_logs,
)
from matches.queries.workers import (
    UploadReadiness,
    WorkerHealth,
    can_run_uploads,
    live_slots,
    runtime_python,
    worker_health,
)

__all__ = [
    "ANY_FAULT",
    "MatchFilter",
    "UploadReadiness",
    "WorkerHealth",
    "can_run_uploads",
    "is_being_played",
    "live_slots",
    "match",
    "match_list",
    "mirror",
    "newest",
    "replay",
    "replay_name",
    "runtime_python",
    "seat_logs",
    "worker_health",
]
