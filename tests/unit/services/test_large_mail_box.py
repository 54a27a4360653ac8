"""Tests of mail boxes that are larger than a file may be: they are added in parts."""

from __future__ import annotations

import os
import time
from io import BytesIO

import pytest

from benchmarks.format_files import make_mbox
from desktop_app.engine.services import document_import
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.watched_folders import FolderWatcher
from desktop_app.engine.store import document_metadata, documents
from desktop_app.engine.text.readers import mail
from tests.small_library import index


@pytest.mark.parametrize("searched_bytes", [900, 4_000_000])
def test_a_part_has_whole_letters_and_all_parts_are_the_mail_box(
    searched_bytes: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mail, "_SEARCHED_BYTES", searched_bytes)
    content = make_mbox(40)
    for part_bytes in (500, 1_000, 3_000, len(content)):
        places = list(mail.split_mbox(BytesIO(content), len(content), part_bytes))
        parts = [content[start : start + size] for start, size in places]
        assert b"".join(parts) == content
        assert all(part.startswith(b"From ann@") for part in parts)
        letters = [one for part in parts for one in mail.iter_mbox(part, "box")]
        assert len(letters) == 40
    longer = content + make_mbox(1)
    before = list(mail.split_mbox(BytesIO(content), len(content), 3_000))
    after = list(mail.split_mbox(BytesIO(longer), len(longer), 3_000))
    assert after[: len(before) - 1] == before[:-1]  # mail is added at the end


def test_a_large_mail_box_is_added_in_parts_and_a_new_letter_changes_the_last(
    library, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(document_import, "MAIL_PART_BYTES", 3_000)
    monkeypatch.setattr(document_import, "MAX_FILE_BYTES", 5_000)
    path = tmp_path / "mail.mbox"
    path.write_bytes(make_mbox(20))
    added = add_files(library.writer, [path])
    assert not added.refused and len(added.documents) > 1
    assert documents.find_document(library.writer, added.documents[1]).file_name == "mail 2.mbox"
    [(_, size, _)] = document_metadata.fetch_files_known(library.writer)
    assert size == path.stat().st_size
    path.write_bytes(make_mbox(21))
    again = add_files(library.writer, [path])
    assert again.documents == added.documents[-1:]  # not read yet: its file is replaced
    assert len(again.same_as) == len(added.documents) - 1


def test_the_parts_of_a_mail_box_in_a_watched_folder_are_read_once(
    library, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(document_import, "MAIL_PART_BYTES", 300)
    folder = tmp_path / "mail"
    folder.mkdir()
    path = folder / "inbox.mbox"
    path.write_bytes(make_mbox(3))
    then = time.time() - 60
    os.utime(path, (then, then))
    FolderWatcher(library.writer).watch(folder)
    assert len(FolderWatcher(library.writer).scan().added.documents) == 2
    index(library)
    subjects = {documents.find_document(library.writer, i).title for i in _list_ids(library)}
    assert subjects == {"Letter 0", "Letter 1", "Letter 2"}
    monkeypatch.setattr(document_import, "hash_content", _refuse_to_read)
    assert FolderWatcher(library.writer).scan().added.documents == ()


def _list_ids(library) -> list[int]:
    return library.writer.column("SELECT id FROM document ORDER BY id")


def _refuse_to_read(content: object) -> str:
    raise AssertionError("the mail box was read again")


def test_a_letter_that_is_larger_than_a_file_is_refused_with_advice(
    library, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(document_import, "MAIL_PART_BYTES", 100)
    monkeypatch.setattr(document_import, "MAX_FILE_BYTES", 150)
    path = tmp_path / "mail.mbox"
    path.write_bytes(make_mbox(3))
    [reason] = add_files(library.writer, [path]).refused.values()
    assert "a letter that is larger than" in str(reason) and "attachments" in str(reason)
