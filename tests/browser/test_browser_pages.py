from collections.abc import Iterator

import pytest
from arena_site import FIRST_BOT, PATIENCE_MS, Site, heard_from
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PUBLIC = [
    "/",
    "/tournaments/",
    "/tournaments/house/",
    "/matches/",
    "/bots/",
    "/formats/",
    "/rules/",
    "/protocol/",
]
ENTRANCE = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nothing/here"]
OWN = ["/bots/mine/", "/bots/new/", "/accounts/password/change/", "/accounts/email/"]


@pytest.fixture(scope="module")
def addresses(site: Site, browser: Browser) -> Iterator[tuple[dict, list[str]]]:
    """A signed-in author's session, and the addresses of every kind of page."""
    context = browser.new_context()
    page = context.new_page()
    name = site.sign_up(page)
    site.send_in(page, f"Съвсем дългото име на бота <b>& 🂡</b> {name}"[:64], "raise LookupError\n")
    site.wait_for(page, "rejected")
    own_bot = page.url.removeprefix(site.address)
    page.goto(site.at("/matches/"))
    match = page.locator("table a[href^='/matches/']").last
    expect(match).to_be_visible(timeout=PATIENCE_MS)
    found = [own_bot, f"{own_bot}submit/", match.get_attribute("href")]
    page.goto(site.at("/tournaments/house/"))
    rating = page.locator("table a[href*='/versions/']").first
    expect(rating).to_be_visible(timeout=PATIENCE_MS)
    found += [rating.get_attribute("href"), "/tournaments/house/compare/"]
    for format, options in (
        ("ladder", ["--bots", "all"]),
        ("sequential", ["--challenger", "greedy", "--bots", "random"]),
    ):
        site.manage("tournament", "create", format, "--format", format, *options)
        found.append(f"/tournaments/{format}/")
    yield context.storage_state(), [*PUBLIC, *OWN, *found]
    context.close()


def look(page: Page, site: Site, address: str) -> None:
    page.goto(site.at(address))
    expect(page.locator("h1")).to_be_visible()


SCHEMES = [
    pytest.param("light", "en", {"resultTypes": ["violations"]}, id="light"),
    # By night only the colours differ.
    pytest.param("dark", "bg-BG", {"runOnly": ["color-contrast"]}, id="dark"),
]


@pytest.mark.parametrize(("scheme", "language", "checks"), SCHEMES)
def test_axe_finds_nothing_on_any_page(
    site: Site, browser: Browser, addresses, scheme, language, checks
):
    session, own = addresses
    for state, pages in ((None, ENTRANCE), (session, own)):
        context = browser.new_context(color_scheme=scheme, storage_state=state, locale=language)
        page = context.new_page()
        for address in pages:
            look(page, site, address)
            found = Axe().run(page, options=checks)
            assert found.response["passes"], address
            assert found.violations_count == 0, f"{address}: {found.generate_report()}"
        context.close()


@pytest.mark.parametrize("language", ["en", "bg-BG"])
def test_no_page_scrolls_sideways_at_360_pixels_or_makes_the_console_complain(
    site: Site, browser: Browser, addresses, language
):
    session, own = addresses
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, storage_state=session, locale=language
    )
    page = context.new_page()
    complaints = heard_from(page)
    for address in own:
        look(page, site, address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
    assert complaints == []
    context.close()


@pytest.mark.parametrize(("scheme", "language", "checks"), SCHEMES)
def test_the_staff_reads_on_a_phone_what_the_worker_has_found(
    site: Site, browser: Browser, scheme, language, checks
):
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, locale=language
    )
    page = context.new_page()
    site.sign_in_as_staff(page)
    complaints = heard_from(page)
    look(page, site, "/doctor/")
    page.locator("main details > summary").first.click()
    expect(page.get_by_text("system calls can be filtered")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = Axe().run(page, options=checks)
    assert found.response["passes"]
    assert found.violations_count == 0, found.generate_report()
    assert complaints == []
    context.close()


@pytest.mark.parametrize(("scheme", "language", "checks"), SCHEMES)
def test_the_staff_has_a_desk_and_decides_on_a_phone(
    site: Site, browser: Browser, addresses, scheme, language, checks
):
    match = next(each for each in addresses[1] if each.startswith("/matches/") and each[9:])
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, locale=language
    )
    page = context.new_page()
    site.sign_in_as_staff(page)
    complaints = heard_from(page)
    look(page, site, match)
    page.locator("form[action$='/decide/']").locator("xpath=..").locator("summary").click()
    page.locator("[name=why]").fill(f"Looked at it {scheme}")
    page.locator("form[action$='/decide/'] button").click()
    expect(page.get_by_text(f"Looked at it {scheme}")).to_be_visible()
    for address in (match, "/desk/"):
        look(page, site, address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
        found = Axe().run(page, options=checks)
        assert found.response["passes"], address
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"
    expect(page.get_by_text(f"Looked at it {scheme}")).to_be_visible()
    assert complaints == []
    context.close()


def test_what_is_tapped_on_a_phone_is_large_enough(site: Site, browser: Browser):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    look(page, site, "/")
    for target in page.locator("header a, header button, .button").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44, target.inner_text()
    context.close()


def test_everything_works_without_javascript(site: Site, browser: Browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    site.sign_up(page)
    site.send_in(page, f"No script {page.url[-3:]}", FIRST_BOT.read_text(encoding="utf-8"))
    for _ in range(60):
        page.reload()
        if page.get_by_text("accepted").count():
            break
        page.wait_for_timeout(500)
    expect(page.get_by_text("accepted").first).to_be_visible()
    page.goto(site.at("/matches/?fault="))
    page.locator("table a[href^='/matches/']").last.click()
    page.get_by_role("link", name="one action on").click()
    expect(page.locator("[data-text=words]")).to_contain_text("leads")
    page.get_by_role("button", name="Български").click()
    expect(page.get_by_role("link", name="Свалете записа")).to_be_visible()
    context.close()


def test_a_keyboard_reaches_the_content_first_and_sees_where_it_is(site: Site, page: Page):
    look(page, site, "/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(site.at("/#main"))
