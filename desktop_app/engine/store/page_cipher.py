"""Decrypts single pages of an encrypted library, for recovery where SQLite refuses the file.

SQLite3 Multiple Ciphers encrypts each page alone with ChaCha20-Poly1305 (RFC 8439): its last 32
bytes are a nonce and a tag, the counter of the first block depends on the page number. That block
gives the key of the tag and the key of the page. Only reads, and keeps nothing on the disk.
"""

from __future__ import annotations

import numpy as np

from .encryption import LibraryKey

RESERVED_BYTES = 32  # of each page
NONCE_BYTES = 16  # the first 12 are the nonce, the others a counter
PAGE_1_PLAIN_BYTES = 24  # salt, and the part of the header that SQLite needs before the key
_MAGIC = b"SQLite format 3\0"
_BATCH_PAGES = 1024
_CONSTANTS = np.frombuffer(b"expand 32-byte k", "<u4")
_POLY1305_PRIME = (1 << 130) - 5
_POLY1305_CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def decrypt_pages(
    content: bytes | memoryview, page_size: int, numbers: np.ndarray, key: LibraryKey
) -> tuple[bytes, np.ndarray]:
    """Return the pages in plain, one after the other, and which of them are authentic.

    Pages that are not authentic (damaged, or encrypted with another key) are zero.

    Args:
        content: whole pages.
        numbers: of the pages, from 1, uint32, shape (N,).
    """
    cipher = np.frombuffer(content, np.uint8).reshape(-1, page_size)
    plain = np.zeros_like(cipher)
    sound = np.zeros(len(cipher), bool)
    for at in range(0, len(cipher), _BATCH_PAGES):
        batch = slice(at, at + _BATCH_PAGES)
        plain[batch], sound[batch] = _decrypt_batch(cipher[batch], numbers[batch], key)
    return plain.tobytes(), sound


def _decrypt_batch(
    cipher: np.ndarray, numbers: np.ndarray, key: LibraryKey
) -> tuple[np.ndarray, np.ndarray]:
    n_pages, page_size = cipher.shape
    n_bytes = page_size - RESERVED_BYTES
    nonces = np.ascontiguousarray(cipher[:, n_bytes : n_bytes + NONCE_BYTES]).view("<u4")
    counters = nonces[:, 3] ^ numbers.astype(np.uint32)
    secret = np.broadcast_to(np.frombuffer(key.secret, "<u4"), (n_pages, 8))
    first = compute_stream(secret, counters, nonces[:, :3], 1)
    is_sound = [
        compute_tag(first[i, :32].tobytes(), cipher[i, : n_bytes + NONCE_BYTES].tobytes())
        == cipher[i, n_bytes + NONCE_BYTES :].tobytes()
        for i in range(n_pages)
    ]
    page_keys = np.ascontiguousarray(first[:, 32:]).view("<u4")
    n_blocks = -(-n_bytes // 64)
    stream = compute_stream(page_keys, counters + np.uint32(1), nonces[:, :3], n_blocks)
    plain = cipher.copy()
    plain[:, :n_bytes] ^= stream[:, :n_bytes]
    for row in np.flatnonzero(numbers == 1):  # its stream begins after the plain bytes
        start = PAGE_1_PLAIN_BYTES
        plain[row, start:n_bytes] = cipher[row, start:n_bytes] ^ stream[row, : n_bytes - start]
        plain[row, :16] = np.frombuffer(_MAGIC, np.uint8)
        plain[row, 16:start] = cipher[row, 16:start]
    sound = np.array(is_sound, bool)
    plain[~sound] = 0
    return plain, sound


def compute_stream(
    keys: np.ndarray, counters: np.ndarray, nonces: np.ndarray, n_blocks: int
) -> np.ndarray:
    """Return the ChaCha20 stream of each key, uint8, shape (N, 64 * n_blocks).

    Args:
        keys: uint32, shape (N, 8).
        counters: of the first block, uint32, shape (N,); they wrap around.
        nonces: uint32, shape (N, 3).
    """
    n = len(keys)
    start = np.empty((4, 4, n, n_blocks), np.uint32)
    start[0] = _CONSTANTS[:, None, None]
    start[1] = keys.T[:4, :, None]
    start[2] = keys.T[4:, :, None]
    start[3, 0] = counters[:, None] + np.arange(n_blocks, dtype=np.uint32)
    start[3, 1:] = nonces.T[:, :, None]
    a, b, c, d = (row.copy() for row in start)
    for _ in range(10):
        a, b, c, d = _mix(a, b, c, d)  # the columns
        b, c, d = b[[1, 2, 3, 0]], c[[2, 3, 0, 1]], d[[3, 0, 1, 2]]
        a, b, c, d = _mix(a, b, c, d)  # the diagonals
        b, c, d = b[[3, 0, 1, 2]], c[[2, 3, 0, 1]], d[[1, 2, 3, 0]]
    state = np.stack((a, b, c, d)) + start
    words = np.ascontiguousarray(state.reshape(16, n, n_blocks).transpose(1, 2, 0), "<u4")
    return words.view(np.uint8).reshape(n, n_blocks * 64)


def _mix(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the four rows after the quarter rounds of RFC 8439, section 2.1."""
    a = a + b
    d = _rotate(d ^ a, 16)
    c = c + d
    b = _rotate(b ^ c, 12)
    a = a + b
    d = _rotate(d ^ a, 8)
    c = c + d
    return a, _rotate(b ^ c, 7), c, d


def _rotate(words: np.ndarray, n_bits: int) -> np.ndarray:
    rotated: np.ndarray = (words << np.uint32(n_bits)) | (words >> np.uint32(32 - n_bits))
    return rotated


def compute_tag(key: bytes, content: bytes) -> bytes:
    """Return the Poly1305 tag of a content (RFC 8439, section 2.5)."""
    factor = int.from_bytes(key[:16], "little") & _POLY1305_CLAMP
    total = 0
    for at in range(0, len(content), 16):
        total += int.from_bytes(content[at : at + 16] + b"\1", "little")
        total = total * factor % _POLY1305_PRIME
    tag = total + int.from_bytes(key[16:], "little")
    return (tag & ((1 << 128) - 1)).to_bytes(16, "little")
