"""What a bot's process may ask of the kernel: the "solo" rule as an allow-list.

A bot is one process that computes, keeps its memory, runs threads, reads its runtime and speaks on
its three pipes. So there is no fork, no exec, no socket but a pair within the process (asyncio's
wake-up), no signal to anyone else, nothing that changes a file, a limit or a namespace. Paths are
Landlock's to judge: a filter can't read them.

This is the source. What a box takes on are the bytes in `wall/filters/`: after a change here run
`make filters`.
"""

import os
from collections.abc import Mapping, Sequence
from errno import EAGAIN

from arena.sandbox.wall.bpf import Arg, Case, Policy
from arena.sandbox.wall.filters import OWN_PID
from arena.sandbox.wall.syscalls import ARCHES, Arch

_ALL_64_BITS = 0xFFFFFFFF_FFFFFFFF

# pthread_create's flags, glibc's and musl's (which adds CLONE_DETACHED): exactly a thread.
_THREAD, _CLONE_DETACHED = 0x003D0F00, 0x00400000
# A CPU clock of a process by its pid is a negative number: that of the opponent is none of ours.
_KNOWN_CLOCKS = ~0xF & 0xFFFFFFFF
# open(2): what a bot may not even ask for. O_PATH is outside Landlock, __O_TMPFILE makes files.
_O_PATH_OR_TMPFILE = 0o10000000 | 0o20000000
_AF_UNIX, _SOCK_STREAM, _SOCK_FLAGS = 1, 1, 0o2004000
_TCGETS, _FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX = 0x5401, 0x541B, 0x5421, 0x5450, 0x5451
_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL, _F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
_PR_SET_NAME, _PR_GET_NAME = 15, 16
# PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS
_PR_OF_THE_LAUNCHER = (1, 4, 22, 38)
# A futex that is not private is found by its place in a file, and any two bots have the files of
# the runtime in common: one could wake the other.
_FUTEX_PRIVATE, _FUTEX_CLOCK_REALTIME = 128, 256
# WAIT_BITSET, WAKE, WAIT, WAKE_BITSET, CMP_REQUEUE, WAKE_OP, REQUEUE: what locks are made of. Not
# those that lend priority (PI), a thicket of the kernel in which holes were found again and again.
_FUTEX_OPERATIONS = (9, 1, 0, 10, 4, 5, 3)
# NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, and guard pages. Not what gives work to
# threads of the kernel (MERGEABLE, HUGEPAGE) or takes pages from others (PAGEOUT).
_MADVICE = (0, 1, 2, 3, 4, 8, 102, 103)
_MAP_HUGETLB = 0x40000
# Shared memory of no file: the kernel keeps all of it while a page of it is mapped, so that a bot
# could give the addresses back, which are what its limit counts, and keep the memory.
_MAP_SHARED, _MAP_ANONYMOUS = 0x1, 0x20
# A thread with descriptors of its own would have a limit of its own on them, and on their buffers.
_CLOSE_RANGE_UNSHARE = 2
# Plain sending and receiving: out-of-band data on unix sockets is a nest of kernel bugs.
_MSG_PEEK, _MSG_DONTWAIT, _MSG_WAITALL, _MSG_NOSIGNAL = 0x2, 0x40, 0x100, 0x4000

_ALLOWED = (
    # talking and waiting, the most frequent first
    *("read", "write", "poll", "ppoll", "select", "pselect6"),
    *("epoll_wait", "epoll_pwait", "epoll_pwait2", "epoll_ctl", "epoll_create1", "eventfd2"),
    *("readv", "writev", "pread64", "lseek", "close", "dup", "dup2", "dup3"),
    *("pipe", "pipe2", "shutdown", "getsockname", "getsockopt"),
    # the runtime's files
    *("fstat", "newfstatat", "stat", "lstat", "access", "faccessat", "faccessat2"),
    *("getdents64", "getcwd"),
    # memory: RLIMIT_AS is its limit
    *("munmap", "mprotect", "mremap", "brk"),
    # threads and the end
    *("set_robust_list", "rseq", "sched_yield", "gettid", "exit", "exit_group"),
    # its own signals and timers
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigtimedwait"),
    *("rt_sigsuspend", "sigaltstack", "pause", "alarm", "setitimer", "getitimer"),
    "restart_syscall",
    # the time, and what it is
    *("nanosleep", "gettimeofday", "time", "times", "getrusage"),
    *("getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid"),
    *("getgroups", "getpgrp", "uname", "getrandom", "getcpu", "getrlimit"),
)

