"""The admin: a tournament is made, filled and started there; every list opens."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from bots import pausing
from matches.models import Pairing, PairingStatus
from ratings.services import refit_all
from tournaments.audit import audit_and_keep
from tournaments.models import Tournament, TournamentStatus
from tournaments.options import default_limits
from tournaments.pump import pump

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client


def form(**changes: Any) -> dict[str, Any]:
    import json

    fields = {
        "name": "Cup", "slug": "cup", "preset": "santase-bg", "pairs_per_pairing": 3, "cycles": 1,
        "limits": json.dumps(default_limits()),
    }  # fmt: skip
    return {**fields, **changes}


def test_a_tournament_is_made_with_a_secret_of_its_own(boss: Client) -> None:
    assert boss.post(reverse("admin:tournaments_tournament_add"), form()).status_code == 302
    made = Tournament.objects.get()
    assert (made.slug, made.pairs_per_pairing, len(made.secret)) == ("cup", 3, 64)
    page = boss.get(reverse("admin:tournaments_tournament_change", args=[made.pk]))
    assert page.status_code == 200
    assert made.secret not in page.content.decode()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"limits": ""}, "required"),
        ({"limits": '{"move_ms": 1}'}, "lacks"),
        ({"limits": "nonsense"}, "valid JSON"),
        ({"slug": "A B"}, "slug"),
        ({"pairs_per_pairing": 0}, "pairs"),
        ({"name": ""}, "required"),
    ],
)
def test_fc031_a_wrong_field_is_refused_in_the_form(
    boss: Client, changes: dict[str, Any], says: str
) -> None:
    answer = boss.post(reverse("admin:tournaments_tournament_add"), form(**changes))
    assert answer.status_code == 200
    assert says in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_tournament_is_filled_started_paused_and_cancelled_by_actions(
    boss: Client, made: Any
) -> None:
    made.version()
    made.version()
    boss.post(reverse("admin:tournaments_tournament_add"), form())
    tournament = Tournament.objects.get()

    def act(action: str) -> str:
        boss.post(
            reverse("admin:tournaments_tournament_changelist"),
            {"action": action, "_selected_action": [tournament.pk]},
        )
        tournament.refresh_from_db()
        return tournament.status

    act("enter_all")
    assert tournament.entries.count() == 2
    steps = [act(action) for action in ("start", "start", "pause", "cancel", "start")]
    assert steps == ["running", "running", "paused", "cancelled", "cancelled"]


def test_the_entries_are_frozen_and_unfrozen_by_actions(boss: Client, made: Any) -> None:
    tournament = made.tournament(2)
    for action, frozen in (("freeze", True), ("freeze", True), ("unfreeze", False)):
        boss.post(
            reverse("admin:tournaments_tournament_changelist"),
            {"action": action, "_selected_action": [tournament.pk]},
        )
        tournament.refresh_from_db()
        assert tournament.frozen is frozen


def test_every_format_is_made_in_the_form(boss: Client, made: Any) -> None:
    version = made.version()
    for name, fields in (
        ("gauntlet", {"challenger": version.pk}),
        ("ladder", {"pairs_per_pairing": 1}),
        ("sequential", {"challenger": version.pk, "elo1": "40", "max_pairs": "60"}),
    ):
        answer = boss.post(
            reverse("admin:tournaments_tournament_add"),
            form(name=name, slug=name, format=name, **fields),
        )
        assert answer.status_code == 302, answer.content.decode()
        made_one = Tournament.objects.get(slug=name)
        assert made_one.format == name
        page = boss.get(reverse("admin:tournaments_tournament_change", args=[made_one.pk]))
        assert page.status_code == 200
        for period in made_one.periods.all():
            assert period.commitment in page.content.decode()
            assert period.secret not in page.content.decode()
    refused = boss.post(
        reverse("admin:tournaments_tournament_add"), form(slug="x", format="gauntlet")
    )
    assert "name it as the challenger" in refused.content.decode()


@pytest.mark.parametrize(("format", "pairs"), [("round_robin", 10), ("ladder", 1)])
def test_pairs_that_are_left_empty_follow_from_the_format(
    boss: Client, format: str, pairs: int
) -> None:
    address = reverse("admin:tournaments_tournament_add")
    offered = boss.get(address).context["adminform"].form["pairs_per_pairing"].value()
    assert offered is None
    answer = boss.post(address, form(format=format, pairs_per_pairing=""))
    assert answer.status_code == 302, answer.content.decode()
    assert Tournament.objects.get().pairs_per_pairing == pairs


def test_a_paused_version_is_let_play_again_by_an_action(boss: Client, made: Any) -> None:
    version = made.version()
    pausing.pause(version.pk)
    for _ in range(2):
        answer = boss.post(
            reverse("admin:bots_version_changelist"),
            {"action": "resume", "_selected_action": [version.pk]},
            follow=True,
        )
    assert "is not paused" in answer.content.decode()
    version.refresh_from_db()
    assert version.paused_at is None


def test_the_admin_speaks_bulgarian(boss: Client, made: Any) -> None:
    made.tournament(2)
    address = reverse("admin:tournaments_tournament_changelist")
    page = boss.get(address, headers={"accept-language": "bg"}).content.decode()
    for words in ("Замразяване на записванията", "Отменяне завинаги", "един срещу всички"):
        assert words in page


def test_a_parked_pairing_is_sent_again(boss: Client, made: Any) -> None:
    pump(made.tournament(2).pk)
    Pairing.objects.update(status=PairingStatus.PARKED)
    boss.post(
        reverse("admin:matches_pairing_changelist"),
        {"action": "send_again", "_selected_action": [Pairing.objects.get().pk]},
    )
    assert Pairing.objects.get().status == PairingStatus.QUEUED


def test_fc136_every_list_and_every_page_of_the_admin_opens(boss: Client, made: Any) -> None:
    tournament = made.tournament(2)
    pump(tournament.pk)
    made.play(Pairing.objects.get())
    for model in (
        "accounts_user", "bots_bot", "bots_version", "matches_pairing", "matches_match",
        "matches_seatlog", "matches_workerstatus", "ratings_snapshot", "tournaments_tournament",
    ):  # fmt: skip
        listed = boss.get(reverse(f"admin:{model}_changelist"))
        assert listed.status_code == 200, model
        for obj in listed.context["cl"].result_list:
            page = boss.get(reverse(f"admin:{model}_change", args=[obj.pk]))
            assert page.status_code == 200, model
    assert tournament.status == TournamentStatus.RUNNING


def test_staff_with_no_right_to_change_can_neither_see_nor_do(made: Any) -> None:
    clerk = Client()
    clerk.force_login(User.objects.create_user("clerk", is_staff=True))
    tournament = made.tournament(2)
    pump(tournament.pk)
    Pairing.objects.update(status=PairingStatus.PARKED)
    answer = clerk.post(
        reverse("admin:matches_pairing_changelist"),
        {"action": "send_again", "_selected_action": [Pairing.objects.get().pk]},
    )
    assert answer.status_code == 403
    assert Pairing.objects.get().status == PairingStatus.PARKED


def test_staff_who_may_only_look_have_no_actions(made: Any) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(
        *Permission.objects.filter(codename__in=["view_tournament", "view_version", "view_pairing"])
    )
    client = Client()
    client.force_login(reader)
    tournament = made.tournament(2)
    client.post(
        reverse("admin:tournaments_tournament_changelist"),
        {"action": "cancel", "_selected_action": [tournament.pk]},
    )
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    for model in ("bots_version", "matches_pairing", "tournaments_tournament"):
        page = client.get(reverse(f"admin:{model}_changelist"))
        assert page.status_code == 200
        assert b'name="action"' not in page.content


def test_a_bots_name_and_a_versions_verdict_are_not_written_by_hand(
    boss: Client, made: Any
) -> None:
    version = made.version()
    assert boss.get(reverse("admin:bots_bot_add")).status_code == 403
    bot_page = reverse("admin:bots_bot_change", args=[version.bot_id])
    boss.post(bot_page, {"name": "other", "owner": version.bot.owner_id})
    fields = boss.get(reverse("admin:bots_version_change", args=[version.pk])).content.decode()
    assert 'name="status"' not in fields
    version.bot.refresh_from_db()
    assert version.bot.name != "other"


def test_standings_and_audits_are_not_deleted_by_hand(boss: Client, made: Any) -> None:
    tournament = made.tournament(2)
    pump(tournament.pk)
    made.play(Pairing.objects.get())
    refit_all()
    audit = audit_and_keep(sample=0)
    for model, kept in (("snapshot", tournament.snapshot), ("audit", audit)):
        address = reverse(f"admin:ratings_{model}_delete", args=[kept.pk])
        assert boss.post(address, {"post": "yes"}).status_code == 403
        boss.post(
            reverse(f"admin:ratings_{model}_changelist"),
            {"action": "delete_selected", "_selected_action": [kept.pk], "post": "yes"},
        )
        kept.refresh_from_db()
