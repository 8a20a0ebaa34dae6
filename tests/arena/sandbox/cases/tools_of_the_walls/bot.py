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

room = ctypes.create_string_buffer(64)
tell(
    {
        "PR_SET_PDEATHSIG": call(157, 167, 1, 0, 0, 0, 0),
        "PR_SET_DUMPABLE": call(157, 167, 4, 1, 0, 0, 0),
        "PR_SET_MM": call(157, 167, 35, 1, 0, 0, 0),
        "PR_SET_PTRACER": call(157, 167, 0x59616D61, -1, 0, 0, 0),
        "PR_SET_CHILD_SUBREAPER": call(157, 167, 36, 1, 0, 0, 0),
        "PR_SET_SECCOMP": call(157, 167, 22, 2, room, 0, 0),
        "landlock_create_ruleset": call(444, 444, None, 0, 1),
        "landlock_restrict_self": call(446, 446, 0, 0),
        "arch_prctl": call(158, None, 0x1002, room),
        "setrlimit": call(160, 164, 7, room),
        "setsid": call(112, 157),
        "setpgid": call(109, 154, 0, 0),
        "setuid": call(105, 146, 0),
        "setgroups": call(116, 159, 0, None),
        "capset": call(126, 91, room, room),
    }
)
