import re

import pytest
from arena_site import FIRST_BOT, PATIENCE_MS, Site, heard_from
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

TALKER = FIRST_BOT.read_text(encoding="utf-8").replace(
    '"action": ', '"note": "noted at %d" % message["id"], "action": '
)

SAME_AS_THE_SERVER = """
async parts => {
  const tidy = part => {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const blank = [];
    while (walker.nextNode()) if (!walker.currentNode.data.trim()) blank.push(walker.currentNode);
    for (const text of blank) text.remove();
    part.normalize();
    return part;
  };
  const { at, seat } = document.querySelector("[data-player]").dataset;
  const answer = await fetch(`?at=${at}${seat === "" ? "" : `&seat=${seat}`}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return parts.filter(part => {
    const [drawn, sent] = [document, page].map(each => each.querySelector(part));
    return !tidy(drawn.cloneNode(true)).isEqualNode(tidy(sent.cloneNode(true)));
  });
}
"""


@pytest.fixture(scope="module")
def match(site: Site, browser: Browser) -> str:
    """The address of a match that was played to its end and is published."""
    page = browser.new_page()
    page.goto(site.at("/matches/"))
    first = page.locator("table a[href^='/matches/']").last
    site.reload_until(page, first)
    address = first.get_attribute("href")
    assert address is not None
    page.goto(site.at(address))
    site.reload_until(page, page.locator("[data-player]"))
    page.close()
    return address


def watch(page: Page, site: Site, address: str) -> None:
    """Opens a match and waits until its script has taken over."""
    page.goto(site.at(address))
    expect(page.locator("[data-play]")).to_be_visible()


def place(page: Page) -> int:
    return int(page.locator("[data-player]").get_attribute("data-at") or "")


def last(page: Page) -> int:
    return int(page.locator("[data-scrub]").get_attribute("max") or "")


def test_a_match_is_followed_by_keyboard(site: Site, page: Page, match: str, complaints: list[str]):
    watch(page, site, match)
    expect(page.locator(".keys")).to_be_visible()
    current = page.locator("[data-events] [aria-current=step]")
    page.keyboard.press("ArrowRight")
    assert place(page) == 1
    expect(current).to_contain_text("leads")
    expect(page.locator("[data-text=words]")).to_have_text(current.inner_text())
    expect(page.locator("[aria-live] [data-text=words]")).to_contain_text("leads")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert place(page) == 1
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-text=after]")).to_contain_text("takes the trick")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator(".reel h2")).to_have_text("Deal 2")
    expect(page.locator("[data-deals] [aria-current]")).to_have_text(re.compile("^2"))
    page.keyboard.press("Shift+ArrowUp")
    assert place(page) == 0
    page.keyboard.press("Shift+End")
    assert place(page) == last(page)
    expect(page.locator("[data-text=after]")).to_contain_text("wins the match")
    page.keyboard.press("ArrowRight")
    assert place(page) == last(page)
    page.keyboard.press("Shift+Home")
    assert place(page) == 0
    page.locator("[data-step=on]").focus()
    page.keyboard.press("Enter")
    assert place(page) == 1
    expect(page.locator("[data-step=on]")).to_be_focused()
    assert complaints == []


def test_the_address_follows_and_leads_back_to_the_same_position(
    site: Site, page: Page, browser: Browser, match: str
):
    watch(page, site, match)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.locator("[data-view='1']").click()
    expect(page).to_have_url(site.at(f"{match}?at=5&seat=1#player"))
    words = page.locator("[data-text=words]").inner_text()
    other = browser.new_context(java_script_enabled=False)
    shown = other.new_page()
    shown.goto(page.url)
    expect(shown.locator("[data-text=words]")).to_have_text(words)
    expect(shown.locator("[data-view='1']")).to_have_attribute("aria-current", "true")
    here = f"{match}?at=5&seat=1#player"
    assert page.locator("[data-share]").get_attribute("href") == here
    page.get_by_role("button", name="Български").click()
    expect(page).to_have_url(site.at(here))
    expect(page.locator("[data-text=trick]")).to_contain_text("Взятка")
    page.get_by_role("button", name="English").click()
    other.close()


