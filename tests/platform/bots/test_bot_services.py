"""Making bots and versions, the steps of validation, who may see what."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.models import User
from accounts.services import demo_account, house_account
from arena.house import pack
from bots import host, queries, services, store
from bots.errors import DuplicateUpload, NameTaken, UploadLost, UploadRefused
from bots.house import upload_house_bots
from bots.models import Bot, Version, VersionLog, VersionStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def bot(owner: User) -> Bot:
    return services.create_bot(owner, "Бот 🂡")


def test_an_upload_becomes_the_next_version_and_waits_for_validation(
    bot: Bot, queued: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        first = services.submit_version(bot, "a.py", b"1\n")
    second = services.submit_version(bot, "a.py", b"2\n")
    assert (first.number, second.number) == (1, 2)
    assert first.status == VersionStatus.PENDING
    assert store.load(first.sha256) == b"1\n"
    assert queued("validation") == 1


def test_the_same_content_again_is_said_to_be_so(bot: Bot) -> None:
    services.submit_version(bot, "a.py", b"1\n")
    services.submit_version(bot, "a.py", b"2\n")
    with pytest.raises(DuplicateUpload) as refused:
        services.submit_version(bot, "b.py", b"1\n")
    assert refused.value.number == 1
    assert "version 1" in refused.value.message
    assert bot.versions.count() == 2


def test_another_bot_may_have_the_same_content(bot: Bot, owner: User) -> None:
    other = services.create_bot(owner, "other")
    one, two = (services.submit_version(of, "a.py", b"1\n") for of in (bot, other))
    assert one.sha256 == two.sha256


def test_fc069_a_second_version_is_checked_like_the_first(bot: Bot) -> None:
    services.submit_version(bot, "a.py", b"1\n")
    with pytest.raises(UploadRefused):
        services.submit_version(bot, "a.py", b"def\n")
    assert bot.versions.count() == 1


def test_names_that_look_the_same_are_taken(bot: Bot) -> None:
    stranger = User.objects.create_user("stranger")
    with pytest.raises(NameTaken):
        services.create_bot(stranger, "бот  🂡")


def test_a_version_is_validated_by_one_caller_alone(bot: Bot) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    assert services.claim(version.pk) is not None
    assert services.claim(version.pk) is None


def test_a_faulty_host_is_not_the_bots_fault_and_is_tried_again(bot: Bot) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    for attempt in range(1, services.MAX_ATTEMPTS + 1):
        claimed = services.claim(version.pk)
        assert claimed is not None
        services.give_back(claimed, "no sandbox")
        version.refresh_from_db()
        assert (version.status, version.attempts) == (VersionStatus.PENDING, attempt)
        assert "not at fault" in version.message
    assert services.sweep() == 0


def test_a_lost_validation_is_sent_again(bot: Bot) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    services.claim(version.pk)
    Version.objects.update(
        lease_until=timezone.now(), created_at=timezone.now() - timezone.timedelta(minutes=1)
    )
    assert services.sweep() == 1
    version.refresh_from_db()
    assert version.status == VersionStatus.PENDING


def test_a_rejected_version_can_be_validated_again_and_an_accepted_one_need_not(bot: Bot) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    claimed = services.claim(version.pk)
    assert claimed is not None
    services.reject(claimed, "why", "3.11.7", VersionLog(stderr="trace"))
    assert services.validate_again(version)
    claimed = services.claim(version.pk)
    assert claimed is not None
    services.accept(claimed, "3.11.7", VersionLog())
    assert not services.validate_again(version)
    version.refresh_from_db()
    assert version.status == VersionStatus.ACCEPTED


def test_fc075_logs_are_for_owner_and_staff_alone(bot: Bot, owner: User) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    claimed = services.claim(version.pk)
    assert claimed is not None
    services.reject(claimed, "why", "3.11.7", VersionLog(stderr="secret"))
    staff = User.objects.create_user("staff", is_staff=True)
    stranger = User.objects.create_user("stranger")
    seen = [
        queries.version_log(version, viewer) for viewer in (owner, staff, stranger, AnonymousUser())
    ]
    assert [log.stderr if log else None for log in seen] == ["secret", "secret", None, None]


def test_a_changed_file_in_the_store_is_noticed(bot: Bot, state: Any) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    (path,) = (state / "uploads").glob("*/*")
    path.write_bytes(b"2\n")
    with pytest.raises(UploadLost, match="damaged"):
        store.load(version.sha256)
    path.unlink()
    with pytest.raises(UploadLost):
        store.load(version.sha256)


def test_house_bots_are_uploaded_once() -> None:
    new = upload_house_bots()
    assert {version.bot.name for version in new} >= {"random", "greedy", "tactician"}
    assert all(version.bot.house for version in new)
    assert upload_house_bots() == []


def test_nobody_can_log_in_as_the_house() -> None:
    assert not house_account().has_usable_password()
    assert house_account() == house_account()


def test_the_demo_login_has_the_password_that_was_drawn() -> None:
    demo_account("demo", "first")
    assert demo_account("demo", "second").check_password("second")


def test_own_bots_come_with_their_versions_in_two_queries(
    bot: Bot, owner: User, django_assert_num_queries: Any
) -> None:
    for number in range(5):
        services.submit_version(bot, "a.py", f"{number}\n".encode())
    with django_assert_num_queries(2):
        (mine,) = queries.own_bots(owner)
        assert [version.number for version in mine.versions_newest] == [5, 4, 3, 2, 1]
    assert mine.version_count == 5


def test_a_disk_that_refuses_an_upload_is_no_crash_and_not_the_uploaders_fault(
    bot: Bot, state: Any
) -> None:
    (state / "uploads").write_text("a file where the folder should be")
    with pytest.raises(UploadRefused, match="not at fault"):
        services.submit_version(bot, "a.py", b"1\n")
    assert bot.versions.count() == 0


def test_an_upload_with_a_very_long_file_name_can_be_read_again(bot: Bot) -> None:
    files = {"bot.py": b"print(1)\n", "data.bin": b"1"}
    version = services.submit_version(bot, "б" * 250 + ".zip", pack(files))
    assert host.entrant(version).files == files


def test_a_stored_upload_that_cannot_be_read_is_our_fault(bot: Bot) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    Version.objects.filter(pk=version.pk).update(file_name="a.zip")
    version.refresh_from_db()
    with pytest.raises(UploadLost):
        host.entrant(version)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_loses_no_upload(bot: Bot, celery_app: Any, tmp_path: Any) -> None:
    for name in ("broker_url", "broker_read_url", "broker_write_url"):
        celery_app.conf[name] = f"redis+socket://{tmp_path}/nobody.sock"
    version = services.submit_version(bot, "a.py", b"1\n")
    version.refresh_from_db()
    assert version.status == VersionStatus.PENDING


def test_lost_validations_are_sent_again_once_and_not_at_every_sweep(
    bot: Bot, queued: Any, django_capture_on_commit_callbacks: Any
) -> None:
    for number in range(3):
        services.submit_version(bot, "a.py", b"n = %d\n" % number)
    long_ago = timezone.now() - timedelta(minutes=1)
    Version.objects.update(created_at=long_ago)
    for _ in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            services.sweep()
    assert queued("validation") == 3


def test_a_validation_that_is_lost_too_often_says_that_a_person_must_look(bot: Bot) -> None:
    version = services.submit_version(bot, "a.py", b"1\n")
    for _ in range(services.MAX_ATTEMPTS):
        assert services.claim(version.pk) is not None
        Version.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        services.sweep()
    version.refresh_from_db()
    assert version.status == VersionStatus.PENDING
    assert "not at fault" in version.message
    assert "operators" in version.message
