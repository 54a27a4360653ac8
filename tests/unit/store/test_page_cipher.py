"""Tests the decryption of single pages against what SQLite encrypts."""

from __future__ import annotations

import numpy as np

from desktop_app.engine.store.db import Db
from desktop_app.engine.store.encryption import make_key
from desktop_app.engine.store.page_cipher import decrypt_pages

PAGE = 4096


def test_pages_that_sqlite_encrypted_are_decrypted_and_changed_ones_are_not(tmp_path):
    key = make_key("correct horse battery")
    db = Db(tmp_path / "one.inkgraph", key=key)
    with db.transaction():
        db.write("INSERT INTO setting(key, value) VALUES ('word', ?)", ("Merrow " * 3000,))
    db.close()
    content = bytearray((tmp_path / "one.inkgraph").read_bytes())
    numbers = range(1, len(content) // PAGE + 1)
    plain, sound = decrypt_pages(bytes(content), PAGE, numbers, key)
    assert sound.all() and plain.count(b"Merrow") >= 2900
    assert plain.startswith(b"SQLite format 3\0") and plain[68:72] == b"Inkg"
    content[5 * PAGE + 17] ^= 1
    plain, sound = decrypt_pages(bytes(content), PAGE, numbers, key)
    assert np.flatnonzero(~sound).tolist() == [5]
    assert plain[5 * PAGE : 6 * PAGE] == bytes(PAGE)
