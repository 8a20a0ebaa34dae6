"""A policy as the seccomp profile of a container engine: JSON, made from the same source.

The engine's own rules are one line each: names, an answer, and conditions on arguments that must
all hold; several lines for one call are its cases. What no line names is refused with EPERM.
"""

import json
from collections.abc import Sequence
from errno import ENOSYS

from arena.sandbox.wall.bpf import Arg, Case, Policy
from arena.sandbox.wall.filters import OWN_PID
from arena.sandbox.wall.syscalls import Arch

_ARCHITECTURES = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}


def profile(policy: Policy, arch: Arch, pid: int) -> str:
    """`policy` for processes on `arch` of which each knows itself as `pid`.

    Calls of any other interface end the process, as in the assembled filter.
    """
    rules = [_rule(policy.allowed)]
    rules += [
        _rule([name], case, pid)
        for name, cases in policy.in_cases.items()
        if name in arch.calls
        for case in cases
    ]
    rules += [
        {**_rule([name], case, pid), "action": "SCMP_ACT_ERRNO", "errnoRet": number}
        for name, (number, case) in policy.refusals.items()
    ]
    rules.append({"names": list(policy.absent), "action": "SCMP_ACT_ERRNO", "errnoRet": ENOSYS})
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ERRNO",
            "architectures": [_ARCHITECTURES[arch.machine]],
            "syscalls": rules,
        }
    )


def _rule(names: Sequence[str], case: Case = (), pid: int = 0) -> dict[str, object]:
    return {
        "names": list(names),
        "action": "SCMP_ACT_ALLOW",
        "args": [_condition(arg, pid) for arg in case],
    }


def _condition(arg: Arg, pid: int) -> dict[str, object]:
    return {
        "index": arg.index,
        "op": "SCMP_CMP_MASKED_EQ",
        "value": arg.mask,
        "valueTwo": pid if arg.value == OWN_PID else arg.value & arg.mask,
    }
