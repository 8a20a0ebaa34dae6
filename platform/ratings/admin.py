"""Standings in the admin, to look at."""

from django.contrib import admin
from django.http import HttpRequest

from ratings.models import Audit, Rating, Snapshot


class RatingInline(admin.TabularInline):
    """The lines of a snapshot."""

    model = Rating
    extra = 0
    can_delete = False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Ratings are computed."""
        return False

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Ratings are computed."""
        return False


@admin.register(Snapshot)
class SnapshotAdmin(admin.ModelAdmin):
    """Snapshots."""

    list_display = ["tournament", "number", "matches", "refit_at"]
    readonly_fields = ["tournament", "number", "basis", "matches", "refit_at"]
    inlines = [RatingInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A refit makes it."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """The history of the tournament counts on from it."""
        return False


@admin.register(Audit)
class AuditAdmin(admin.ModelAdmin):
    """Audits."""

    list_display = ["started_at", "finished_at", "discrepancies"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """`manage.py audit` makes it."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """What was found was found."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """What was found was found."""
        return False
