"""Bots and versions in the admin."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from bots import pausing, services
from bots.errors import BotError
from bots.models import Bot, Version, VersionLog


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):
    """Bots: made by their owners' uploads; the staff may give one to another owner."""

    list_display = ["name", "owner", "house", "created_at"]
    list_filter = ["house"]
    search_fields = ["name", "owner__username"]
    list_select_related = ["owner"]
    autocomplete_fields = ["owner"]
    readonly_fields = ["name", "house", "created_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A bot comes with its first upload, which checks its name."""
        return False


class VersionLogInline(admin.StackedInline):
    """What validation saw."""

    model = VersionLog
    can_delete = False
    readonly_fields = ["stderr", "stderr_total", "marks", "notes", "refused", "fault", "exit"]


@admin.register(Version)
class VersionAdmin(admin.ModelAdmin):
    """Versions: immutable, but a rejected one can be validated again."""

    list_display = [
        "bot", "number", "status", "paused_at", "size", "python", "created_at", "message",
    ]  # fmt: skip
    list_filter = ["status", ("paused_at", admin.EmptyFieldListFilter), "bot__house"]
    search_fields = ["bot__name", "sha256"]
    list_select_related = ["bot"]
    readonly_fields = [
        "bot", "number", "file_name", "sha256", "size", "created_at",
        "status", "message", "python", "attempts", "lease_until", "validated_at",
        "paused_at", "resumed_at",
    ]  # fmt: skip
    inlines = [VersionLogInline]
    actions = ["validate_again", "resume"]

    @admin.action(description="Validate again", permissions=["change"])
    def validate_again(self, request: HttpRequest, queryset: QuerySet[Version]) -> None:
        """Sends the chosen versions through validation once more."""
        sent = sum(services.validate_again(version) for version in queryset)
        self.message_user(request, f"{sent} sent to validation")

    @admin.action(description=_("Let paused versions play again"), permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Version]) -> None:
        """Their faults are forgotten."""
        assert request.user.is_authenticated
        for version in queryset:
            try:
                pausing.resume(version, request.user)
            except BotError as error:
                self.message_user(request, error.message, messages.ERROR)
            else:
                self.message_user(request, f"{version} plays again")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Versions come by upload only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Versions are kept: their numbers and contents stay taken."""
        return False
