"""What a reader raises when it can't read, and the limits beyond which it doesn't try.

Knows nothing of files' names: `reading` adds the name before a person sees the message.
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
    """Why these bytes give no text: `message` is the reason, `hint` what to do about it."""
