"""The programs that the bench runs: C ones for the anchors, small Python bots, bots that flood."""

import shutil
import subprocess
from pathlib import Path

MESSAGE = b"x" * 399 + b"\n"
"""What an exchange of the plain pipes carries, each way."""

ECHO_C = """
#include <unistd.h>
#include <string.h>
int main(void) {
    static char buffer[65536];
    size_t held = 0;
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - held);
        if (got <= 0) return 0;
        held += got;
        if (buffer[held - 1] == '\\n') {
            if (write(1, buffer, held) < 0) return 0;
            held = 0;
        }
    }
}
"""

PING_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int down[2], up[2], rounds = atoi(argv[2]);
    char line[400], back[400];
    struct timespec a, b;
    if (pipe(down) || pipe(up)) return 1;
    if (!fork()) {
        dup2(down[0], 0); dup2(up[1], 1);
        close(down[1]); close(up[0]);
        execl(argv[1], argv[1], (char *)0);
        _exit(1);
    }
    close(down[0]); close(up[1]);
    memset(line, 'x', sizeof line); line[399] = '\\n';
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < rounds; i++) {
        size_t got = 0;
        if (write(down[1], line, 400) != 400) return 1;
        while (got < 400) { ssize_t n = read(up[0], back, 400); if (n <= 0) return 1; got += n; }
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%f\\n", ((b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3) / rounds);
}
"""

# Answers with the first action of `legal`, found by plain search: the fastest bot there can be.
FIRST_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\\"legal\\":[\\""), *id = strstr(line, "\\"id\\":");
        if (strstr(line, "\\"type\\":\\"hello\\"")) { puts("{\\"type\\":\\"ready\\"}"); }
        else if (legal && id) {
            legal += 10;
            if (!strncmp(legal, "claim", 5)) legal = strstr(legal, "\\"play");
            if (*legal == '"') legal++;
            if (!strncmp(legal, "close", 5)) { legal = strstr(legal, "\\"play"); legal++; }
            *strchr(legal, '"') = 0;
            printf("{\\"id\\":%d,\\"action\\":\\"%s\\"}\\n", atoi(id + 5), legal);
        }
        fflush(stdout);
    }
    return 0;
}
"""

ECHO_PY = b"""
import os
while True:
    data = os.read(0, 65536)
    if not data: break
    os.write(1, data)
"""

ONE_REPLY_PY = b"""
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "action": "claim"}), flush=True)
"""
"""From nothing to the first JSON reply: the whole of it, as a plain program and as a bot."""

ONE_REQUEST = b'{"type":"request","id":1,"legal":["claim"]}\n'

RANDOM_LEGAL_PY = b"""
import json, sys
from random import Random

dice = Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "request":
        action = dice.choice(message["legal"])
        print(json.dumps({"id": message["id"], "action": action}), flush=True)
    elif message["type"] == "hello":
        dice.seed(message["seed"])
        print(json.dumps({"type": "ready"}), flush=True)
"""
"""A random legal player: uniform over all of `legal`, closes and claims too."""

_FLOODING = b"""
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "request":
        reply = json.dumps({"id": message["id"], "action": message["legal"][-1]}) + "\\n"
"""

FLOODS = {
    "replies without end": ("protocol", b"while True: os.write(1, reply.encode() * 1000)"),
    "a line without end": ("output", b"while True: os.write(1, b'x' * 65536)"),
    "stderr without end": ("output", b"while True: os.write(2, b'x' * 65535 + b'\\n')"),
    "replies given twice": ("protocol", b"os.write(1, reply.encode() * 2)"),
}
"""By name: the fault that it is, and what such a bot does when it is asked."""


def flooding(name: str) -> bytes:
    """The bot that answers a request with this flood."""
    return _FLOODING + b"        " + FLOODS[name][1] + b"\n"


def c_programs(folder: Path) -> tuple[Path, Path, Path] | None:
    """Echo, ping-pong and first-action bot, compiled into `folder`; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    return (
        _compiled(compiler, folder / "echo", ECHO_C),
        _compiled(compiler, folder / "ping", PING_C),
        _compiled(compiler, folder / "first", FIRST_C),
    )


def _compiled(compiler: str, program: Path, source: str) -> Path:
    file = program.with_suffix(".c")
    file.write_text(source)
    subprocess.run([compiler, "-O2", "-w", "-o", str(program), str(file)], check=True)
    return program
