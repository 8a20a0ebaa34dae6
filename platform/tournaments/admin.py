"""Tournaments in the admin: made, filled, started, paused, frozen, cancelled."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import InlineModelAdmin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from arena.santase import PRESETS
from bots.models import Bot, Version, VersionStatus
from bots.queries import newest_accepted
from matches.admin import ReadOnly
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Entry, Period, Tournament, TournamentFormat
from tournaments.options import default_limits, options, question_of

_QUESTION = ("elo0", "elo1", "alpha", "beta")
_A_TEST_ASKS = _("Of a sequential test; left empty, as in santase compare.")


class TournamentForm(forms.ModelForm):
    """A new tournament: the rules by preset, the limits written out."""

    format = forms.ChoiceField(
        choices=TournamentFormat.choices, required=False, initial=TournamentFormat.ROUND_ROBIN
    )
    pairs_per_pairing = forms.IntegerField(
        required=False, help_text=_("Mirrored pairs; left empty 10, on a ladder 1.")
    )
    challenger = forms.ModelChoiceField(
        Version.objects.filter(status=VersionStatus.ACCEPTED).select_related("bot"),
        required=False,
        help_text=_("Of a gauntlet and of a sequential test: the version that it is about."),
    )
    elo0 = forms.FloatField(required=False, help_text=_A_TEST_ASKS)
    elo1 = forms.FloatField(required=False, help_text=_A_TEST_ASKS)
    alpha = forms.FloatField(required=False, help_text=_A_TEST_ASKS)
    beta = forms.FloatField(required=False, help_text=_A_TEST_ASKS)
    max_pairs = forms.IntegerField(
        required=False, help_text=_("Of a sequential test: pairs at most. Cycles follow from it.")
    )

    preset = forms.ChoiceField(choices=[(name, name) for name in PRESETS], label="Rules")
    limits = forms.JSONField(initial=default_limits, help_text="All limits, as `hello` sends them.")

    class Meta:
        """What is asked for; the secret and its commitment are drawn."""

        model = Tournament
        fields = ["name", "slug", "format", "challenger", "pairs_per_pairing", "cycles", "open"]

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError in the words of `BadTournament`."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        challenger = cleaned["challenger"]
        try:
            cleaned["options"] = options(
                cleaned["name"],
                slug=cleaned["slug"],
                preset=cleaned["preset"],
                limits=cleaned["limits"],
                pairs=cleaned["pairs_per_pairing"],
                cycles=cleaned["cycles"],
                open=cleaned["open"],
                format=cleaned["format"] or TournamentFormat.ROUND_ROBIN,
                challenger=challenger.pk if challenger else None,
                question=question_of(*(cleaned[name] for name in _QUESTION)),
                max_pairs=cleaned["max_pairs"],
            )
        except TournamentError as error:
            raise ValidationError(str(error)) from error
        return cleaned


class PeriodInline(ReadOnly, admin.TabularInline):
    """The days of a ladder, published by the pump; their secrets the page shows when it may."""

    model = Period
    extra = 0
    fields = readonly_fields = ("day", "commitment", "published_at", "revealed_at")


class EntryInline(ReadOnly, admin.TabularInline):
    """Who has entered: by an action, by `tournament create`, or by themselves."""

    model = Entry
    extra = 0
    fields = readonly_fields = ("version", "entered_at", "withdrawn_at", "last_paired_at")


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin):
    """Tournaments. What was agreed at the beginning cannot be changed later."""

    list_display = [
        "name", "slug", "format", "status", "open", "frozen", "pairs_per_pairing", "cycles",
        "created_at",
    ]  # fmt: skip
    list_filter = ["format", "status", "open", "frozen"]
    actions = ["enter_all", "start", "pause", "freeze", "unfreeze", "cancel"]

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
        """Entries and days, once there is a tournament."""
        return [] if obj is None else [EntryInline, PeriodInline]

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
        description=_("Enter the newest accepted version of every bot"), permissions=["change"]
    )
    def enter_all(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """All bots, house bots too."""
        versions = [version.pk for bot in Bot.objects.all() if (version := newest_accepted(bot))]
        self._each(request, queryset, lambda tournament: services.enter(tournament, versions))

    @admin.action(description=_("Start, or go on"), permissions=["change"])
    def start(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """DRAFT or PAUSED → RUNNING."""
        self._each(request, queryset, services.start)

    @admin.action(description=_("Pause"), permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """RUNNING → PAUSED."""
        self._each(request, queryset, services.pause)

    @admin.action(description=_("Freeze the entries"), permissions=["change"])
    def freeze(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """Nobody enters."""
        self._each(request, queryset, services.freeze)

    @admin.action(description=_("Unfreeze the entries"), permissions=["change"])
    def unfreeze(self, request: HttpRequest, queryset: QuerySet[Tournament]) -> None:
        """Versions enter again."""
        self._each(request, queryset, services.unfreeze)

    @admin.action(description=_("Cancel for good"), permissions=["change"])
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
