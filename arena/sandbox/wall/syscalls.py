"""Numbers of the system calls that the policy (and who tests it by a hole) speaks of, for the two
processors it is made for.

Source: the kernel's own headers (arch/x86/entry/syscalls/syscall_64.tbl; asm-generic/unistd.h for
aarch64). A name that a processor does not have is left out of its table.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Arch:
    """One processor: its name as `os.uname().machine` has it, its AUDIT_ARCH number, its calls,
    the highest call number known when this was written, and whether calls of another
    interface (x32) come under the same AUDIT_ARCH with bit 30 set.
    """

    machine: str
    audit: int
    calls: Mapping[str, int]
    newest: int
    has_x32: bool = False


# fmt: off
X86_64 = Arch(
    "x86_64",
    0xC000003E,
    {
        "access": 21, "alarm": 37, "arch_prctl": 158, "brk": 12, "chdir": 80, "clock_getres": 229,
        "clock_gettime": 228, "clock_nanosleep": 230, "clone": 56, "clone3": 435, "close": 3,
        "close_range": 436, "dup": 32, "dup2": 33, "dup3": 292, "epoll_create1": 291,
        "epoll_ctl": 233, "epoll_pwait": 281, "epoll_pwait2": 441, "epoll_wait": 232,
        "eventfd2": 290, "execve": 59, "exit": 60, "exit_group": 231, "faccessat": 269,
        "faccessat2": 439, "fcntl": 72, "fstat": 5, "fstatfs": 138, "futex": 202,
        "futex_waitv": 449, "getcpu": 309, "getcwd": 79, "getdents64": 217, "getegid": 108,
        "geteuid": 107, "getgid": 104, "getgroups": 115, "getitimer": 36, "getpgid": 121,
        "getpgrp": 111, "getpid": 39, "getppid": 110, "getrandom": 318, "getresgid": 120,
        "getresuid": 118, "getrlimit": 97, "getrusage": 98, "getsid": 124, "getsockname": 51,
        "getsockopt": 55, "gettid": 186, "gettimeofday": 96, "getuid": 102, "ioctl": 16, "kill": 62,
        "landlock_add_rule": 445, "landlock_create_ruleset": 444, "landlock_restrict_self": 446,
        "lseek": 8, "lstat": 6, "madvise": 28, "membarrier": 324, "mmap": 9, "mprotect": 10,
        "mremap": 25, "munmap": 11, "nanosleep": 35, "newfstatat": 262, "open": 2, "openat": 257,
        "openat2": 437, "pause": 34, "pipe": 22, "pipe2": 293, "poll": 7, "ppoll": 271,
        "prctl": 157, "pread64": 17, "prlimit64": 302, "pselect6": 270, "read": 0, "readlink": 89,
        "readlinkat": 267, "readv": 19, "recvfrom": 45, "restart_syscall": 219, "rseq": 334,
        "rt_sigaction": 13, "rt_sigpending": 127, "rt_sigprocmask": 14, "rt_sigreturn": 15,
        "rt_sigsuspend": 130, "rt_sigtimedwait": 128, "sched_getaffinity": 204, "sched_yield": 24,
        "seccomp": 317, "select": 23, "sendto": 44, "set_robust_list": 273, "set_tid_address": 218,
        "setitimer": 38, "setrlimit": 160, "shutdown": 48, "sigaltstack": 131, "socket": 41,
        "socketpair": 53, "stat": 4, "statx": 332, "tgkill": 234, "time": 201, "times": 100,
        "uname": 63, "wait4": 61, "write": 1, "writev": 20,
    },
    newest=462,
    has_x32=True,
)
AARCH64 = Arch(
    "aarch64",
    0xC00000B7,
    {
        "brk": 214, "chdir": 49, "clock_getres": 114, "clock_gettime": 113, "clock_nanosleep": 115,
        "clone": 220, "clone3": 435, "close": 57, "close_range": 436, "dup": 23, "dup3": 24,
        "epoll_create1": 20, "epoll_ctl": 21, "epoll_pwait": 22, "epoll_pwait2": 441,
        "eventfd2": 19, "execve": 221, "exit": 93, "exit_group": 94, "faccessat": 48,
        "faccessat2": 439, "fcntl": 25, "fstat": 80, "fstatfs": 44, "futex": 98, "futex_waitv": 449,
        "getcpu": 168, "getcwd": 17, "getdents64": 61, "getegid": 177, "geteuid": 175,
        "getgid": 176, "getgroups": 158, "getitimer": 102, "getpgid": 155, "getpid": 172,
        "getppid": 173, "getrandom": 278, "getresgid": 150, "getresuid": 148, "getrlimit": 163,
        "getrusage": 165, "getsid": 156, "getsockname": 204, "getsockopt": 209, "gettid": 178,
        "gettimeofday": 169, "getuid": 174, "ioctl": 29, "kill": 129, "landlock_add_rule": 445,
        "landlock_create_ruleset": 444, "landlock_restrict_self": 446, "lseek": 62, "madvise": 233,
        "membarrier": 283, "mmap": 222, "mprotect": 226, "mremap": 216, "munmap": 215,
        "nanosleep": 101, "newfstatat": 79, "openat": 56, "openat2": 437, "pipe2": 59, "ppoll": 73,
        "prctl": 167, "pread64": 67, "prlimit64": 261, "pselect6": 72, "read": 63, "readlinkat": 78,
        "readv": 65, "recvfrom": 207, "restart_syscall": 128, "rseq": 293, "rt_sigaction": 134,
        "rt_sigpending": 136, "rt_sigprocmask": 135, "rt_sigreturn": 139, "rt_sigsuspend": 133,
        "rt_sigtimedwait": 137, "sched_getaffinity": 123, "sched_yield": 124, "seccomp": 277,
        "sendto": 206, "set_robust_list": 99, "set_tid_address": 96, "setitimer": 103,
        "setrlimit": 164, "shutdown": 210, "sigaltstack": 132, "socket": 198,
        "socketpair": 199, "statx": 291,
        "tgkill": 131, "times": 153, "uname": 160, "wait4": 260, "write": 64, "writev": 66,
    },
    newest=462,
)
# fmt: on
ARCHES: Mapping[str, Arch] = {arch.machine: arch for arch in (X86_64, AARCH64)}
