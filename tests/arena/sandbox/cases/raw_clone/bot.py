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

SIGCHLD, CLONE_VM, CLONE_VFORK, CLONE_PARENT = 17, 0x100, 0x4000, 0x8000
CLONE_NEWUSER, CLONE_NEWNET, CLONE_THREAD, CLONE_SIGHAND = 0x10000000, 0x40000000, 0x10000, 0x800


def clone(flags):
    what = call(56, 220, flags, None, None, None, None)
    return what


outcomes = {
    "fork": call(57, None),
    "vfork": call(58, None),
    "clone": clone(SIGCHLD),
    "clone, detached": clone(CLONE_PARENT | SIGCHLD),
    "clone, shared memory": clone(CLONE_VM | CLONE_VFORK | SIGCHLD),
    "clone, user namespace": clone(CLONE_NEWUSER | SIGCHLD),
    "clone, a thread in another network": clone(CLONE_THREAD | CLONE_SIGHAND | CLONE_VM | CLONE_NEWNET),
    "clone3": call(435, 435, ctypes.create_string_buffer(88), 88),
    "unshare": call(272, 97, CLONE_NEWUSER),
    "setns": call(308, 268, 0, 0),
}
tell(outcomes)
