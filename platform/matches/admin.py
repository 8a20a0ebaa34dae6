"""Pairings, matches and workers in the admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from matches.models import Dispute, Match, Pairing, Ruling, SeatLog, WorkerStatus
from matches.services import leases


class ReadOnly:
    """For an admin or an inline: written by the platform; people look."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Not by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Not by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Not by hand."""
        return False


@admin.register(Pairing)
class PairingAdmin(admin.ModelAdmin):
    """Pairings; a parked one can be sent again."""

    list_display = ["id", "tournament", "low", "high", "cycle", "status", "attempt", "note"]
    list_filter = ["status", "tournament"]
    list_select_related = ["tournament", "low__bot", "high__bot"]
    actions = ["send_again"]

    @admin.action(description="Send parked pairings again", permissions=["change"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Pairing]) -> None:
        """PARKED → QUEUED."""
        sent = sum(leases.unpark(pairing.pk) for pairing in queryset)
        self.message_user(request, f"{sent} sent again")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The pump orders pairings."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Only the action changes anything."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Results are never deleted."""
        return False


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    """Matches."""

    list_display = ["id", "tournament", "seat0", "seat1", "status", "winner", "reason"]
    list_filter = ["status", "reason", "tournament"]
    list_select_related = ["tournament", "seat0__bot", "seat1__bot"]
    show_full_result_count = False


@admin.register(SeatLog)
class SeatLogAdmin(ReadOnly, admin.ModelAdmin):
    """What bots wrote."""

    list_display = ["match", "seat", "exit", "cpu_ms", "peak_mb", "stderr_total"]
    list_select_related = ["match"]
    show_full_result_count = False


@admin.register(Dispute)
class DisputeAdmin(ReadOnly, admin.ModelAdmin):
    """What authors say; decided about on the page of the match."""

    list_display = ["match", "author", "made_at", "ruling"]
    list_filter = [("ruling", admin.EmptyFieldListFilter)]
    list_select_related = ["match", "author", "ruling__match"]


@admin.register(Ruling)
class RulingAdmin(ReadOnly, admin.ModelAdmin):
    """The trail."""

    list_display = ["id", "match", "kind", "by", "made_at", "why"]
    list_filter = ["kind"]
    list_select_related = ["match", "by"]


@admin.register(WorkerStatus)
class WorkerStatusAdmin(ReadOnly, admin.ModelAdmin):
    """Workers."""

    list_display = ["name", "state", "slots", "sandbox", "python", "beat_at", "message"]