def test_a_link_to_a_position_is_copied_followed_or_opened_as_the_reader_wants(
    site: Site, page: Page, match: str, complaints: list[str]
):
    page.add_init_script("navigator.clipboard.writeText = async () => { throw new Error('no'); }")
    watch(page, site, match)
    page.keyboard.press("ArrowRight")
    here = site.at(f"{match}?at=1#player")
    expect(page).to_have_url(here)
    with page.context.expect_page() as opened:
        page.locator("[data-share]").click(modifiers=["Control"])
    opened.value.wait_for_url(here)
    opened.value.close()
    page.evaluate(
        "() => { navigation.onnavigate = to => { window.followed = to.destination.url; }; }"
    )
    page.locator("[data-share]").click()
    page.wait_for_function("here => window.followed === here", arg=here)
    expect(page.locator("[data-copied]")).to_be_empty()
    page.evaluate(
        "() => { navigator.clipboard.writeText = async text => { window.copied = text; }; }"
    )
    page.locator("[data-share]").click()
    expect(page.locator("[data-copied]")).to_have_text("Copied.")
    assert page.evaluate("window.copied") == here
    assert complaints == []


def test_the_keys_also_work_on_the_slider_which_says_deal_and_trick(
    site: Site, page: Page, match: str
):
    watch(page, site, match)
    slider = page.locator("[data-scrub]")
    slider.focus()
    expect(slider).to_have_attribute("aria-valuetext", "Deal 1")
    page.keyboard.press("ArrowRight")
    assert place(page) == 1
    expect(slider).to_have_attribute("aria-valuetext", "Deal 1, Trick 1")
    page.keyboard.press("Shift+ArrowDown")
    expect(slider).to_have_attribute("aria-valuetext", "Deal 2")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="pause")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="play", exact=True)).to_be_visible()


@pytest.mark.parametrize("seat", ["", "0", "1"])
def test_what_the_script_draws_is_what_the_server_sends_for_the_same_position(
    site: Site, page: Page, match: str, seat: str, complaints: list[str]
):
    watch(page, site, f"{match}?at=0{seat and f'&seat={seat}'}")
    parts = ["[data-felt]", "[data-events]", "[data-deals]", "[data-views]", ".caption"]
    for step in range(45):
        if step:
            page.keyboard.press("ArrowRight")
        assert page.evaluate(SAME_AS_THE_SERVER, parts) == [], place(page)
    for key in ("Shift+End", "ArrowLeft", "Shift+ArrowUp", "Shift+ArrowLeft"):
        page.keyboard.press(key)
        assert page.evaluate(SAME_AS_THE_SERVER, parts) == [], key
    assert complaints == []


def test_it_plays_by_itself_until_it_is_paused(site: Site, page: Page, match: str):
    watch(page, site, match)
    page.locator("[data-speed]").select_option("500")
    page.locator("[data-play]").click()
    expect(page.get_by_role("button", name="pause")).to_be_visible()
    expect(page.locator("[data-player]")).to_have_attribute("data-at", "3")
    page.locator("[data-play]").click()
    expect(page.get_by_role("button", name="play", exact=True)).to_be_visible()
    stopped = place(page)
    page.wait_for_timeout(1_500)
    assert place(page) == stopped
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator("[data-player]")).not_to_have_attribute("data-at", str(stopped))
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="play", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator("[data-speed]")).to_have_value("500")


def test_without_a_script_every_step_is_a_link(site: Site, browser: Browser, match: str):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.at(match))
    expect(page.locator("[data-play], [data-scrub], .keys")).to_have_count(3)
    for hidden in page.locator("[data-play], [data-scrub], .keys").all():
        expect(hidden).to_be_hidden()
    page.get_by_role("link", name="one action on").click()
    expect(page.locator("[data-events] [aria-current=step]")).to_contain_text("leads")
    page.get_by_role("link", name="one trick on").click()
    expect(page.locator("[data-text=after]")).to_contain_text("takes the trick")
    page.locator("[data-deals] a").nth(1).click()
    expect(page.locator(".reel h2")).to_have_text("Deal 2")
    page.locator("[data-events] a[data-at]").nth(3).click()
    expect(page.locator("[data-events] a[data-at]").nth(3)).to_have_attribute(
        "aria-current", "step"
    )
    page.locator("[data-view='0']").click()
    expect(page.locator("[data-zone=hand1] img[alt='a card face down']").first).to_be_visible()
    page.get_by_role("button", name="Four-colour cards").click()
    expect(page.locator("[data-player]")).to_have_attribute("data-deck", "four")
    expect(page.locator("[data-events] a[data-at]").nth(3)).to_have_attribute(
        "aria-current", "step"
    )
    context.close()


