"""File names made from titles, valid on every system, and the check of a path from the user."""

from __future__ import annotations

import errno
import os
import re
import unicodedata
from pathlib import Path

from .errors import UserError

MAX_NAME_BYTES = 200  # of 255: an ending and a number follow
_FORBIDDEN = re.compile(r"[\\/:*?\"<>|#^\[\]%]")  # "#^[]": for links between notes
# Windows opens a device by these names, whatever ending follows.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=$|[ .])", re.I)


def make_file_name(title: str, fallback: str) -> str:
    """Return a file name without ending; `fallback` where nothing of the title can be used.

    It has no separator, control character, override of direction or lone surrogate, begins and
    ends with neither a dot nor a space, and is no device of Windows.
    """
    text = unicodedata.normalize("NFC", title[: 4 * MAX_NAME_BYTES])
    plain = "".join(c if c.isprintable() and not _FORBIDDEN.match(c) else " " for c in text)
    name = " ".join(plain.split()).strip(". ")
    name = name.encode("utf-8", "ignore")[:MAX_NAME_BYTES].decode("utf-8", "ignore").strip(". ")
    return f"_{name}" if _DEVICE.match(name) else name or fallback


def fold_file_name(name: str) -> str:
    """Return what two names share that are the same file on some system."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def check_path(path: Path) -> None:
    """Ensure that the system takes this text as a path, whether anything is there or not.

    Raises:
        UserError: it has a null character, can't be encoded, or one of its names is too long.
    """
    try:
        os.lstat(path)
    except ValueError as error:
        raise UserError("This is not the name of a file: it has invalid characters.") from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise UserError("This is not the name of a file: it is too long.") from error
