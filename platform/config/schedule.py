"""When the regular tasks are due."""

from datetime import datetime, timedelta

from celery import schedules

_LONG_AGO = timedelta(days=1)


class Every(schedules.schedule):
    """Due whenever its interval has passed, also after the machine's clock was set back.

    Celery's own waits until the clock has reached the last run again, which may take hours.
    """

    def is_due(self, last_run_at: datetime) -> schedules.schedstate:
        """Whether it is due, and in how many seconds to ask again."""
        if self.maybe_make_aware(last_run_at) > self.now():
            last_run_at = self.now() - _LONG_AGO
        return super().is_due(last_run_at)
