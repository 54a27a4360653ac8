"""Decrypts single pages of an encrypted library, for recovery where SQLite refuses the file.

SQLite3 Multiple Ciphers encrypts each page alone with ChaCha20 and Poly1305: its last 32 bytes are
a nonce and a tag, the counter of the first block depends on the page number. That block gives the
key of the tag and the key of the page. Only reads, and keeps nothing on the disk.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.poly1305 import Poly1305

from .encryption import LibraryKey

RESERVED_BYTES = 32  # of each page
NONCE_BYTES = 16  # the first 12 are the nonce, the others a counter
PAGE_1_PLAIN_BYTES = 24  # salt, and the part of the header that SQLite needs before the key
_MAGIC = b"SQLite format 3\0"


def decrypt_pages(
    content: bytes | memoryview, page_size: int, numbers: Sequence[int], key: LibraryKey
) -> tuple[bytes, np.ndarray]:
    """Return the pages in plain, one after the other, and which of them are authentic.

    Pages that are not authentic (damaged, or encrypted with another key) are zero.

    Args:
        content: whole pages.
        numbers: of the pages, from 1.

    Returns:
        The pages, and a bool array of shape (number of pages,).
    """
    pages = [
        _decrypt_page(bytes(content[at : at + page_size]), int(number), key)
        for at, number in zip(range(0, len(content), page_size), numbers, strict=True)
    ]
    plain = b"".join(bytes(page_size) if page is None else page for page in pages)
    return plain, np.array([page is not None for page in pages], bool)


def _decrypt_page(page: bytes, number: int, key: LibraryKey) -> bytes | None:
    """Return a page in plain, None if it is not authentic."""
    end = len(page) - RESERVED_BYTES
    nonce, tag = page[end : end + NONCE_BYTES], page[end + NONCE_BYTES :]
    counter = int.from_bytes(nonce[12:], "little") ^ number
    first = _decrypt(key.secret, counter, nonce[:12], bytes(64))
    try:
        Poly1305.verify_tag(first[:32], page[: end + NONCE_BYTES], tag)
    except InvalidSignature:
        return None
    start = PAGE_1_PLAIN_BYTES if number == 1 else 0
    plain = _decrypt(first[32:], counter + 1, nonce[:12], page[start:end])
    head = _MAGIC + page[len(_MAGIC) : start] if start else b""
    return head + plain + page[end:]


def _decrypt(secret: bytes, counter: int, nonce: bytes, content: bytes) -> bytes:
    block = (counter & 0xFFFFFFFF).to_bytes(4, "little")
    return Cipher(ChaCha20(secret, block + nonce), mode=None).decryptor().update(content)
