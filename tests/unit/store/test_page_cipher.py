"""Tests the decryption of single pages against RFC 8439 and against SQLite."""

from __future__ import annotations

import numpy as np

from desktop_app.engine.store.db import Db
from desktop_app.engine.store.encryption import make_key
from desktop_app.engine.store.page_cipher import compute_stream, compute_tag, decrypt_pages

PAGE = 4096


def test_the_stream_is_that_of_rfc_8439():
    """Section 2.3.2."""
    key = np.frombuffer(bytes(range(32)), "<u4").reshape(1, 8)
    nonce = np.frombuffer(bytes.fromhex("000000090000004a00000000"), "<u4").reshape(1, 3)
    stream = compute_stream(key, np.array([1], np.uint32), nonce, 1).tobytes()
    assert stream == bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_the_tag_is_that_of_rfc_8439():
    """Section 2.5.2."""
    key = bytes.fromhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
    tag = compute_tag(key, b"Cryptographic Forum Research Group")
    assert tag == bytes.fromhex("a8061dc1305136c6c22b8baf0c0127a9")


def test_pages_that_sqlite_encrypted_are_decrypted_and_changed_ones_are_not(tmp_path):
    key = make_key("correct horse battery")
    db = Db(tmp_path / "one.inkgraph", key=key)
    with db.transaction():
        db.write("INSERT INTO setting(key, value) VALUES ('word', ?)", ("Merrow " * 3000,))
    db.close()
    content = bytearray((tmp_path / "one.inkgraph").read_bytes())
    numbers = np.arange(1, len(content) // PAGE + 1, dtype=np.uint32)
    plain, sound = decrypt_pages(bytes(content), PAGE, numbers, key)
    assert sound.all() and plain.count(b"Merrow") >= 2900
    assert plain.startswith(b"SQLite format 3\0") and plain[68:72] == b"Inkg"
    content[5 * PAGE + 17] ^= 1
    plain, sound = decrypt_pages(bytes(content), PAGE, numbers, key)
    assert np.flatnonzero(~sound).tolist() == [5]
    assert plain[5 * PAGE : 6 * PAGE] == bytes(PAGE)
