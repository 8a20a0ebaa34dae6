"""A cap on request bodies, before Django: its ASGI handler writes the whole body to disk first."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_DRAINED: Final = 64 << 20
"""Bytes of a refused body that are read and dropped, so that the sender gets to see the answer."""

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Too large · Santase Arena</title></head>
<body><main><h1>The upload is too large</h1>
<p>Nothing was kept. At most {kb} KB can be sent; go back and choose a smaller file.</p>
<h2 lang="bg">Файлът е твърде голям</h2>
<p lang="bg">Нищо не е запазено. Могат да се изпратят най-много {kb} KB; върнете се и изберете
по-малък файл.</p></main></body>
</html>
"""


class _TooLarge(Exception):
    """The body passed the cap while Django was reading it."""


class BodyCap:
    """An ASGI application that answers 413 to bodies above `limit` bytes, else is `app`."""

    def __init__(self, app: App, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _announced(scope) > self._limit:
            await self._refuse(receive, send, total=0, more=True)
        else:
            await self._counted(scope, receive, send)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request whose body may still turn out too large (it need not announce it)."""
        total, more = 0, True

        async def counting() -> Message:
            nonlocal total, more
            message = await receive()
            total += len(message.get("body", b""))
            more = message.get("more_body", False)
            if total > self._limit:
                raise _TooLarge
            return message

        try:
            await self._app(scope, counting, send)
        except _TooLarge:
            await self._refuse(receive, send, total, more)

    async def _refuse(self, receive: Receive, send: Send, total: int, more: bool) -> None:
        """Answers 413 once the sender has done or has sent far too much."""
        while more and total <= _DRAINED:
            message = await receive()
            total += len(message.get("body", b""))
            more = message.get("more_body", False)
        page = _PAGE.format(kb=self._limit // 1_000).encode()
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(page)).encode()),
            (b"content-security-policy", b"default-src 'none'"),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": page})


def _announced(scope: Scope) -> int:
    """The body's length as its header says; 0 where it says nothing that can be read."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
