"""Restricts a child process: memory, network, files, other programs.

Standard library only; nothing needs privileges. What is restricted where:

- Memory: on Linux by RLIMIT_DATA, allocations fail; on macOS by a check twice a second; on Windows
  not.
- Network and other programs: on Linux (x86-64, AArch64) by seccomp, no socket can be made and no
  program started; on macOS and Windows not.
- Writing files: on Linux by seccomp, no file can be opened for writing; on macOS files of 1 MB at
  most; on Windows not.
- Reading files: on Linux by Landlock (kernel 5.13), only the system's libraries, Python, its
  packages and the program; on macOS and Windows not.

`restrict_process` returns what it could put in force, so that the parent can log it. On every
system a child is a process of its own: its death, a hang or a cancel ends one piece of work.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

_MAX_FILE_BYTES = 1024 * 1024  # of the record of a crash, the only file that a reader writes
_WATCH_S = 0.5

# --- seccomp: <linux/seccomp.h>, <linux/filter.h>, <linux/audit.h> --------------------------------

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_GE, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _EACCES, _ENOSYS = 1, 13, 38
_NUMBER_AT, _ARCH_AT, _ARGS_AT = 0, 4, 16
_CLONE_THREAD = 0x00010000
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_X32 = 0x40000000
# fmt: off
# Audit number; calls refused always, and those that change files; open and openat, whose flags are
# looked at; clone; tgkill.
_ARCHITECTURES = {
    "x86_64": (0xC000003E, (
        41, 42, 43, 44, 46, 49, 50, 53, 288, 307,  # socket, connect, accept, send…, bind, listen
        57, 58, 59, 322,  # fork, vfork, execve, execveat
        62, 200, 129, 297, 424,  # kill, tkill, rt_sigqueueinfo, pidfd_send_signal
        101, 310, 311, 438,  # ptrace, process_vm_readv and writev, pidfd_getfd
        165, 166, 155, 161, 272, 308,  # mount, umount, pivot_root, chroot, unshare, setns
        250, 298, 321, 323, 425,  # keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup
    ), (
        76, 82, 83, 84, 85, 86, 87, 88, 90, 92, 94, 133,  # truncate, rename, mkdir, … mknod
        258, 259, 260, 263, 264, 265, 266, 268, 316,  # the same with a folder
    ), 2, 257, 56, 234),
    "aarch64": (0xC00000B7, (
        198, 199, 200, 201, 202, 203, 206, 211, 242, 269,
        221, 281,
        129, 130, 138, 424,
        117, 270, 271, 438,
        39, 40, 41, 51, 97, 268,
        219, 241, 280, 282, 425,
    ), (
        45, 38, 276, 33, 34, 35, 36, 37, 53, 54,
    ), None, 56, 220, 131),
}
# fmt: on
_CLONE3, _OPENAT2 = 435, 437  # their flags lie in memory, where a filter can't look

# --- Landlock: <linux/landlock.h> -----------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_1_RIGHTS = (1 << 13) - 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3


def restrict_process(
    memory_bytes: int,
    readable: Sequence[Path] = (),
    *,
    may_write: bool = False,
    idle: Callable[[], bool] = lambda: False,
) -> list[str]:
    """Restrict this process for the rest of its life; return the parts that are in force.

    Args:
        memory_bytes: limit on the memory that this process allocates, 0 for none.
        readable: files and folders that it may read, with all below them; all if empty.
        may_write: it may change files.
        idle: whether the process is no longer needed; it then ends by itself.
    """
    parts = []
    if has_limit := _limit_memory(memory_bytes):
        parts.append("memory")
    if sys.platform.startswith("linux"):
        _set_prctl(_PR_SET_PDEATHSIG, 9)
        _set_prctl(_PR_SET_NO_NEW_PRIVS, 1)
        if readable and _limit_reading(readable):
            parts.append("files")
        if _filter_calls(may_write=may_write):
            parts.append("network")
    # Threads that exist already are not restricted, so this one starts last.
    start_watching(0 if has_limit else memory_bytes, idle)
    return parts


def limit_processor_time(seconds: float) -> None:
    """End this process after so much more processor time, also inside native code."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _limit_memory(memory_bytes: int) -> bool:
    """Limit what this process allocates; False where the system does not enforce it."""
    if sys.platform == "win32":
        return False
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_FILE_BYTES, _MAX_FILE_BYTES))
    if not sys.platform.startswith("linux") or not memory_bytes:
        return False
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    return True


