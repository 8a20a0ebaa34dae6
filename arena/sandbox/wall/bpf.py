"""A tiny assembler for seccomp filters: from rules on system calls to classic BPF bytes.

A filter sees `struct seccomp_data`: the call's number, the processor, and six 64-bit arguments. It
answers with what the kernel does: let the call pass, refuse it with an errno, or kill the process.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from errno import ENOSYS, EPERM

from arena.sandbox.wall.syscalls import ARCHES, Arch

ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000

# Classic BPF, linux/bpf_common.h: load a word, jump on the accumulator, mask it, return.
_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_SET, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_AT_NUMBER, _AT_ARCH, _AT_ARGS = 0, 4, 16
_X32_BIT = 0x40000000
_LOW = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Arg:
    """A condition on argument `index` (from 0): `argument & mask == value`.

    The kernel takes most arguments as 32-bit numbers; a `mask` above 32 bits compares both halves.
    """

    index: int
    value: int
    mask: int = _LOW


Case = tuple[Arg, ...]
"""Conditions that must all hold for a call to pass."""


@dataclass(frozen=True, slots=True)
class Policy:
    """An allow-list: calls that pass whatever their arguments, calls that pass in one of several
    cases, and calls that are said not to exist, so that the C library takes another way. All else
    that was known when the list was written is refused with EPERM, what is newer with ENOSYS;
    `refusals` names calls of `in_cases` that in one more case get another errno.
    """

    allowed: Sequence[str]
    in_cases: Mapping[str, Sequence[Case]]
    absent: Sequence[str]
    refusals: Mapping[str, tuple[int, Case]]

    def letting_through(self, calls: Sequence[str]) -> "Policy":
        """The same with more calls that pass, for whoever tests that such a hole is noticed."""
        return Policy(
            (*self.allowed, *calls),
            {name: cases for name, cases in self.in_cases.items() if name not in calls},
            self.absent,
            {name: case for name, case in self.refusals.items() if name not in calls},
        )


Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, operand."""


def _returns(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)


def errno_action(number: int) -> int:
    """The filter's answer that refuses a call with errno `number`."""
    return _ERRNO | number


def _halves(arg: Arg) -> Iterable[tuple[int, int, int]]:
    """Offset, mask and value of each 32-bit half that has to be compared."""
    at = _AT_ARGS + 8 * arg.index
    yield at, arg.mask & _LOW, arg.value & _LOW
    if arg.mask > _LOW:
        yield at + 4, arg.mask >> 32, arg.value >> 32


def _case(case: Case, action: int) -> list[Instruction]:
    """Answers `action` where all of `case` holds, else goes on behind its last instruction."""
    tests: list[list[Instruction]] = []
    for at, mask, value in (half for arg in case for half in _halves(arg)):
        test = [(_LOAD, 0, 0, at)]
        if mask != _LOW:
            test.append((_AND, 0, 0, mask))
        test.append((_JUMP_EQUAL, 0, 0, value))
        tests.append(test)
    left = sum(map(len, tests)) + 1
    code: list[Instruction] = []
    for test in tests:
        left -= len(test)
        jump, equal, _, value = test[-1]
        code += [*test[:-1], (jump, equal, left, value)]
    return [*code, _returns(action)]


def assemble(policy: Policy, arch: Arch) -> bytes:
    """The filter for `arch` as an array of `struct sock_filter`, little-endian as both of them are.

    `filters.OWN_PID` stands in it where a condition asks for the process's own pid.
    """
    code: list[Instruction] = [
        (_LOAD, 0, 0, _AT_ARCH),
        (_JUMP_EQUAL, 1, 0, arch.audit),
        _returns(KILL_PROCESS),
        (_LOAD, 0, 0, _AT_NUMBER),
    ]
    if arch.has_x32:
        code += [(_JUMP_SET, 0, 1, _X32_BIT), _returns(KILL_PROCESS)]
    for name in policy.allowed:
        if name in arch.calls:
            code += [(_JUMP_EQUAL, 0, 1, arch.calls[name]), _returns(ALLOW)]
    for name in policy.absent:
        code += [(_JUMP_EQUAL, 0, 1, arch.calls[name]), _returns(errno_action(ENOSYS))]
    for name, cases in policy.in_cases.items():
        if name in arch.calls:
            body = [step for case in cases for step in _case(case, ALLOW)]
            if name in policy.refusals:
                number, case = policy.refusals[name]
                body += _case(case, errno_action(number))
            body.append(_returns(errno_action(EPERM)))
            code += [(_JUMP_EQUAL, 0, len(body), arch.calls[name]), *body]
    code += [
        (_JUMP_GREATER, 0, 1, arch.newest),
        _returns(errno_action(ENOSYS)),
        _returns(errno_action(EPERM)),
    ]
    return b"".join(struct.pack("<HBBI", *step) for step in code)


def hole(calls: Sequence[str], machine: str) -> bytes:
    """What in front of a filter lets these calls pass, for whoever tests that it is noticed.

    Raises KeyError for a call that the table of this machine's processor does not have.
    """
    table = ARCHES[machine].calls
    code: list[Instruction] = [(_LOAD, 0, 0, _AT_NUMBER)]
    for name in calls:
        code += [(_JUMP_EQUAL, 0, 1, table[name]), _returns(ALLOW)]
    return b"".join(struct.pack("<HBBI", *step) for step in code)
