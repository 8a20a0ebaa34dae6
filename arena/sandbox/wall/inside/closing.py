"""Closes the inner wall in the process that it runs in: limits, Landlock, seccomp. No way back."""

import ctypes
import os
import resource
import struct
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every processor
_VERSION_ONLY, _PATH_BENEATH = 1, 1
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
_SIGKILL, _SECCOMP_FILTER = 9, 2

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_FS_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # by the ABI that brought them
_NET_RIGHTS = {4: 0b11}  # bind and connect TCP
_SCOPES = {6: 0b11}  # abstract unix sockets, signals

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class WallError(Exception):
    """A wall could not be closed: no bot may run here."""


def _checked(result: int, what: str) -> int:
    if result < 0:
        raise WallError(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def enter_groups(entries: Iterable[int]) -> None:
    """Goes into the control groups that the host has opened; they are a second belt, not a wall."""
    for fd in entries:
        try:
            os.write(fd, b"0")
        except OSError:
            continue


def die_with_parent() -> None:
    """The kernel ends this process when the thread that started it ends."""
    _checked(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0), "parent-death signal")


def leave_no_dump() -> None:
    """A crash starts no program of the host: a core_pattern with a pipe minds no RLIMIT_CORE.

    And no process of the same user can look into this one.
    """
    _checked(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "no dump")


def set_limits(limits: Iterable[tuple[str, int]]) -> None:
    """Sets each limit (a name of `resource` without RLIMIT_), soft and hard at once."""
    for name, value in limits:
        number = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(number)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))


def set_cpu_limit(more_s: int) -> None:
    """SIGXCPU after `more_s` CPU seconds from now; a second later the kernel kills."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until_s = int(usage.ru_utime + usage.ru_stime) + 1 + more_s
    resource.setrlimit(resource.RLIMIT_CPU, (until_s, until_s + 1))


def no_new_privs() -> None:
    """No exec can give this process more than it has; Landlock and seccomp ask for it."""
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def landlock_abi() -> int:
    """The version of Landlock's interface, from 1; raises WallError where there is none."""
    return _checked(_libc.syscall(_CREATE_RULESET, None, 0, _VERSION_ONLY), "Landlock")


def _rights(by_abi: dict[int, int], abi: int) -> int:
    return sum(rights for since, rights in by_abi.items() if since <= abi)


def restrict_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Landlock: of the whole file system only `readable` can be opened, `writable` for writing too.

    Whatever else the running kernel's Landlock can take away (network, abstract sockets, signals to
    the outside, device ioctls) is taken away with it.
    """
    abi = landlock_abi()
    handled = [_rights(_FS_RIGHTS, abi)]
    if abi >= 4:
        handled.append(_rights(_NET_RIGHTS, abi))
    if abi >= 6:
        handled.append(_rights(_SCOPES, abi))
    attributes = struct.pack(f"={len(handled)}Q", *handled)
    ruleset = _checked(
        _libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0), "Landlock ruleset"
    )
    granted = [(path, _READ_FILE) for path in readable]
    granted += [(path, _READ_FILE | _WRITE_FILE) for path in writable]
    for path, rights in granted:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if os.path.isdir(path):
            rights |= _READ_DIR
        rule = struct.pack("=Qi", rights, place)
        _checked(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0), f"Landlock {path}")
        os.close(place)
    _checked(_libc.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock restrict")
    os.close(ruleset)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def filter_calls(program: bytes) -> None:
    """seccomp: from here on every system call of this process is judged by `program`."""
    handed = _Program(len(program) // 8, program)
    _checked(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(handed), 0, 0), "seccomp")