MEMORY_EXIT = 77  # exit code of a process that its own check ended


def start_watching(memory_bytes: int, idle: Callable[[], bool]) -> None:
    """Start the thread that ends an unneeded process, and one above its memory if that is not 0.

    It does not run while Python code without a pause holds the interpreter; the parent's time
    limit holds then.
    """
    parent = os.getppid()

    def watch() -> None:
        while True:
            time.sleep(_WATCH_S)
            if idle() or os.getppid() != parent:
                os._exit(0)
            if memory_bytes and _find_peak_bytes() > memory_bytes:
                os._exit(MEMORY_EXIT)

    threading.Thread(target=watch, name="watch", daemon=True).start()


def _find_peak_bytes() -> int:
    """Return the most memory that this process had so far, 0 where that is unknown."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _set_prctl(option: int, value: int, more: object = 0) -> bool:
    done: int = ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), more, 0, 0)
    return done == 0


def _filter_calls(*, may_write: bool) -> bool:
    """Refuse the system calls for network and programs, and for writing unless `may_write`.

    Returns:
        False where it can't be done.
    """
    known = _ARCHITECTURES.get(platform.machine())
    if known is None or struct.calcsize("P") != 8:
        return False
    audit, refused, changing, open_at, openat_at, clone_at, tgkill_at = known
    steps: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_JUMP_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_JUMP_GE, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
    ]

    def refuse(number: int, error: int) -> None:
        steps.extend([(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | error)])

    def check(number: int, argument: int, jump: int, value: int, *, allowed: bool) -> None:
        """Decide about a call by one argument: `allowed` says what a match means."""
        verdicts = (_ALLOW, _ERRNO | _EACCES) if allowed else (_ERRNO | _EACCES, _ALLOW)
        steps.extend(
            [
                (_JUMP_EQUAL, 0, 4, number),
                (_LOAD, 0, 0, _ARGS_AT + 8 * argument),
                (jump, 0, 1, value),
                (_RETURN, 0, 0, verdicts[0]),
                (_RETURN, 0, 0, verdicts[1]),
            ]
        )

    for number in refused if may_write else (*refused, *changing):
        refuse(number, _EPERM)
    refuse(_CLONE3, _ENOSYS)  # the C library then uses clone
    if not may_write:
        refuse(_OPENAT2, _ENOSYS)
        if open_at is not None:
            check(open_at, 1, _JUMP_SET, _WRITE_FLAGS, allowed=False)
        check(openat_at, 2, _JUMP_SET, _WRITE_FLAGS, allowed=False)
    check(clone_at, 0, _JUMP_SET, _CLONE_THREAD, allowed=True)
    check(tgkill_at, 0, _JUMP_EQUAL, os.getpid(), allowed=True)  # abort() sends a signal to itself
    steps.append((_RETURN, 0, 0, _ALLOW))
    # struct sock_filter {u16 code; u8 jt, jf; u32 k}; struct sock_fprog {u16 len; filter *filter}
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))
    return _set_prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.create_string_buffer(program))


def _limit_reading(readable: Sequence[Path]) -> bool:
    """Refuse to open files outside some folders; False where the kernel has no Landlock."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    attributes = struct.pack("=Q", _ABI_1_RIGHTS)  # struct landlock_ruleset_attr of ABI 1
    ruleset = call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        return False
    try:
        for path in readable:
            try:
                file = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue  # a folder that this system does not have
            try:
                rights = _READ_FILE | (_READ_DIR if path.is_dir() else 0)
                rule = struct.pack("=Qi", rights, file)  # struct landlock_path_beneath_attr
                call(_ADD_RULE, ruleset, 1, rule, 0)
            finally:
                os.close(file)
        return bool(call(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)
