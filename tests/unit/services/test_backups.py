"""Tests backups: when one is made, which are kept, that it is verified, and restoring one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import (
    Cancelled,
    DamagedLibrary,
    EnvironmentProblem,
    NotALibrary,
    UserError,
)
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services import backups as backups_module
from desktop_app.engine.services.backups import (
    AUTOMATIC,
    BY_HAND,
    INTERVAL_S,
    UPGRADE,
    AutomaticBackups,
    BackupFile,
    Backups,
    backup_folder,
    choose_kept,
    list_backups,
    read_backup_content,
    restore,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.preferences import BackupSettings
from desktop_app.engine.store import connection as connection_module
from desktop_app.engine.store import curation, search
from desktop_app.engine.store import db as db_module
from desktop_app.engine.store.connection import migration_files
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.library_file import find_damaged_pages
from tests.small_library import add

BESIDE = BackupSettings()
ROOT = Path(__file__).parents[3]
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "lib.inkgraph")
    yield made
    made.close()


@pytest.fixture
def backups(library, clock) -> Backups:
    return Backups(library.path, lambda: BESIDE, clock)


def fetch_everything(path: Path) -> dict[str, list[tuple]]:
    """Return all rows of all tables of a library; those of search indexes by a query."""
    db = Db(path, read_only=True)
    try:
        tables = db.column(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'vec_%'"
            " AND name NOT LIKE 'chunk_fts%' ORDER BY name"
        )
        rows = {table: sorted(db.rows(f"SELECT * FROM {table}"), key=repr) for table in tables}
        rows["words"] = search.search_words(db, '"clocks"', 10)
        if search.find_embedding_model(db):
            rows["vectors"] = search.search_vectors(db, np.eye(1, 8, dtype=np.float32)[0], 3)
        return rows
    finally:
        db.close()


def embed(db: Db) -> None:
    ids = db.column("SELECT id FROM window")
    with db.transaction():
        search.ensure_vector_index(db, "tiny", 8)
        search.store_vectors(db, ids, np.eye(len(ids), 8, dtype=np.float32))


def test_a_restored_library_equals_the_library_that_was_backed_up(
    library, backups, tmp_path, clock
):
    add(library, tmp_path)
    embed(library.writer)
    editing = EditingService(library.writer)
    entity_id = library.writer.value("SELECT id FROM entity WHERE name = 'Ada Merrow'")
    editing.rename(entity_id, "Ada Quill")
    made = backups.make(BY_HAND)
    before = fetch_everything(library.path)
    assert before["vectors"] and before["words"] and before["entity_edit"]
    editing.undo()
    library.close()
    aside = restore(made.path, library.path, clock=clock)
    assert fetch_everything(library.path) == before
    assert aside is not None and "set aside" in aside.name
    assert fetch_everything(aside)["entity_edit"] == []
    again = Library(library.path)
    assert EditingService(again.writer).undo()[0] == "Rename “Ada Merrow” to “Ada Quill”"
    again.close()


def test_a_backup_is_one_file_with_its_content(library, backups, tmp_path):
    add(library, tmp_path)
    made = backups.make(BY_HAND)
    assert [p.name for p in made.path.parent.iterdir()] == [
        "lib 2026-11-22 12-00-00.by-hand.backup"
    ]
    content = read_backup_content(made.path)
    assert (content.n_documents, content.problem) == (1, "") and content.n_entities > 1
    assert backups.list() == [made]
    assert [p.name for p in made.path.parent.iterdir()] == [made.path.name]


def test_the_folder_of_the_settings_has_one_folder_for_each_library(tmp_path):
    settings = BackupSettings(folder=str(tmp_path / "disk"))
    one = backup_folder(tmp_path / "a" / "lib.inkgraph", settings)
    other = backup_folder(tmp_path / "b" / "lib.inkgraph", settings)
    assert one.parent == other.parent == tmp_path / "disk" and one != other


def test_backups_beside_the_library_are_listed_after_the_folder_was_changed(
    library, backups, tmp_path
):
    made = backups.make(BY_HAND)
    assert list_backups(library.path, BackupSettings(folder=str(tmp_path))) == [made]


# --- when one is made --------------------------------------------------------------------------


@pytest.fixture
def problems() -> list[Exception]:
    return []


@pytest.fixture
def automatic(library, backups, clock, problems) -> AutomaticBackups:
    return AutomaticBackups(library.writer, backups, problems.append, clock=clock)


def edit(db: Db, name: str) -> None:
    with db.edit(Message("Delete {names}", names=name)):
        curation.add_deleted_name(db, name)


def test_an_empty_library_is_not_backed_up(automatic):
    assert automatic.look() is None


def test_changes_are_backed_up_when_the_last_backup_is_old_enough(
    library, automatic, clock, tmp_path
):
    add(library, tmp_path)
    first = automatic.look()
    assert first is not None and first.reason == AUTOMATIC
    edit(library.writer, "Ada Merrow")
    clock.now += INTERVAL_S - 1
    assert automatic.look() is None
    clock.now += 1
    second = automatic.look()
    assert second is not None
    clock.now += 10 * INTERVAL_S
    assert automatic.look() is None  # nothing changed
    with library.writer.transaction():
        library.writer.write("UPDATE document SET reading_position = '[1, 0.5]'")
    assert automatic.look() is None  # nor is this worth a backup
    [names] = [fetch_everything(f.path)["deleted_name"] for f in (second,)]
    assert [name for name, *_ in names] == ["Ada Merrow"]


def test_of_large_libraries_the_edits_are_saved_between_backups(
    library, backups, automatic, clock, tmp_path, monkeypatch
):
    add(library, tmp_path)
    first = automatic.look()
    assert first is not None
    size = backups_module.measure_library(library.path)
    monkeypatch.setattr(backups_module, "BYTES_AN_INTERVAL", size / 3)
    editing = EditingService(library.writer)
    entity_id = library.writer.value("SELECT id FROM entity WHERE name = 'Ada Merrow'")
    editing.rename(entity_id, "Ada Quill")
    add(library, tmp_path, "later.txt", "Ida Penn came later. Ida Penn saw Ada Merrow.")
    clock.now += INTERVAL_S
    assert automatic.look() is None  # no backup yet
    [edits] = first.path.parent.glob("*.edits")
    clock.now += 60
    assert automatic.look() is None
    assert [edits] == list(first.path.parent.glob("*.edits"))  # nothing was edited since
    assert backups.list() == [first]
    library.close()
    restore(first.path, library.path, clock=clock)
    again = Library(library.path)
    names = again.writer.column("SELECT name FROM entity")
    assert "Ada Quill" in names and "Ida Penn" not in names
    assert EditingService(again.writer).undo()[0] == "Rename “Ada Merrow” to “Ada Quill”"
    assert again.writer.integrity_problems() == []
    again.close()
    clock.now += 3 * INTERVAL_S
    second = backups.make(AUTOMATIC)
    assert backups.find_edits(second.path) is None and backups.find_edits(first.path) is None


def test_changes_of_short_sessions_are_backed_up_in_the_next_one(
    library, backups, clock, tmp_path, problems
):
    add(library, tmp_path)
    backups.make(AUTOMATIC)
    edit(library.writer, "Ada Merrow")
    clock.now += INTERVAL_S
    next_session = AutomaticBackups(library.writer, backups, problems.append, clock=clock)
    assert next_session.look() is not None


def test_a_clock_that_goes_back_does_not_prevent_backups(library, automatic, clock, tmp_path):
    add(library, tmp_path)
    assert automatic.look() is not None
    edit(library.writer, "Ada Merrow")
    clock.now -= 60 * 365 * 86_400
    made = automatic.look()
    assert made is not None and made.path.exists()


def test_in_a_quiet_minute_the_file_alone_is_complete(library, automatic, tmp_path):
    add(library, tmp_path)
    automatic.look()
    automatic.look()
    log = library.path.with_name(library.path.name + "-wal")
    assert log.stat().st_size == 0


def test_too_little_room_is_reported_once(
    library, automatic, clock, tmp_path, problems, monkeypatch
):
    add(library, tmp_path)
    usage = shutil.disk_usage(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(backups_module.shutil, "disk_usage", lambda _: usage._replace(free=1_000))
        for _ in range(3):
            with pytest.raises(EnvironmentProblem, match="0 MB free") as raised:
                automatic.look()
            automatic._report(raised.value)
            assert automatic.look() is None  # until it is tried again
            clock.now += INTERVAL_S
    assert len(problems) == 1
    assert automatic.look() is not None
    assert automatic._last_problem == ""


def test_the_thread_ends_when_it_is_stopped(automatic):
    automatic.start()
    automatic.stop()
    assert not automatic._thread.is_alive()


# --- which are kept -----------------------------------------------------------------------------


def make_files(times: list[float], reason: str = AUTOMATIC) -> list[BackupFile]:
    return [BackupFile(Path(f"{reason} {t}"), t, reason, 1) for t in times]


def test_seven_days_and_four_weeks_are_kept():
    half_hours = [NOON - n * 1800 for n in range(48 * 60)]  # of sixty days
    files = make_files(half_hours)
    chosen = choose_kept(files, BESIDE, NOON)
    kept = sorted(f.created_at for f in files if f.path in chosen)
    dates = [datetime.fromtimestamp(at).date() for at in kept]
    newest_days = sorted({datetime.fromtimestamp(at).date() for at in half_hours})[-7:]
    assert set(newest_days) <= set(dates)
    assert len({d.isocalendar()[:2] for d in dates}) == 4
    assert len(kept) <= 3 + 7 + 4
    assert kept[-3:] == sorted(half_hours)[-3:]


def test_the_newest_of_each_day_is_kept_also_if_the_days_are_far_apart():
    days = [NOON - n * 40 * 86_400 for n in range(12)]
    files = make_files(days)
    assert len(choose_kept(files, BESIDE, NOON)) == 7


def test_a_backup_before_an_upgrade_is_kept_and_those_of_the_future_come_last():
    upgrade = make_files([NOON - 300 * 86_400], UPGRADE)
    future = make_files([NOON + n * 365 * 86_400 for n in range(1, 30)])
    present = make_files([NOON - n * 86_400 for n in range(5)])
    kept = choose_kept([*upgrade, *future, *present], BESIDE, NOON)
    assert {f.path for f in (*upgrade, *present)} <= kept


def test_superseded_backups_are_deleted_after_a_new_one_was_made(library, backups, clock, tmp_path):
    add(library, tmp_path)
    made = []
    for _ in range(30):
        clock.now += 86_400
        made.append(backups.make(AUTOMATIC))
    left = [f.path for f in backups.list()]
    assert left[:7] == [f.path for f in reversed(made)][:7]
    assert len(left) <= 11


# --- what can go wrong --------------------------------------------------------------------------


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 8] = b"\xff" * 8
    path.write_bytes(content)


def test_a_damaged_library_replaces_no_good_backup(library, backups, clock, tmp_path):
    add(library, tmp_path)
    good = backups.make(AUTOMATIC)
    library.close()
    damage(library.path)
    clock.now += 86_400
    with pytest.raises(EnvironmentProblem):
        backups.make(AUTOMATIC)
    assert backups.list() == [good]
    assert [p.name for p in good.path.parent.iterdir()] == [good.path.name]


def test_a_cancelled_backup_leaves_nothing(library, backups, tmp_path):
    add(library, tmp_path)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        backups.make(AUTOMATIC, cancel=token)
    assert list(backup_folder(library.path, BESIDE).iterdir()) == []


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from desktop_app.engine.services.backups import Backups, AUTOMATIC
    from desktop_app.engine.services.preferences import BackupSettings
    from desktop_app.engine.store import backup
    from desktop_app.engine.store.db import Db
    kill = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    if sys.argv[2] == "copy":
        Db.copy_to = lambda self, target, on_step: target.backup(
            "main", self._connection, "main").step(5) or kill()
    elif sys.argv[2] == "verify":
        backup._verify = kill
    else:
        os.replace = kill
    Backups(Path(sys.argv[1]), BackupSettings).make(AUTOMATIC)
"""


