"""Tournaments in the admin: made, filled, started, paused, cancelled."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import InlineModelAdmin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from arena.santase import PRESETS
from bots.models import Bot
from bots.queries import newest_accepted
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Entry, Tournament
from tournaments.options import default_limits, options


class TournamentForm(forms.ModelForm):
    """A new tournament: the rules by preset, the limits written out."""

    preset = forms.ChoiceField(choices=[(name, name) for name in PRESETS], label="Rules")
    limits = forms.JSONField(initial=default_limits, help_text="All limits, as `hello` sends them.")

    class Meta:
        """What is asked for; the secret and its commitment are drawn."""

        model = Tournament
        fields = ["name", "slug", "pairs_per_pairing", "cycles", "open"]

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError in the words of `BadTournament`."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            cleaned["options"] = options(
                cleaned["name"],
                slug=cleaned["slug"],
                preset=cleaned["preset"],
                limits=cleaned["limits"],
                pairs=cleaned["pairs_per_pairing"],
                cycles=cleaned["cycles"],
                open=cleaned["open"],
            )
        except TournamentError as error:
            raise ValidationError(str(error)) from error
        return cleaned


class EntryInline(admin.TabularInline):
    """Who has entered."""

    model = Entry
    extra = 0
    fields = ["version", "entered_at", "withdrawn_at"]
    readonly_fields = ["version", "entered_at", "withdrawn_at"]
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Entries are made by an action, by `tournament create`, or by themselves."""
        return False


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin):
    """Tournaments. What was agreed at the beginning cannot be changed later."""

    list_display = ["name", "slug", "status", "open", "pairs_per_pairing", "cycles", "created_at"]
    list_filter = ["status", "open"]
    actions = ["enter_all", "start", "pause", "cancel"]

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        """A form for a new one; an old one is only looked at."""
        if obj is None:
            kwargs["form"] = TournamentForm
        return super().get_form(request, obj, change, **kwargs)

    def get_inlines(
        self, request: HttpRequest, obj: object
    ) -> "list[type[InlineModelAdmin[Any, Any]]]":
        """Entries, once there is a tournament."""
        return [] if obj is None else [EntryInline]

    def get_exclude(self, request: HttpRequest, obj: object = None) -> list[str]:
        """The secret is shown by the pages, when it may be."""
        return [] if obj is None else ["secret"]

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """By actions only."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Results are kept."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Makes it through the service, which draws the secret."""
        made = services.create_tournament(form.cleaned_data["options"])
        obj.pk = made.pk
        obj.refresh_from_db()

    @admin.action(
        description="Enter the newest accepted version of every bot", permissions=["change"]
    )
    def enter_all(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """All bots, house bots too."""
        versions = [version.pk for bot in Bot.objects.all() if (version := newest_accepted(bot))]
        self._each(request, queryset, lambda tournament: services.enter(tournament, versions))

    @admin.action(description="Start, or go on", permissions=["change"])
    def start(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """DRAFT or PAUSED → RUNNING."""
        self._each(request, queryset, services.start)

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """RUNNING → PAUSED."""
        self._each(request, queryset, services.pause)

    @admin.action(description="Cancel for good", permissions=["change"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """→ CANCELLED."""
        self._each(request, queryset, services.cancel)

    def _each(
        self,
        request: HttpRequest,
        queryset: QuerySet[Tournament],
        step: Callable[[Tournament], object],
    ) -> None:
        for tournament in queryset:
            try:
                step(tournament)
            except TournamentError as error:
                self.message_user(request, str(error), messages.ERROR)
            else:
                self.message_user(request, f"{tournament.name}: done")
