"""What to do when a box does not start, by what the kernel or bubblewrap said."""

_BY_WORDS = (
    (
        "setting up uid map: Permission denied",
        "AppArmor restricts user namespaces here (Ubuntu 23.10 and newer). As root: "
        "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or give bwrap a profile that "
        "allows userns; else use the landlock sandbox.",
    ),
    (
        "No permissions to creat",  # "create" and "creating": versions of bwrap differ
        "User namespaces are not allowed here, as in a default Docker container. Use the landlock "
        "sandbox here, or run the worker outside the container.",
    ),
    (
        "Creating new namespace failed",
        "User namespaces are switched off here: as root, set user.max_user_namespaces above 0 "
        "(and kernel.unprivileged_userns_clone to 1 where it exists); else use the landlock "
        "sandbox.",
    ),
    (
        "Landlock",
        "A Linux kernel from 5.13 on with Landlock is needed: look for landlock in "
        "/sys/kernel/security/lsm, else add it to the kernel's lsm= option; in a container, its "
        "seccomp profile must allow the landlock calls.",
    ),
    (
        "seccomp",
        "The kernel must allow seccomp filters (CONFIG_SECCOMP_FILTER); in a container, its "
        "profile must allow prctl.",
    ),
    (
        "Permission denied",
        "The copy of Python that bots run on cannot be executed where it lies: its folder may be "
        "mounted noexec, as a tmpfs of a container is. Name another one in SANTASE_RUNTIME.",
    ),
    (
        "Operation not permitted",
        "The worker is root but may not become another user: give it CAP_SETUID and CAP_SETGID, "
        "or run it as an ordinary user.",
    ),
)


def remedy_for_start(said: str) -> str:
    """The advice for the first words known in `said`."""
    for words, remedy in _BY_WORDS:
        if words in said:
            return remedy
    return "See what was said; SANDBOX names another back-end (docker, bubblewrap or landlock)."


def what_and_remedy(error: str) -> tuple[str, str]:
    """What an error of ours says, and its advice, which begins with the second sentence."""
    what, _, remedy = error.partition(". ")
    return what, remedy or remedy_for_start(error)