@pytest.mark.parametrize("moment", ["copy", "verify", "rename"])
def test_a_backup_that_was_killed_is_not_listed_and_deleted_later(
    library, backups, clock, tmp_path, moment
):
    add(library, tmp_path)
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(library.path), moment]
    ended = subprocess.run(command, check=False, cwd=ROOT)
    assert ended.returncode == -signal.SIGKILL
    assert backups.list() == []
    [part, *_] = backup_folder(library.path, BESIDE).iterdir()
    os.utime(part, (NOON - 7200, NOON - 7200))
    made = backups.make(AUTOMATIC)
    assert read_backup_content(made.path).n_documents == 1
    assert not part.exists()


def test_a_backup_holds_one_state_while_another_connection_writes(library, tmp_path):
    for number in range(30):
        add(library, tmp_path, f"{number}.txt", f"Ada Merrow saw Tobias Quill {number} times.\n")
    reader = library.reader()
    steps = []

    def write(_left: int, _n: int) -> None:
        steps.append(edit(library.writer, f"name {len(steps)}"))

    target = reader.connect_like(tmp_path / "copy.inkgraph")
    with reader.snapshot():
        original, reader_step = db_module.BACKUP_STEP_PAGES, 20
        db_module.BACKUP_STEP_PAGES = reader_step
        try:
            reader.copy_to(target, write)
        finally:
            db_module.BACKUP_STEP_PAGES = original
            target.close()
    assert len(steps) > 3
    assert library.writer.value("SELECT count(*) FROM deleted_name") == len(steps)
    assert fetch_everything(tmp_path / "copy.inkgraph")["deleted_name"] == []


