"""The interruption of a command by Ctrl+C, or by a program that ends it."""

from __future__ import annotations

import signal

import pytest

from desktop_app.cli import command_context
from desktop_app.cli.command_context import stop_on_interrupt


def test_a_request_to_end_that_arrives_twice_cancels_once(monkeypatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    with stop_on_interrupt() as cancel:
        # the second signal interrupts the setting of the token, which holds a lock
        with monkeypatch.context() as patch:
            set_event = cancel._event.set

            def interrupt() -> None:
                with cancel._event._cond:
                    signal.raise_signal(signal.SIGINT)
                set_event()

            patch.setattr(cancel._event, "set", interrupt)
            signal.raise_signal(signal.SIGINT)
        assert cancel.cancelled
        signal.raise_signal(signal.SIGINT)  # from the process that supervises this one
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_request_ends_the_command_at_once(monkeypatch) -> None:
    monkeypatch.setattr(command_context, "SAME_REQUEST_S", 0.0)
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
