"""Standings in the admin, to look at: refits and audits make them."""

from django.contrib import admin

from matches.admin import ReadOnly
from ratings.models import Audit, Rating, Snapshot


class RatingInline(ReadOnly, admin.TabularInline):
    """The lines of a snapshot."""

    model = Rating
    extra = 0


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly, admin.ModelAdmin):
    """Snapshots; the history of a tournament counts on from them."""

    list_display = ["tournament", "number", "matches", "refit_at"]
    fields = ["tournament", "number", "basis", "matches", "refit_at"]
    inlines = [RatingInline]


@admin.register(Audit)
class AuditAdmin(ReadOnly, admin.ModelAdmin):
    """Audits: what was found was found."""

    list_display = ["started_at", "finished_at", "discrepancies"]
