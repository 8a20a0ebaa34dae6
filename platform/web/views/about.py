"""Pages of prose: the rules, the protocol, the keys that sealed the replays."""

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from msgspec import to_builtins

from arena.pairing import FAULTS_IN_A_ROW, LONGEST_GAP_S
from arena.protocol import Limits
from arena.santase import OPTIONS, PRESETS
from replays import store
from web.words.faults import FAULT_NAMES

_FIRST_BOT = Path(__file__).parent.parent / "static" / "web" / "first_bot.py"


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules in short, by the numbers that verdicts name, and the rule sets."""
    rows = [
        {"name": option, "values": [_shown(getattr(each, option)) for each in PRESETS.values()]}
        for option in OPTIONS
    ]
    context = {"section": "rules", "text": _text("rules"), "presets": PRESETS, "options": rows}
    return render(request, "web/rules.html", context)


@require_safe
def protocol(request: HttpRequest) -> HttpResponse:
    """The protocol in short, with a whole bot and the default limits."""
    context = {
        "text": _text("protocol"),
        "limits": Limits(),
        "faults": FAULT_NAMES,
        "first_bot": first_bot(),
    }
    return render(request, "web/protocol.html", context)


@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """How tournaments are played, and what becomes of who leaves or fails."""
    context = {
        "section": "tournaments",
        "text": _text("formats"),
        "in_a_row": FAULTS_IN_A_ROW,
        "gap_min": round(LONGEST_GAP_S / 60),
    }
    return render(request, "web/formats.html", context)


@cache
def first_bot() -> str:
    """The source of the bot that the protocol page shows and offers."""
    return _FIRST_BOT.read_text(encoding="utf-8")


def _text(name: str) -> str:
    """The template of a page of prose in the reader's language."""
    language = "bg" if (get_language() or "").startswith("bg") else "en"
    return f"web/text/{name}_{language}.html"


def _shown(value: object) -> str:
    """An option's value as the messages write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@require_safe
def keys(request: HttpRequest) -> JsonResponse:
    """The public keys that seal replays, with their dates; `santase verify --key` reads this."""
    public = [to_builtins(key) for key in store.public_keys()]
    return JsonResponse(public, safe=False, json_dumps_params={"indent": 1})
