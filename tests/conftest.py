"""For all tests: in CI nothing may be skipped; elsewhere what was skipped is listed at the end."""

import os
import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is no failure: examples have no deadline of their own.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")

# A run started in the background ignores Ctrl-C, and what it starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if os.environ.get("CI") == "true" and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, where nothing may be: {report.longrepr}"
    return report
