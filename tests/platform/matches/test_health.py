"""What workers say of themselves, and what the pages make of it."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from arena.sandbox import Finding, NoSandbox
from bots import host
from matches import health
from matches.models import WorkerStatus
from matches.queries import can_run_uploads, live_slots, runtime_pythons, worker_health

pytestmark = pytest.mark.django_db


def test_without_a_worker_uploads_wait_and_the_page_says_what_to_do() -> None:
    readiness = can_run_uploads()
    assert not readiness.ok
    assert not readiness.closed
    assert "nothing is lost" in readiness.reason
    assert "manage.py up" in readiness.remedy
    assert live_slots() == 0


def test_a_worker_with_a_sandbox_offers_its_slots() -> None:
    health.say_ready("one", host.sandbox(), 3)
    assert can_run_uploads().ok
    assert live_slots() == 3
    assert runtime_pythons() == [host.sandbox().python]


def test_a_worker_without_a_sandbox_plays_nothing_and_says_why() -> None:
    finding = Finding("files", False, "a file could be opened", "install bubblewrap")
    health.say_no_sandbox("one", NoSandbox("No sandbox holds.", [finding]))
    assert live_slots() == 0
    readiness = can_run_uploads()
    assert readiness.closed
    assert not readiness.ok
    assert "install bubblewrap" in readiness.remedy
    (worker,) = worker_health()
    assert worker.alive
    assert not worker.plays
    assert worker.findings == worker.told == [finding]


@pytest.mark.parametrize(("silent_s", "alive"), [(10, True), (31, False)])
def test_fc092_a_worker_that_is_silent_counts_as_gone(silent_s: int, alive: bool) -> None:
    health.say_ready("one", host.sandbox(), 2)
    WorkerStatus.objects.update(beat_at=timezone.now() - timedelta(seconds=silent_s))
    assert worker_health()[0].plays is alive
    assert can_run_uploads().ok is alive


def test_a_worker_on_its_way_out_does_not_speak_for_its_successor_of_the_same_name() -> None:
    health.say_ready("one", host.sandbox(), 2)
    WorkerStatus.objects.update(started_at=timezone.now() + timedelta(seconds=1))
    health.say_stopped(SimpleNamespace(hostname="one"))
    assert live_slots() == 2


def test_a_worker_that_leaves_in_order_offers_nothing() -> None:
    health.say_ready("one", host.sandbox(), 2)
    health.say_stopped(SimpleNamespace(hostname="one"))
    assert live_slots() == 0


def test_a_worker_that_plays_keeps_what_it_has_found() -> None:
    found = [Finding("kernel", True, "Linux"), Finding("memory", True, "512 MB", "fewer slots")]
    health.say_ready("one", host.sandbox(), 2, found)
    (worker,) = worker_health()
    assert worker.plays
    assert worker.findings == found
    assert worker.told == found[1:]


def test_one_fit_worker_is_enough_for_uploads_to_be_open() -> None:
    health.say_no_sandbox("one", NoSandbox("No sandbox holds."))
    assert can_run_uploads().closed
    health.say_ready("two", host.sandbox(), 1)
    assert can_run_uploads().ok
    assert not can_run_uploads().closed


def test_workers_with_different_versions_of_python_are_all_told() -> None:
    for name, version in (("one", "3.12.1"), ("two", "3.11.7"), ("three", "3.11.7")):
        health.say_ready(name, host.sandbox(), 1)
        WorkerStatus.objects.filter(name=name).update(python=version)
    assert runtime_pythons() == ["3.11.7", "3.12.1"]


def test_health_is_one_query(django_assert_num_queries: Any) -> None:
    for number in range(5):
        health.say_ready(f"w{number}", host.sandbox(), 2)
    with django_assert_num_queries(1):
        assert can_run_uploads().ok
