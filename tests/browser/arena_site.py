"""What a visitor does on the site: sign up, send in a bot, wait for its verdict."""

import os
import re
import secrets
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ROOT = Path(__file__).parents[2]
FIRST_BOT = ROOT / "platform" / "web" / "static" / "web" / "first_bot.py"
PATIENCE_MS = 60_000
"""Longest wait for something that workers do."""


def heard_from(page: Page) -> list[str]:
    """What the browser complains about from now on: the console, and scripts that fail."""
    heard: list[str] = []
    page.on(
        "console",
        lambda said: heard.append(said.text) if said.type in {"error", "warning"} else None,
    )
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


@dataclass(frozen=True, slots=True)
class Site:
    """The running platform."""

    address: str
    state: Path

    def at(self, path: str) -> str:
        return self.address + path

    def manage(self, *arguments: str, **environment: str) -> None:
        """Runs a command of the operator's beside the site."""
        subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**os.environ, "SANTASE_STATE": str(self.state), **environment},
            check=True,
            timeout=120,
        )

    def sign_up(self, page: Page) -> str:
        """A new account, signed in; gives its name."""
        name = f"author-{secrets.token_hex(4)}"
        page.goto(self.at("/accounts/signup/"))
        page.get_by_label(re.compile("^(Username|Потребителско име)")).fill(name)
        page.get_by_label(re.compile("^(Email|Имейл)")).fill(f"{name}@example.org")
        for field in page.locator("input[type=password]").all():
            field.fill("a long enough pass 66")
        page.locator("main form button").click()
        expect(page.locator(".personal bdi")).to_have_text(name)
        return name

    def sign_in_as_staff(self, page: Page) -> None:
        """A new staff account, made as the operator makes it, signed in."""
        name, password = f"staff-{secrets.token_hex(4)}", "a long enough pass 66"
        self.manage(
            "createsuperuser", "--noinput", "--username", name, "--email", f"{name}@example.org",
            DJANGO_SUPERUSER_PASSWORD=password,
        )  # fmt: skip
        page.goto(self.at("/accounts/login/"))
        page.locator("#id_login").fill(name)
        page.locator("#id_password").fill(password)
        page.locator("main form button").first.click()
        expect(page.locator(".personal bdi")).to_have_text(name)

    def send_in(self, page: Page, name: str, source: str, file_name: str = "bot.py") -> None:
        """A new bot; the browser is on its page after it."""
        page.goto(self.at("/bots/new/"))
        page.locator("#id_name").fill(name)
        page.locator("#id_file").set_input_files(
            [{"name": file_name, "mimeType": "text/x-python", "buffer": source.encode()}]
        )
        page.locator("main form button").click()
        expect(page.locator("h1")).to_have_text(name)

    def wait_for(self, page: Page, text: str) -> None:
        """Waits until the page, which keeps itself fresh, shows a text."""
        expect(page.locator("main").get_by_text(text).first).to_be_visible(timeout=PATIENCE_MS)

    def reload_until(self, page: Page, wanted: Locator) -> None:
        """Loads a page that does not keep itself fresh again and again until it has something."""
        for _ in range(PATIENCE_MS // 500):
            if wanted.count():
                return
            page.wait_for_timeout(500)
            page.reload()
        expect(wanted).to_be_visible()
