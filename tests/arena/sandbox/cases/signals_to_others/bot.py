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


worker = int(json.loads(sys.stdin.readline())["pid"])

outcomes = {}
for who in {worker, os.getppid(), 1, -1, 0} - {os.getpid()}:
    outcomes[f"kill {who}"] = call(62, 129, who, 0)
    outcomes[f"tkill {who}"] = call(200, 130, who, 0)
    outcomes[f"tgkill {who}"] = call(234, 131, who, who, 0)
    outcomes[f"rt_sigqueueinfo {who}"] = call(129, 138, who, 15, ctypes.create_string_buffer(128))
    outcomes[f"pidfd_open {who}"] = call(434, 434, who, 0)
outcomes["pidfd_send_signal"] = call(424, 424, 0, 9, None, 0)
outcomes["fcntl F_SETOWN"] = call(72, 25, 0, 8, worker)
tell(outcomes)
