#!/usr/bin/env bash
# Writes the lock files anew from pyproject.toml (pinned, with hashes, no index named).
set -euo pipefail
cd "$(dirname "$0")/.."
lock() {
  .venv/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-annotate "$@" pyproject.toml
}
lock --extra platform --extra docker --extra build --extra dev -o requirements/dev.txt
lock --extra platform --extra docker --extra build --constraint requirements/dev.txt -o requirements/platform.txt
lock --extra bench -o requirements/bench.txt
