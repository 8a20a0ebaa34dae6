"""Makes the image that bots run on in containers; `make bot-image` calls it."""

import sys

from arena.sandbox import SandboxError
from arena.sandbox.bot_image import build


def main() -> int:
    """Builds it and prints its name; 1 where that fails, with why and what to do."""
    try:
        print(build())
    except SandboxError as error:
        print(f"bot-image: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
