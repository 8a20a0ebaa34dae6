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

outcomes = {
    "mount": call(165, 40, b"none", b"/", b"tmpfs", 0, None),
    "umount2": call(166, 39, b"/", 0),
    "chroot": call(161, 51, b"/"),
    "pivot_root": call(155, 41, b"/", b"/"),
    "fsopen": call(430, 430, b"tmpfs", 0),
    "fspick": call(433, 433, -100, b"/", 0),
    "open_tree": call(428, 428, -100, b"/", 0),
    "move_mount": call(429, 429, -100, b"/", -100, b"/", 0),
    "mount_setattr": call(442, 442, -100, b"/", 0, None, 0),
    "statmount": call(457, 457, None, None, 0, 0),
    "listmount": call(458, 458, None, None, 0, 0),
    "name_to_handle_at": call(303, 264, -100, b"/", None, None, 0),
    "open_by_handle_at": call(304, 265, -100, None, 0),
    "openat2": call(437, 437, -100, b"/", None, 0),
    "open with O_PATH": call(257, 56, -100, b"/", 0o10000000),
    "open with O_TMPFILE": call(257, 56, -100, b"/dev", 0o20200002, 0o600),
    "chdir": call(80, 49, b"/"),
    "fchdir": call(81, 50, 0),
    "statfs": call(137, 43, b"/", None),
    "readlink": call(267, 78, -100, b"/lib", ctypes.create_string_buffer(64), 64),
    "sync": call(162, 81),
}
tell(outcomes)
