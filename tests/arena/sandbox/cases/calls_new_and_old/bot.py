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
tell(
    {
        "pidfd_open": call(434, 434, os.getpid(), 0),
        "pidfd_getfd": call(438, 438, 0, 0, 0),
        "pidfd_send_signal": call(424, 424, 0, 0, None, 0),
        "process_mrelease": call(448, 448, 0, 0),
        "epoll_create": call(213, None, 1),
        "inotify_init": call(253, None),
        "eventfd": call(284, None, 0),
        "signalfd": call(282, None, -1, room, 8),
        "modify_ldt": call(154, None, 0, room, 16),
        "ioperm": call(173, None, 0x80, 1, 1),
        "iopl": call(172, None, 3),
        "uselib": call(134, None, b"/lib/x"),
        "ustat": call(136, None, 0, room),
        "sysfs": call(139, None, 3),
        "vhangup": call(153, 58),
        "kexec_load": call(246, 104, 0, 0, None, 0),
        "init_module": call(175, 105, room, 1, b""),
        "finit_module": call(313, 273, 0, b"", 0),
        "delete_module": call(176, 106, b"x", 0),
        "mbind": call(237, 235, None, 0, 0, None, 0, 0),
        "set_mempolicy": call(238, 237, 1, None, 0),
        "get_mempolicy": call(239, 236, room, None, 0, None, 0),
        "migrate_pages": call(256, 238, 0, 0, None, None),
        "mincore": call(27, 232, room, 0, room),
        "msync": call(26, 227, room, 0, 4),
        "mlock": call(149, 228, None, 0),
        "mlock2": call(325, 284, None, 0, 0),
        "readahead": call(187, 213, 0, 0, 0),
        "fadvise64": call(221, 223, 0, 0, 0, 0),
        "copy_file_range": call(326, 285, 0, None, 1, None, 0, 0),
        "sendfile": call(40, 71, 1, 0, None, 0),
        "sendmmsg": call(307, 269, 1, room, 0, 0),
        "recvmmsg": call(299, 243, 0, room, 0, 0, None),
        "preadv2": call(327, 286, 0, None, 0, 0, 0, 0),
        "unshare": call(272, 97, 0x10000000),
        "setns": call(308, 268, 0, 0),
        "waitid": call(247, 95, 0, 0, None, 4, None),
        "membarrier": call(324, 283, 0, 0, 0),
        "rt_sigqueueinfo": call(129, 138, os.getpid(), 0, room),
        "rt_tgsigqueueinfo": call(297, 240, os.getpid(), os.getpid(), 0, room),
        "futex_wake": call(454, 454, room, 1, 1, 2),
        "futex_requeue": call(456, 456, None, 0, 0, 0),
        "set_robust_list of another": call(274, 100, 1, room, room),
        "fchmodat2": call(452, 452, -100, b"/", 0o777, 0),
        "mseal": call(462, 462, None, 0, 0),
        "lsm_list_modules": call(461, 461, None, room, 0),
        "clock_adjtime": call(305, 266, 0, room),
        "adjtimex": call(159, 171, room),
        "umask": call(95, 166, 0),
    }
)
