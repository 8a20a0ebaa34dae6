"""The seccomp filters as they are stored: made of the policy, and run by a small interpreter of
their own: both processors, every case.
"""

import os
import struct
from pathlib import Path

import pytest

from arena.commands.filters import filter_files
from arena.sandbox import BoxError, BoxLimits
from arena.sandbox.launched import ALL_WALLS, launcher_orders
from arena.sandbox.wall import filters
from arena.sandbox.wall.bpf import ALLOW, KILL_PROCESS
from arena.sandbox.wall.filters import OWN_PID, PID_MARK, file_name, with_pid
from arena.sandbox.wall.policy import BOT, OUTER
from arena.sandbox.wall.syscalls import AARCH64, ARCHES, X86_64, Arch

EPERM, EAGAIN, ENOSYS = 0x00050001, 0x0005000B, 0x00050026
PID = 4242
STORED = Path(filters.__file__).parent


def stored(program: str, arch: Arch) -> bytes:
    """What a box on that processor takes on, but for its pid."""
    return (STORED / file_name(program, arch.machine)).read_bytes()


def judge(
    program: bytes, arch: Arch, number: int, *arguments: int, audit: int | None = None
) -> int:
    """What the kernel would answer: a classic BPF machine for the six instructions we use."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, audit or arch.audit, 0, *padded)
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    at = accumulator = 0
    while True:
        code, jump_true, jump_false, operand = steps[at]
        at += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, operand)[0]
            case 0x54:
                accumulator &= operand
            case 0x15:
                at += jump_true if accumulator == operand else jump_false
            case 0x25:
                at += jump_true if accumulator > operand else jump_false
            case 0x45:
                at += jump_true if accumulator & operand else jump_false
            case 0x06:
                return operand
            case _:
                pytest.fail(f"an instruction that was not expected: {code:#x}")


@pytest.fixture(params=[X86_64, AARCH64], ids=["x86_64", "aarch64"])
def arch(request: pytest.FixtureRequest) -> Arch:
    return request.param  # type: ignore[no-any-return]  # pytest's params are Any


@pytest.fixture
def bot(arch: Arch) -> bytes:
    return with_pid(stored("bot", arch), PID)


def test_the_stored_bytes_are_what_the_policy_compiles_to() -> None:
    kept = {path.name: path.read_bytes() for path in STORED.glob("*.bpf")}
    assert sorted(kept) == sorted(
        f"{program}.{machine}.bpf" for program in ("bot", "outer") for machine in ARCHES
    )
    assert kept == filter_files(), "run `make filters`"


def test_the_stored_bytes_are_what_a_box_takes_on() -> None:
    mine = stored("bot", ARCHES[os.uname().machine])
    assert filters.load("bot") == mine
    assert mine in launcher_orders(BoxLimits(), ALL_WALLS, processes=0, readable=[])


@pytest.mark.parametrize("program", ["bot", "outer"])
def test_only_the_two_conditions_on_the_own_pid_hold_its_mark(program: str, arch: Arch) -> None:
    code = stored(program, arch)
    operands = [at for at in range(4, len(code), 8) if code[at : at + 4] == PID_MARK]
    assert code.count(PID_MARK) == len(operands) == 2  # kill, tgkill
    patched = with_pid(code, PID)
    changed = {at // 4 * 4 for at in range(len(code)) if code[at] != patched[at]}
    assert changed == set(operands)
    assert len(patched) == len(code)
    assert all(struct.unpack_from("<I", patched, at) == (PID,) for at in operands)


def test_a_processor_without_a_filter_gets_no_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "x", "6", "1", "riscv64")))
    filters.load.cache_clear()
    with pytest.raises(BoxError, match="riscv64"):
        launcher_orders(BoxLimits(), ALL_WALLS, processes=0, readable=[])


def test_reading_and_writing_pass(bot: bytes, arch: Arch) -> None:
    for name in ("read", "write", "mmap", "exit_group", "rt_sigreturn"):
        assert judge(bot, arch, arch.calls[name]) == ALLOW


def test_threads_wait_for_each_other_by_private_futexes_only(bot: bytes, arch: Arch) -> None:
    futex = arch.calls["futex"]
    for operation in (0, 1, 9, 3, 4):
        assert judge(bot, arch, futex, 0x1000, operation | 128) == ALLOW
        assert judge(bot, arch, futex, 0x1000, operation | 128 | 256) == ALLOW  # real-time clock
        assert judge(bot, arch, futex, 0x1000, operation) == EAGAIN
    for operation in (2, 6, 7, 8, 11, 12, 13, 15):  # what lends priority, and what there is not
        assert judge(bot, arch, futex, 0x1000, operation | 128) == EPERM


def test_a_call_that_is_needed_is_not_open_to_every_argument(bot: bytes, arch: Arch) -> None:
    madvise, send, receive = (arch.calls[name] for name in ("madvise", "sendto", "recvfrom"))
    assert judge(bot, arch, madvise, 0x1000, 4096, 4) == ALLOW
    for advice in (9, 12, 14, 20, 21, 25, 100, 101):
        assert judge(bot, arch, madvise, 0x1000, 4096, advice) == EPERM
    for flags in (0x22, 0x2, 0x1):  # private memory; a file, also shared
        assert judge(bot, arch, arch.calls["mmap"], 0, 4096, 3, flags) == ALLOW
    for flags in (0x40022, 0x21, 0x23, 0x40001):  # huge pages; shared memory of no file
        assert judge(bot, arch, arch.calls["mmap"], 0, 4096, 3, flags) == EPERM
    assert judge(bot, arch, arch.calls["close_range"], 3, 9, 4) == ALLOW
    assert judge(bot, arch, arch.calls["close_range"], 3, 9, 2) == EPERM
    for flags in (0, 0x40, 0x4000, 0x4040):
        assert judge(bot, arch, send, 4, 0x1000, 1, flags) == ALLOW
    for flags in (0, 2, 0x40, 0x100):
        assert judge(bot, arch, receive, 4, 0x1000, 1, flags) == ALLOW
    for flags in (1, 0x8000, 0x4000000):
        assert judge(bot, arch, send, 4, 0x1000, 1, flags) == EPERM
    assert judge(bot, arch, receive, 4, 0x1000, 1, 1) == EPERM


def test_calls_of_another_interface_end_the_process(bot: bytes, arch: Arch) -> None:
    assert judge(bot, arch, arch.calls["read"], audit=0x40000003) == KILL_PROCESS
    assert judge(bot, arch, arch.calls["read"], audit=0x40000028) == KILL_PROCESS


def test_x32_calls_end_the_process() -> None:
    program = stored("bot", X86_64)
    assert judge(program, X86_64, 0x40000000 + 1) == KILL_PROCESS
    assert judge(program, X86_64, 0x40000000 + 520) == KILL_PROCESS


def test_only_a_thread_can_be_cloned(bot: bytes, arch: Arch) -> None:
    clone = arch.calls["clone"]
    assert judge(bot, arch, clone, 0x3D0F00) == ALLOW  # glibc
    assert judge(bot, arch, clone, 0x7D0F00) == ALLOW  # musl
    assert judge(bot, arch, clone, 17) == EPERM
    assert judge(bot, arch, clone, 0x01200011) == EPERM  # glibc's fork
    for namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert judge(bot, arch, clone, 0x3D0F00 | namespace) == EPERM
    assert judge(bot, arch, arch.calls["clone3"]) == ENOSYS


def test_signals_go_to_the_own_process_only(bot: bytes, arch: Arch) -> None:
    for name in ("kill", "tgkill"):
        assert judge(bot, arch, arch.calls[name], PID, 9) == ALLOW
        for other in (0, 1, PID + 1, 0xFFFFFFFF, 0xFFFFFFFF_FFFFFFFF):
            assert judge(bot, arch, arch.calls[name], other, 9) == EPERM
    assert OWN_PID > 1 << 22


def test_limits_can_be_read_and_not_set(bot: bytes, arch: Arch) -> None:
    prlimit = arch.calls["prlimit64"]
    assert judge(bot, arch, prlimit, 0, 7, 0, 0x7FFF0000) == ALLOW
    assert judge(bot, arch, prlimit, 0, 7, 0x7FFF0000, 0) == EPERM
    assert judge(bot, arch, prlimit, 0, 7, 0x7FFF_00000000, 0) == EPERM  # only the upper half set
    assert judge(bot, arch, prlimit, PID, 7, 0, 0x7FFF0000) == EPERM


def test_a_clock_by_its_pid_cannot_be_read(bot: bytes, arch: Arch) -> None:
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        for clock in range(12):
            assert judge(bot, arch, arch.calls[name], clock) == ALLOW
        foreign = (~PID << 3 | 2) & 0xFFFFFFFF
        assert judge(bot, arch, arch.calls[name], foreign) == EPERM


def test_a_socket_is_a_pair_or_none(bot: bytes, arch: Arch) -> None:
    pair = arch.calls["socketpair"]
    assert judge(bot, arch, pair, 1, 1 | 0o2004000, 0) == ALLOW
    assert judge(bot, arch, pair, 1, 2, 0) == EPERM
    assert judge(bot, arch, pair, 2, 1, 0) == EPERM
    for name in ("socket", "connect", "bind", "sendmsg", "recvmsg"):
        assert name not in {*BOT.allowed, *BOT.in_cases}


def test_paths_cannot_be_opened_around_landlock(bot: bytes, arch: Arch) -> None:
    openat = arch.calls["openat"]
    assert judge(bot, arch, openat, 0xFFFFFF9C, 0x1000, 0o2000000) == ALLOW
    assert judge(bot, arch, openat, 0xFFFFFF9C, 0x1000, 0o10000000) == EPERM
    assert judge(bot, arch, openat, 0xFFFFFF9C, 0x1000, 0o20000002) == EPERM


def test_what_is_not_named_is_refused_and_what_is_newer_is_not_there(
    bot: bytes, arch: Arch
) -> None:
    named = {arch.calls[name] for name in (*BOT.allowed, *BOT.in_cases, *BOT.absent)
             if name in arch.calls}  # fmt: skip
    for number in range(arch.newest + 1):
        if number not in named:
            assert judge(bot, arch, number) == EPERM
    for number in (arch.newest + 1, 1000, 0x3FFFFFFF):
        assert judge(bot, arch, number) == ENOSYS


def test_the_outer_filter_lets_the_walls_be_closed_and_nothing_fork(arch: Arch) -> None:
    outer = with_pid(stored("outer", arch), 2)
    for name in ("execve", "landlock_create_ruleset", "landlock_restrict_self", "prlimit64"):
        assert judge(outer, arch, arch.calls[name], 0, 0, 1) == ALLOW
    assert judge(outer, arch, arch.calls["clone"], 17) == EPERM
    assert judge(outer, arch, arch.calls["kill"], 1, 9) == EPERM
    assert judge(outer, arch, arch.calls["prctl"], 38) == ALLOW
    assert judge(outer, arch, arch.calls["prctl"], 24) == EPERM


def test_every_name_of_the_policy_is_a_call_somewhere() -> None:
    known = set(X86_64.calls) | set(AARCH64.calls)
    for policy in (BOT, OUTER):
        assert {*policy.allowed, *policy.in_cases, *policy.absent} <= known
    assert set(ARCHES) == {"x86_64", "aarch64"}


@pytest.mark.parametrize("content", [b"", b"\x06\0\0\0\0\0\xff\x7f"], ids=["empty", "all allowed"])
def test_a_damaged_filter_is_no_missing_one(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "filters" / "__init__.py"
    damaged.parent.mkdir()
    monkeypatch.setattr(filters, "__file__", str(damaged))
    damaged.with_name(file_name("bot", os.uname().machine)).write_bytes(content)
    with pytest.raises(BoxError, match="is damaged: install the arena anew"):
        filters.load.__wrapped__("bot")