WRITER = """
    import sys
    from pathlib import Path
    from desktop_app.engine.messages import Message
    from desktop_app.engine.store import curation
    from desktop_app.engine.store.db import Db
    db = Db(Path(sys.argv[1]))
    number = 0
    while not Path(sys.argv[2]).exists():
        with db.edit(Message("Delete {names}", names=number)):
            curation.add_deleted_name(db, f"name {number}")
        number += 1
        print(number, flush=True)
    db.close()
"""


def test_a_backup_is_made_while_another_process_writes(library, backups, clock, tmp_path):
    add(library, tmp_path)
    library.close()
    command = [sys.executable, "-c", textwrap.dedent(WRITER), library.path, tmp_path / "stop"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as writer:
        n_before = int(writer.stdout.readline())
        for _ in range(5):
            clock.now += 60
            made = backups.make(AUTOMATIC)
        (tmp_path / "stop").touch()
        n_after = len(writer.stdout.read().splitlines()) + n_before
    assert writer.returncode == 0
    names = [row[0] for row in fetch_everything(made.path)["deleted_name"]]
    assert sorted(names) == sorted(f"name {n}" for n in range(len(names)))  # one state
    assert n_before <= len(names) <= n_after
    db = Db(library.path, read_only=True)
    assert db.value("SELECT count(*) FROM deleted_name") == n_after
    db.close()


def test_what_is_in_a_large_log_is_backed_up_with_its_checksums(library, backups, tmp_path):
    big = tmp_path / "big.txt"
    big.write_bytes(os.urandom(2_000_000).hex().encode())
    add_files(library.writer, [big])
    assert library.path.with_name(library.path.name + "-wal").stat().st_size > 4_000_000
    made = backups.make(BY_HAND)
    assert find_damaged_pages(made.path) == []
    db = Db(made.path, read_only=True)
    assert db.value("SELECT length(content) FROM original") == 4_000_000
    db.close()


def test_a_library_is_backed_up_before_it_is_upgraded(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    with monkeypatch.context() as patch:
        patch.setattr(connection_module, "migration_files", lambda: migration_files()[:9])
        old = Db(path)
        with old.transaction():
            old.write("INSERT INTO deleted_name(name) VALUES ('Bah')")
        # The change is in the write-ahead log only.
        shutil.copy(path, tmp_path / "crashed.inkgraph")
        shutil.copy(f"{path}-wal", tmp_path / "crashed.inkgraph-wal")
        old.close()
    Library(tmp_path / "crashed.inkgraph").close()
    [made] = list_backups(tmp_path / "crashed.inkgraph", BESIDE)
    assert made.reason == UPGRADE
    db = Db(made.path, read_only=True, any_version=True)
    assert db.value("PRAGMA user_version") == 9
    assert db.column("SELECT name FROM deleted_name") == ["Bah"]
    db.close()


# --- restoring ----------------------------------------------------------------------------------


def test_a_library_that_is_open_is_not_replaced(library, backups, tmp_path):
    add(library, tmp_path)
    made = backups.make(BY_HAND)
    with pytest.raises(EnvironmentProblem, match="in use"):
        restore(made.path, library.path)
    assert library.writer.value("SELECT count(*) FROM document") == 1


@pytest.mark.parametrize("content", [b"", b"Dear Sir, " * 1000, None])
def test_a_library_that_can_not_be_read_is_set_aside(library, backups, tmp_path, clock, content):
    add(library, tmp_path)
    made = backups.make(BY_HAND)
    library.close()
    if content is None:
        library.path.unlink()
    else:
        library.path.write_bytes(content)
        with pytest.raises((DamagedLibrary, NotALibrary)):
            Library(library.path)
    aside = restore(made.path, library.path, clock=clock)
    assert (aside.read_bytes() if aside else None) == content
    again = Library(library.path)
    assert again.writer.value("SELECT count(*) FROM document") == 1
    again.close()


def test_the_log_of_the_library_that_was_there_is_set_aside_too(library, backups, tmp_path, clock):
    add(library, tmp_path)
    made = backups.make(BY_HAND)
    shutil.copy(library.path, tmp_path / "crashed.inkgraph")
    edit(library.writer, "Ada Merrow")
    shutil.copy(f"{library.path}-wal", tmp_path / "crashed.inkgraph-wal")
    aside = restore(made.path, tmp_path / "crashed.inkgraph", clock=clock)
    assert fetch_everything(tmp_path / "crashed.inkgraph")["deleted_name"] == []
    assert [row[0] for row in fetch_everything(aside)["deleted_name"]] == ["Ada Merrow"]


def test_what_is_no_backup_is_not_restored(library, backups, tmp_path):
    add(library, tmp_path)
    library.close()
    before = library.path.read_bytes()
    letter = tmp_path / "letter.backup"
    letter.write_bytes(b"Dear Sir, " * 1000)
    damaged = tmp_path / "damaged.backup"
    damaged.write_bytes(before)
    damage(damaged)
    for file in (letter, damaged, library.path, tmp_path / "none.backup"):
        with pytest.raises((UserError, EnvironmentProblem)):
            restore(file, library.path)
    assert library.path.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


def test_a_day_in_another_time_zone_is_read_back(library, backups, clock):
    clock.now = NOON + timedelta(hours=11, minutes=30).total_seconds()
    assert backups.make(BY_HAND).created_at == clock.now == backups.list()[0].created_at


def test_two_backups_in_one_second_are_both_kept(library, backups, tmp_path):
    add(library, tmp_path)
    made = [backups.make(BY_HAND).path for _ in range(2)]
    assert len(set(made)) == 2 and all(path.exists() for path in made)