def test_a_pile_of_tricks_can_be_looked_through(site: Site, page: Page, match: str):
    watch(page, site, match)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    piles = page.locator(".pile")
    for pile in piles.all():
        pile.locator("summary").click()
        shown = pile.locator("ol > li:visible")
        expect(shown).to_have_count(int(pile.locator("b").inner_text()))
        for trick in shown.all():
            expect(trick.locator("img")).to_have_count(2)
    page.locator(".pile[open] li a, .pile li a").first.dispatch_event("click")
    expect(page.locator("[data-text=after]")).to_contain_text("takes the trick")


@pytest.mark.parametrize("language", ["en", "bg-BG"])
def test_on_a_phone_it_is_swiped_fits_and_what_is_tapped_is_large_enough(
    site: Site, browser: Browser, match: str, language: str
):
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, locale=language, has_touch=True
    )
    page = context.new_page()
    complaints = heard_from(page)
    watch(page, site, match)
    swipe(page, -120)
    assert place(page) == 1
    swipe(page, 120)
    assert place(page) == 0
    for key in ("ArrowRight", *["Shift+ArrowRight"] * 4, "Shift+ArrowDown", "Shift+End"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, place(page)
    for target in page.locator(".player :is(a[data-at], button, select, summary):visible").all():
        if target.evaluate("it => it.closest('[data-events], [data-pile]') === null"):
            box = target.bounding_box()
            assert box is not None
            assert box["height"] >= 43.9, target.inner_text()
            assert box["width"] >= 43.9, target.inner_text()
            assert target.evaluate("it => it.scrollWidth <= it.clientWidth + 1"), (
                target.inner_text()
            )
    assert complaints == []
    context.close()


def swipe(page: Page, by: int) -> None:
    page.locator("[data-felt]").evaluate(
        """(felt, by) => {
          const finger = x => new Touch({ identifier: 1, target: felt, clientX: x, clientY: 300 });
          const send = (kind, touches, changedTouches) =>
            felt.dispatchEvent(new TouchEvent(kind, { bubbles: true, touches, changedTouches }));
          send("touchstart", [finger(180)], [finger(180)]);
          send("touchend", [], [finger(180 + by)]);
        }""",
        by,
    )


@pytest.mark.parametrize("width", [1280, 360])
def test_the_table_and_its_buttons_stay_where_they_are_through_the_whole_match(
    site: Site, page: Page, match: str, width: int
):
    page.set_viewport_size({"width": width, "height": 740})
    watch(page, site, match)
    moved = page.evaluate(
        """() => {
          const parts = ["[data-felt]", "[data-steps]", "[data-zone=hand0]", "[data-zone=hand1]"];
          const places = () => parts.flatMap(part => {
            const box = document.querySelector(part).getBoundingClientRect();
            return [box.top, box.height];
          });
          const scrub = document.querySelector("[data-scrub]");
          const first = places();
          const moved = [];
          for (let at = 0; at <= Number(scrub.max); at++) {
            scrub.value = at;
            scrub.dispatchEvent(new Event("input"));
            const felt = document.querySelector("[data-felt]");
            const out = felt.scrollWidth > felt.clientWidth; // in the middle of flights, too
            if (out || places().some((place, n) => Math.abs(place - first[n]) > 1)) moved.push(at);
          }
          return moved;
        }"""
    )
    assert moved == []


@pytest.mark.parametrize(
    ("scheme", "language", "deck"),
    [("light", "en", "two"), ("dark", "bg-BG", "four")],
    ids=["light", "dark"],
)
def test_axe_finds_nothing_at_any_kind_of_position(
    site: Site, browser: Browser, match: str, scheme: str, language: str, deck: str
):
    context = browser.new_context(color_scheme=scheme, locale=language, reduced_motion="reduce")
    context.add_cookies([{"name": "deck", "value": deck, "url": site.address}])
    page = context.new_page()
    watch(page, site, match)
    for keys in ([], ["Shift+ArrowRight"], ["Shift+ArrowDown", "ArrowLeft"], ["Shift+End"]):
        for key in keys:
            page.keyboard.press(key)
        page.locator(".pile summary").first.click()
        found = Axe().run(page, options={"resultTypes": ["violations"]})
        assert found.response["passes"]
        assert found.violations_count == 0, f"{place(page)}: {found.generate_report()}"
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_the_felt_every_trump_has_the_colour_of_the_felts_ink_whatever_the_deck(
    site: Site, browser: Browser, match: str, scheme: str
):
    context = browser.new_context(color_scheme=scheme)
    context.add_cookies([{"name": "deck", "value": "four", "url": site.address}])
    page = context.new_page()
    watch(page, site, match)
    colours = page.locator(".where .c").evaluate(
        """sign => ["c", "d", "h", "s"].map(suit => {
          sign.className = `c suit-${suit}`;
          return getComputedStyle(sign).color;
        })"""
    )
    ink = page.locator(".felt").evaluate("felt => getComputedStyle(felt).color")
    assert set(colours) == {ink}
    context.close()


def test_who_wants_no_motion_gets_none(site: Site, browser: Browser, match: str):
    for motion, moves in (("reduce", False), ("no-preference", True)):
        context = browser.new_context(reduced_motion=motion)
        page = context.new_page()
        watch(page, site, match)
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.getAnimations().length > 0") is moves
        context.close()


def test_the_owner_reads_beside_the_cards_what_his_bot_noted_and_others_do_not(
    site: Site, page: Page, browser: Browser, complaints: list[str]
):
    name = f"Talker {site.sign_up(page)[-6:]}"
    site.send_in(page, name, TALKER)
    site.wait_for(page, "accepted")
    played = page.locator("table a[href^='/matches/']").first
    expect(played).to_be_visible(timeout=PATIENCE_MS)
    address = played.get_attribute("href")
    assert address is not None
    page.goto(site.at(address))
    site.reload_until(page, page.locator("[data-player]"))
    expect(page.locator("[data-play]")).to_be_visible()
    beside = page.locator("[data-beside]")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        if beside.inner_text():
            break
    expect(beside).to_contain_text("noted at")
    at = place(page)
    assert page.evaluate(SAME_AS_THE_SERVER, [".beside"]) == []

    stranger = browser.new_context().new_page()
    watch(stranger, site, f"{address}?at={at}")
    assert stranger.locator("[data-beside]").count() == 0
    assert "noted at" not in stranger.content()
    for seat in (0, 1):
        private = site.at(f"{address}seats/{seat}/remarks/")
        assert stranger.request.get(private).status == 404
    stranger.context.close()
    assert complaints == []

    page.route(re.compile("/remarks/$"), lambda route: route.fulfill(status=500))
    watch(page, site, f"{address}?at={at}")
    what_the_server_printed_stays_and_the_rest_is_said_to_be_missing(page)


def what_the_server_printed_stays_and_the_rest_is_said_to_be_missing(page: Page) -> None:
    beside, unread = page.locator("[data-beside]"), page.locator("[data-unread]")
    at = place(page)
    expect(beside).to_contain_text("noted at")
    expect(unread).to_be_hidden()
    page.keyboard.press("ArrowRight")
    while unread.is_hidden() and place(page) < last(page):
        page.keyboard.press("ArrowRight")
    expect(unread).to_be_visible()
    expect(beside).to_be_empty()
    expect(page.locator("[data-nothing]")).to_be_hidden()
    while place(page) > at:
        page.keyboard.press("ArrowLeft")
    expect(beside).to_contain_text("noted at")
    expect(unread).to_be_hidden()