_IN_CASES: Mapping[str, Sequence[Case]] = {
    "futex": [
        (Arg(1, _FUTEX_PRIVATE | operation, 0xFFFFFFFF & ~_FUTEX_CLOCK_REALTIME),)
        for operation in _FUTEX_OPERATIONS
    ],
    "mmap": [(Arg(3, 0, _MAP_HUGETLB | kind),) for kind in (_MAP_SHARED, _MAP_ANONYMOUS)],
    "madvise": [(Arg(2, advice),) for advice in _MADVICE],
    "close_range": [(Arg(2, 0, _CLOSE_RANGE_UNSHARE),)],
    "sendto": [(Arg(3, 0, 0xFFFFFFFF & ~(_MSG_DONTWAIT | _MSG_NOSIGNAL)),)],
    "recvfrom": [(Arg(3, 0, 0xFFFFFFFF & ~(_MSG_PEEK | _MSG_DONTWAIT | _MSG_WAITALL)),)],
    "clone": [(Arg(0, _THREAD, 0xFFFFFFFF & ~_CLONE_DETACHED),)],
    "clock_gettime": [(Arg(0, 0, _KNOWN_CLOCKS),)],
    "clock_getres": [(Arg(0, 0, _KNOWN_CLOCKS),)],
    "clock_nanosleep": [(Arg(0, 0, _KNOWN_CLOCKS),)],
    "kill": [(Arg(0, OWN_PID),)],
    "tgkill": [(Arg(0, OWN_PID),)],
    "getpgid": [(Arg(0, 0),)],
    "getsid": [(Arg(0, 0),)],
    "sched_getaffinity": [(Arg(0, 0),)],
    "prlimit64": [(Arg(0, 0), Arg(2, 0, _ALL_64_BITS))],  # asks, never sets
    "prctl": [(Arg(0, name),) for name in (_PR_SET_NAME, _PR_GET_NAME)],
    "open": [(Arg(1, 0, _O_PATH_OR_TMPFILE),)],
    "openat": [(Arg(2, 0, _O_PATH_OR_TMPFILE),)],
    "socketpair": [(Arg(0, _AF_UNIX), Arg(1, _SOCK_STREAM, 0xFFFFFFFF & ~_SOCK_FLAGS))],
    "ioctl": [
        (Arg(1, request),) for request in (_TCGETS, _FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX)
    ],
    "fcntl": [
        (Arg(1, command),)
        for command in (_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL, _F_DUPFD_CLOEXEC)
    ],
}

# clone3 hides its flags from a filter; without it glibc starts threads by clone.
_ABSENT = ("clone3", "statx", "openat2", "membarrier", "futex_waitv")

# The C library waits for the end of a thread with a futex that is not private: told to try again,
# it looks whether the thread has ended; told that it may not, it would abort.
_REFUSALS = {"futex": (EAGAIN, (Arg(1, 0, _FUTEX_PRIVATE),))}

BOT = Policy(_ALLOWED, _IN_CASES, _ABSENT, _REFUSALS)
"""The inner wall's filter, which the bot's process takes on itself."""

_CLOSING = (
    *("execve", "arch_prctl", "set_tid_address", "wait4", "chdir", "readlink", "readlinkat"),
    *("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"),
    *("prlimit64", "setrlimit", "open", "openat", "getsid"),
)
OUTER = Policy(
    (*_ALLOWED, *_CLOSING),
    {
        **{name: cases for name, cases in _IN_CASES.items() if name not in _CLOSING},
        "prctl": [*_IN_CASES["prctl"], *((Arg(0, option),) for option in _PR_OF_THE_LAUNCHER)],
    },
    _ABSENT,
    _REFUSALS,
)
"""The outer wall's filter: `BOT`, and what it takes to start Python and to close the inner wall.

`wait4` is for the first process of the pid namespace, which stands under it too.
"""

# Go's threads share less than glibc's: VM, FS, FILES, SIGHAND, SYSVSEM and THREAD.
_GO_THREAD = 0x00050F00
ENGINE = Policy(
    (*OUTER.allowed, "fstatfs"),
    {**OUTER.in_cases, "clone": [*_IN_CASES["clone"], (Arg(0, _GO_THREAD),)]},
    _ABSENT,
    _REFUSALS,
)
"""A container engine's filter: `OUTER`, and what its own first process (runc, a Go program) needs
between taking the filter on and becoming Python.
"""


def running_arch() -> Arch | None:
    """The processor this runs on, or None where there is no table for it."""
    return ARCHES.get(os.uname().machine)
