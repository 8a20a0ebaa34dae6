"""The engine's profile says what the assembled filter says, call by call."""

import itertools
import json
from errno import EPERM
from typing import Any

import pytest
from test_filter_program import judge

from arena.sandbox.wall.bpf import ALLOW, Policy, assemble, errno_action
from arena.sandbox.wall.filters import with_pid
from arena.sandbox.wall.policy import BOT, ENGINE, OUTER
from arena.sandbox.wall.profile import profile
from arena.sandbox.wall.syscalls import AARCH64, X86_64, Arch

PID = 1


def ask(rules: dict[str, Any], name: str, arguments: tuple[int, ...]) -> int:
    """The engine's answer as the filter would give it: libseccomp in ten lines."""
    for rule in rules["syscalls"]:
        if name in rule["names"] and all(
            arguments[condition["index"]] & condition["value"] == condition["valueTwo"]
            for condition in rule.get("args", [])
        ):
            allowed = rule["action"] == "SCMP_ACT_ALLOW"
            return ALLOW if allowed else errno_action(rule["errnoRet"])
    return errno_action(EPERM)


def interesting(policy: Policy, name: str) -> set[tuple[int, ...]]:
    """Arguments at and beside each condition on a call."""
    values: list[set[int]] = [{0, 1} for _ in range(3)]
    for case in policy.in_cases.get(name, ()):
        for arg in case:
            while len(values) <= arg.index:
                values.append({0})
            value = PID if arg.value > 1 << 22 and arg.mask == 0xFFFFFFFF else arg.value
            values[arg.index] |= {value, value ^ 1, value | 1 << 31, (~value) & 0xFFFFFFFF}
    return {(*chosen, *[0] * (6 - len(chosen))) for chosen in itertools.product(*values)}


@pytest.mark.parametrize("arch", [X86_64, AARCH64], ids=["x86_64", "aarch64"])
@pytest.mark.parametrize("policy", [BOT, OUTER, ENGINE], ids=["bot", "outer", "engine"])
def test_the_engine_is_told_what_the_filter_does(policy: Policy, arch: Arch) -> None:
    program = with_pid(assemble(policy, arch), PID)
    rules = json.loads(profile(policy, arch, PID))
    for name, number in arch.calls.items():
        for arguments in interesting(policy, name):
            assert ask(rules, name, arguments) == judge(program, arch, number, *arguments), name


def test_other_interfaces_are_not_named() -> None:
    assert json.loads(profile(ENGINE, X86_64, PID))["architectures"] == ["SCMP_ARCH_X86_64"]
    assert json.loads(profile(ENGINE, AARCH64, PID))["architectures"] == ["SCMP_ARCH_AARCH64"]
