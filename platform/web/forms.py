"""Forms: they read what was sent; what is right is decided by the services."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from bots.names import NAME_LENGTH
from matches.models import RulingKind
from matches.models.ruling import REASON_LENGTH
from matches.queries import ANY_FAULT, MatchFilter
from tournaments.models import Tournament
from web.converters import LARGEST
from web.words.faults import FAULT_NAMES, fault_name


class VersionForm(forms.Form):
    """A new version of a bot: one file."""

    file = forms.FileField(
        label=_("The bot's file"),
        help_text=_("A .py file, or a .zip with bot.py in it."),
        allow_empty_file=True,  # the reader of uploads says what an empty file lacks
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".py,.zip"}),
    )


class BotForm(VersionForm):
    """A new bot: its name and its first version."""

    name = forms.CharField(
        label=_("Name"),
        help_text=_("What everyone sees in the standings, up to 64 characters."),
        widget=forms.TextInput(attrs={"maxlength": NAME_LENGTH, "autocomplete": "off"}),
    )

    field_order = ("name", "file")


class DisputeForm(forms.Form):
    """Why a result is said to be wrong."""

    reason = forms.CharField(
        label=_("What is wrong with this result?"),
        help_text=_("The organisers and the owners of the two bots read it."),
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": REASON_LENGTH}),
    )


class RulingForm(forms.Form):
    """What the organisers decide about a match, and why."""

    kind = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            (RulingKind.CONFIRM, _("confirm: it stays as it is")),
            (RulingKind.VOID, _("void: it counts in no total")),
            (RulingKind.REPLAY, _("play again, from the same seed")),
        ],
    )
    why = forms.CharField(
        label=_("Why"),
        help_text=_("Everybody reads it, and it stays."),
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": REASON_LENGTH}),
    )


class MatchFilters(forms.Form):
    """Which matches to list."""

    tournament = forms.ModelChoiceField(
        label=_("Tournament"),
        queryset=Tournament.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("all tournaments"),
    )
    fault = forms.ChoiceField(label=_("How it ended"), required=False)
    bot = forms.IntegerField(
        required=False, min_value=1, max_value=LARGEST, widget=forms.HiddenInput
    )
    version = forms.IntegerField(
        required=False, min_value=1, max_value=LARGEST, widget=forms.HiddenInput
    )

    def __init__(self, tournaments: QuerySet[Tournament], data: Any) -> None:
        super().__init__(data)
        self.fields["tournament"].queryset = tournaments  # type: ignore[attr-defined]  # a Field to mypy
        self.fields["fault"].choices = [  # type: ignore[attr-defined]  # a Field to mypy
            ("", _("in any way")),
            (ANY_FAULT, _("by a fault")),
            *((name, fault_name(name)) for name in FAULT_NAMES),
        ]

    def wanted(self) -> MatchFilter:
        """What was asked for; a field that cannot be read narrows nothing."""
        self.is_valid()
        asked = self.cleaned_data
        tournament = asked.get("tournament")
        return MatchFilter(
            bot=asked.get("bot"),
            version=asked.get("version"),
            tournament=None if tournament is None else tournament.pk,
            fault=asked.get("fault", ""),
        )
