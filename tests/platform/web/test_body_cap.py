import asyncio

import pytest

from web.body_cap import BodyCap


async def echo(scope, receive, send):
    """An application that reads its whole body, as Django does."""
    total, more = 0, True
    while more:
        message = await receive()
        total += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(total).encode()})


def answer(chunks: list[bytes], headers: list[tuple[bytes, bytes]], limit: int = 100):
    """Status and body of the answer, and how many chunks were left unread."""
    left = list(chunks)
    sent: list[dict] = []

    async def receive():
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    asyncio.run(BodyCap(echo, limit)({"type": "http", "headers": headers}, receive, send))
    return sent[0]["status"], sent[1]["body"], len(left)


def test_a_body_within_the_cap_passes_whole():
    assert answer([b"x" * 60, b"x" * 40], [])[:2] == (200, b"100")


@pytest.mark.parametrize(
    "headers",
    [[(b"content-length", b"101")], [], [(b"content-length", b"5")], [(b"content-length", b"-")]],
    ids=["announced", "chunked", "a lie", "no number"],
)
def test_fc066_a_body_above_the_cap_is_refused_in_both_languages(headers):
    status, page, left = answer([b"x" * 60, b"x" * 41], headers)
    assert status == 413
    assert left == 0
    assert "too large" in page.decode()
    assert "твърде голям" in page.decode()


def test_an_endless_body_is_not_read_to_its_end():
    megabyte = b"x" * (1 << 20)
    status, _, left = answer([megabyte] * 500, [])
    assert status == 413
    assert left > 400
