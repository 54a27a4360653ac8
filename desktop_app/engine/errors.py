"""The errors that a person can act on, and the one that says "stopped".

Owns the three kinds of expected failure. Anything else that is raised is a bug.
"""

from __future__ import annotations


class AppError(Exception):
    """A failure that is told to the person: what happened, to what, and what to do.

    Args:
        message: one sentence: what happened, to what.
        hint: one sentence: what the person can do; empty if the message says it.
    """

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UserError(AppError):
    """This file or this question can't be used as it is."""

    exit_code = 1


class PasswordNeeded(UserError):
    """A document is encrypted; `wrong` says that the given password did not open it."""

    def __init__(self, message: str, hint: str = "", *, wrong: bool = False) -> None:
        super().__init__(message, hint)
        self.wrong = wrong


class EnvironmentProblem(AppError):
    """The machine stands in the way: disk full, file locked, model missing, memory."""

    exit_code = 2


def cannot_write(what: object, error: OSError) -> EnvironmentProblem:
    """Return the error for a file or folder that the user chose and that can't be written."""
    reason = error.strerror or error
    return EnvironmentProblem(f"“{what}” can't be written: {reason}.", "Choose another place.")


class Cancelled(Exception):
    """The person stopped the work; silent."""


def said(sentence: str) -> str:
    """Mark a sentence that a person may read outside of an error; return it as it is.

    The window's catalogue is made by reading the code: what stands in this call, or in an error,
    can be translated.
    """
    return sentence
