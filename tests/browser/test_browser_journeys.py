import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from arena_site import FIRST_BOT, PATIENCE_MS, Site
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

BROKEN = """
import sys
print("looking for my cards", file=sys.stderr)
raise LookupError("no cards in the sleeve")
"""


def new_name(what: str) -> str:
    return f"{what} {secrets.token_hex(3)}"


def test_from_signing_up_to_a_replay_that_proves_itself(
    site: Site, page: Page, complaints: list[str], tmp_path: Path
):
    site.sign_up(page)
    name = new_name("Първи бот 🂡")
    site.send_in(page, name, FIRST_BOT.read_text(encoding="utf-8"))
    site.wait_for(page, "accepted")

    page.get_by_role("link", name="House", exact=False).first.click()
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_be_visible(timeout=PATIENCE_MS)
    row.get_by_role("link", name=name).click()
    match = page.locator("table a[href^='/matches/']").first
    expect(match).to_be_visible(timeout=PATIENCE_MS)
    match.click()

    page.reload()
    expect(page.locator("[data-play]")).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-text=words]")).to_contain_text("leads")
    expect(page.locator("[data-zone=hand0] img").first).to_have_js_property("complete", True)

    with page.expect_download() as started:
        page.get_by_role("link", name="Download the replay").click()
    replay = tmp_path / started.value.suggested_filename
    started.value.save_as(replay)
    assert replay.name.endswith(".jsonl")
    keys = tmp_path / "keys.json"
    keys.write_text(page.request.get(site.at("/keys.json")).text())
    proof = subprocess.run(
        [sys.executable, "-m", "arena", "verify", str(replay), "--key", str(keys), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(proof.stdout)["ok"] is True, proof.stdout + proof.stderr
    assert proof.returncode == 0
    assert complaints == []


def test_fc072_the_owner_of_a_failing_bot_sees_why_and_others_do_not(
    site: Site, page: Page, browser: Browser
):
    site.sign_up(page)
    site.send_in(page, new_name("Sleeve"), BROKEN)
    site.wait_for(page, "rejected")
    expect(page.locator("main")).to_contain_text("no cards in the sleeve")
    expect(page.locator("main")).to_contain_text("exit code 1")

    stranger = browser.new_context().new_page()
    stranger.goto(page.url)
    expect(stranger.locator("main")).to_contain_text("rejected")
    expect(stranger.locator("main")).not_to_contain_text("no cards in the sleeve")
    log = page.get_by_role("link", name="Download all of it").get_attribute("href")
    assert log is not None
    assert "LookupError" in page.request.get(site.at(log)).text()
    assert stranger.request.get(site.at(log)).status == 404
    stranger.context.close()


def test_a_refused_file_is_explained_beside_its_field_and_the_name_is_kept(site: Site, page: Page):
    site.sign_up(page)
    page.goto(site.at("/bots/new/"))
    page.locator("#id_name").fill("Kept name")
    page.locator("#id_file").set_input_files(
        [{"name": "bot.py", "mimeType": "text/x-python", "buffer": b"def move(:\n"}]
    )
    page.locator("main form button").click()
    expect(page.locator("#id_file_error")).to_contain_text("bot.py, line 1: invalid syntax")
    expect(page.locator("#id_name")).to_have_value("Kept name")
    expect(page.locator("#id_file")).to_have_attribute("aria-invalid", "true")


def test_the_language_is_switched_on_the_page_one_is_on(site: Site, page: Page):
    page.goto(site.at("/rules/"))
    page.get_by_role("button", name="Български").click()
    expect(page).to_have_url(site.at("/rules/"))
    expect(page.locator("h1")).to_have_text("Как се играе сантасе тук")
    page.goto(site.at("/matches/"))
    expect(page.locator("h1")).to_have_text("Мачове")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Matches")


def test_standings_move_by_themselves(site: Site, page: Page, complaints: list[str]):
    page.goto(site.at("/tournaments/house/"))
    part = page.locator("[data-live]")
    part.evaluate("part => part.querySelector('progress').value = -1")
    expect(part.locator("progress")).not_to_have_attribute("value", "-1", timeout=PATIENCE_MS)
    before = part.inner_text()
    page.wait_for_function(
        "before => document.querySelector('[data-live]').innerText !== before",
        arg=before,
        timeout=PATIENCE_MS,
    )
    assert complaints == []
