"""The expected failures: errors that the user can act on, and cancellation.

Any other exception is a bug.
"""

from __future__ import annotations

from pathlib import Path

from .messages import Message


class AppError(Exception):
    """A failure that is shown to the user: what happened, to what, and what to do.

    Args:
        message: one sentence: what happened, to what; a template of `params`.
        hint: one sentence: what the user can do; empty if the message contains it.
    """

    exit_code = 3

    def __init__(self, message: str, hint: str = "", /, **params: object) -> None:
        super().__init__(message, hint)
        self.message = message if isinstance(message, Message) else Message(message, **params)
        self.hint = hint if isinstance(hint, Message) else Message(hint, **params)

    @property
    def full_message(self) -> Message:
        """The message and the hint as one."""
        if not self.hint:
            return self.message
        return Message("{message} {hint}", message=self.message, hint=self.hint)

    def __str__(self) -> str:
        return str(self.full_message)


class UserError(AppError):
    """This file or this question cannot be used."""

    exit_code = 1


class DocumentInTrash(UserError):
    """A document that is to be read is in the trash."""

    def __init__(
        self, message: str, hint: str = "", /, *, document_id: int, **params: object
    ) -> None:
        super().__init__(message, hint, **params)
        self.document_id = document_id


class NameTaken(UserError):
    """A name that is given to an entity is one of another entity."""

    def __init__(
        self, message: str, hint: str = "", /, *, entity_id: int, **params: object
    ) -> None:
        super().__init__(message, hint, **params)
        self.entity_id = entity_id


class PasswordNeeded(UserError):
    """A document is encrypted; `wrong` is true if the given password did not open it."""

    def __init__(
        self, message: str, hint: str = "", /, *, wrong: bool = False, **params: object
    ) -> None:
        super().__init__(message, hint, **params)
        self.wrong = wrong


class PassphraseNeeded(UserError):
    """A library is encrypted; `wrong` is true if the given passphrase did not open it."""

    def __init__(
        self, message: str, hint: str = "", /, *, wrong: bool = False, **params: object
    ) -> None:
        super().__init__(message, hint, **params)
        self.wrong = wrong


class EnvironmentProblem(AppError):
    """A problem of the machine: disk full, file locked, model missing, not enough memory."""

    exit_code = 2


class DiskFull(EnvironmentProblem):
    """There is no room on the disk of the library."""


class DamagedLibrary(EnvironmentProblem):
    """The library file is damaged: it cannot be opened, part of it cannot be read, or a change of
    it is refused because of that; the last if `is_refusal` is true."""

    def __init__(
        self, message: str, hint: str = "", /, *, is_refusal: bool = False, **params: object
    ) -> None:
        super().__init__(message, hint, **params)
        self.is_refusal = is_refusal


class ReadOnlyLibrary(EnvironmentProblem):
    """A change is refused because the library cannot be written where it is."""


class NotALibrary(UserError):
    """A file that should be a library holds something else."""


class MissingLibrary(EnvironmentProblem):
    """The library that was open last is not where it was."""


def missing_library(path: Path) -> MissingLibrary:
    """Return the error for the library that was open last, if it is not where it was."""
    return MissingLibrary(
        "“{name}” is not where it was, in “{folder}”.",
        "If it is on a disk that is not connected, connect it and try again.",
        name=path.stem,
        folder=path.parent,
    )


def cannot_read(path: Path, error: OSError | ValueError) -> UserError:
    """Return the error for a file or folder that cannot be read."""
    return UserError(
        "“{name}” can't be read: {reason}.",
        "Check that you have permission to read it.",
        name=path.name,
        reason=getattr(error, "strerror", "") or error,
    )


def cannot_write(what: object, error: OSError) -> EnvironmentProblem:
    """Return the error for a file or folder that cannot be written."""
    reason = error.strerror or error
    hint = "Choose another place."
    return EnvironmentProblem(
        "“{what}” can't be written: {reason}.", hint, what=what, reason=reason
    )


def message_of(error: BaseException) -> Message:
    """Return what an error says, to put into another message."""
    return error.full_message if isinstance(error, AppError) else Message(str(error))


class Cancelled(Exception):
    """The user stopped the work; no message is shown."""
