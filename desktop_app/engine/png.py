"""PNG pictures of plain pixels: written and read without a library for pictures.

A library may come from another person, so that nothing in it is given to a decoder in this process.
`decode_png` reads only what `encode_png` writes: 8 bits of red, green and blue, and no filter.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TRUE_COLOR = 8, 2, 0, 0, 0  # bits, colour type, compression, filter, interlacing
_LONGEST_SIDE = 4_000  # pixels: the pixels of a row and a column fit in memory many times


def encode_png(width: int, height: int, pixels: bytes) -> bytes:
    """Return a PNG.

    Args:
        pixels: red, green and blue of each pixel, row by row without padding.
    """
    rows = np.frombuffer(pixels, np.uint8).reshape(height, 3 * width)
    unfiltered = np.zeros((height, 1), np.uint8)
    data = zlib.compress(np.hstack([unfiltered, rows]).tobytes(), 9)
    head = struct.pack(">IIBBBBB", width, height, *_TRUE_COLOR)
    parts = (b"IHDR", head), (b"IDAT", data), (b"IEND", b"")
    return _SIGNATURE + b"".join(_build_chunk(*part) for part in parts)


def _build_chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def read_png_size(png: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG of `encode_png`, None of anything else."""
    if len(png) < 45 or not png.startswith(_SIGNATURE + struct.pack(">I", 13) + b"IHDR"):
        return None
    width, height, *form = struct.unpack(">IIBBBBB", png[16:29])
    is_small = 0 < width <= _LONGEST_SIDE and 0 < height <= _LONGEST_SIDE
    return (width, height) if is_small and tuple(form) == _TRUE_COLOR else None


def decode_png(png: bytes) -> tuple[int, int, bytes] | None:
    """Return width, height and pixels of a PNG of `encode_png`, None of anything else."""
    size = read_png_size(png)
    if size is None or png[37:41] != b"IDAT":
        return None
    width, height = size
    n_bytes = height * (3 * width + 1)
    length = struct.unpack(">I", png[33:37])[0]
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(png[41 : 41 + length], n_bytes)
    except zlib.error:
        return None
    if len(data) != n_bytes:
        return None
    rows = np.frombuffer(data, np.uint8).reshape(height, 3 * width + 1)
    return None if rows[:, 0].any() else (width, height, rows[:, 1:].tobytes())
