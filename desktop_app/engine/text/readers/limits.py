"""The error of all readers, and the limits on the size of files.

Knows no file names: `text.reading` adds the name to the message.
"""

from __future__ import annotations

from ...errors import UserError

MAX_FILE_BYTES = 500 * 1024 * 1024
MAX_PAGES = 20_000
MAX_UNZIPPED_BYTES = 1024 * 1024 * 1024
MAX_ZIP_RATIO = 200
MAX_ZIP_ENTRIES = 20_000
MAX_TEXT_CHARS = 100_000_000
MAX_SECONDS = 600.0
MAX_ROWS = 200_000


class Unreadable(UserError):
    """The bytes can't be read: `message` is the reason, `hint` what the user can do."""
