import ctypes
import errno
import json
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
ARM = os.uname().machine == "aarch64"


def call(number, arm_number, *arguments):
    """A system call past the C library: "ok", or the errno's name."""
    ctypes.set_errno(0)
    number = arm_number if ARM else number
    if number is None:
        return "ENOSYS"
    result = libc.syscall(number, *arguments)
    return "ok" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")


def tell(outcomes, right=("EPERM", "ENOSYS")):
    bad = {name: what for name, what in outcomes.items() if what not in right}
    print(json.dumps({"r": "BREACH" if bad else "blocked", "d": bad or outcomes}))


sys.stdin.readline()

room = ctypes.create_string_buffer(256)
outcomes = {
    "shmget": call(29, 194, 0, 4096, 0o1600),
    "semget": call(64, 190, 0, 1, 0o1600),
    "msgget": call(68, 186, 0x5A, 0o1600),
    "mq_open": call(240, 180, b"santase", 0o102, 0o600, None),
    "memfd_create": call(319, 279, b"x", 0),
    "memfd_secret": call(447, 447, 0),
    "io_uring_setup": call(425, 425, 4, room),
    "io_setup": call(206, 0, 4, room),
    "add_key": call(248, 217, b"user", b"k", b"v", 1, -3),
    "keyctl": call(250, 219, 0, -3, 0),
    "inotify_init1": call(294, 26, 0),
    "fanotify_init": call(300, 262, 0, 0),
    "timerfd_create": call(283, 85, 1, 0),
    "timer_create": call(222, 107, 1, None, room),
    "signalfd4": call(289, 74, -1, room, 8, 0),
    "userfaultfd": call(323, 282, 1),
    "perf_event_open": call(298, 241, room, 0, -1, -1, 0),
    "bpf": call(321, 280, 0, room, 64),
    "seccomp": call(317, 277, 1, 8, room),
    "personality": call(135, 92, 0x0040000),
    "mlockall": call(151, 230, 1),
    "remap_file_pages": call(216, 234, None, 0, 0, 0, 0),
    "pkey_alloc": call(330, 289, 0, 0),
    "quotactl": call(179, 60, 0, None, 0, None),
    "swapon": call(167, 224, b"/x", 0),
    "reboot": call(169, 142, 0xFEE1DEAD, 672274793, 0, None),
    "sethostname": call(170, 161, b"pwned", 5),
    "settimeofday": call(164, 170, room, None),
    "syslog": call(103, 116, 3, room, 64),
    "sysinfo": call(99, 179, room),
    "vmsplice": call(278, 75, 1, None, 0, 0),
    "splice": call(275, 76, 0, None, 1, None, 1, 0),
    "tee": call(276, 77, 0, 1, 1, 0),
    "lookup_dcookie": call(212, 18, 0, room, 64),
    "cachestat": call(451, 451, 0, None, None, 0),
    "map_shadow_stack": call(453, 453, 0, 4096, 0),
    "a call not yet made": call(900, 900),
}
tell(outcomes)
