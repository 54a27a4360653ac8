"""Tests that a process ended by a signal is described by that signal on every system."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from desktop_app.engine.exit_status import describe_signal, find_signal, to_exit_code


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals between processes")
@pytest.mark.parametrize("name", ["SIGILL", "SIGSEGV", "SIGABRT", "SIGKILL"])
def test_the_signal_of_a_real_child_is_found(name):
    program = f"import os, signal; os.kill(os.getpid(), signal.{name})"
    code = subprocess.call([sys.executable, "-c", program])
    assert find_signal(code) == name
    assert to_exit_code(code) == 3
    assert describe_signal(name).startswith(f"{name} (")


@pytest.mark.parametrize(
    ("code", "name"),
    [(0xC000001D, "SIGILL"), (0xC0000005 - 2**32, "SIGSEGV"), (0xC0000409, "SIGABRT")],
)
def test_an_exception_code_of_windows_is_named(code, name):
    # Signed or unsigned, as different callers of the Windows API report it.
    assert find_signal(code if code > 0 else code & 0xFFFFFFFF) == name


@pytest.mark.parametrize("code", [0, 1, 2, 3, 130, 252])
def test_an_exit_code_is_passed_on(code):
    assert find_signal(code) == ""
    assert to_exit_code(code) == code


def test_an_unknown_signal_still_has_a_name():
    number = max(signal.valid_signals()) if hasattr(signal, "valid_signals") else 64
    assert describe_signal(find_signal(-int(number)))
    assert find_signal(-200) == "signal 200"
