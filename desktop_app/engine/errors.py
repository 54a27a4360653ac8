"""The expected failures: errors that the user can act on, and cancellation.

Any other exception is a bug.
"""

from __future__ import annotations


class AppError(Exception):
    """A failure that is shown to the user: what happened, to what, and what to do.

    Args:
        message: one sentence: what happened, to what.
        hint: one sentence: what the user can do; empty if the message contains it.
    """

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UserError(AppError):
    """This file or this question cannot be used."""

    exit_code = 1


class PasswordNeeded(UserError):
    """A document is encrypted; `wrong` is true if the given password did not open it."""

    def __init__(self, message: str, hint: str = "", *, wrong: bool = False) -> None:
        super().__init__(message, hint)
        self.wrong = wrong


class EnvironmentProblem(AppError):
    """A problem of the machine: disk full, file locked, model missing, not enough memory."""

    exit_code = 2


def cannot_write(what: object, error: OSError) -> EnvironmentProblem:
    """Return the error for a file or folder that cannot be written."""
    reason = error.strerror or error
    return EnvironmentProblem(f"“{what}” can't be written: {reason}.", "Choose another place.")


class Cancelled(Exception):
    """The user stopped the work; no message is shown."""


def msg(sentence: str) -> str:
    """Mark a sentence for translation; return it unchanged.

    The translation catalogue is extracted from the code: the arguments of this function and the
    messages of errors.
    """
    return sentence
