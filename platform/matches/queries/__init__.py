"""Reads of matches and of the workers that play them."""

from matches.queries.findings import platform_findings
from matches.queries.lists import (
    ANY_FAULT,
    MatchFilter,
    is_being_played,
    match,
    match_list,
    mirror,
    newest,
    parked,
    replay,
    replay_name,
    seat_logs,
)
from matches.queries.rulings import disputes, newest_rulings, open_disputes, trail
from matches.queries.workers import (
    UploadReadiness,
    WorkerHealth,
    can_run_uploads,
    live_slots,
    runtime_pythons,
    worker_health,
)

__all__ = [
    "ANY_FAULT",
    "MatchFilter",
    "UploadReadiness",
    "WorkerHealth",
    "can_run_uploads",
    "disputes",
    "is_being_played",
    "live_slots",
    "match",
    "match_list",
    "mirror",
    "newest",
    "newest_rulings",
    "open_disputes",
    "parked",
    "platform_findings",
    "replay",
    "replay_name",
    "runtime_pythons",
    "seat_logs",
    "trail",
    "worker_health",
]
