"""Tests the watch for changes by other processes: they are reported, and a failure ends it."""

from __future__ import annotations

from pathlib import Path

from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.library import Library
from desktop_app.workers import foreign_watch
from desktop_app.workers.foreign_watch import ForeignWatch
from desktop_app.workers.lane import Lane


def test_a_change_of_another_process_is_reported(library: Library, qtbot, monkeypatch):
    monkeypatch.setattr(foreign_watch, "LOOK_MS", 20)
    lane = Lane("writer", lambda error: None)
    other = Library(Path(library.path))
    watch = ForeignWatch(lane, library.writer)
    try:
        watch.start()
        qtbot.waitUntil(lambda: watch._changes._state is not None)
        with qtbot.waitSignal(watch.found) as signal:
            Collections(other.writer).create("Novels")
        assert signal.args[0].change.collections
        assert "Novels" in signal.args[0].edit
        watch.stop()
        library.writer.close()
        watch.look()  # a closed library: the watch ends without a message
        qtbot.waitUntil(lambda: not watch._timer.isActive())
    finally:
        watch.stop()
        lane.close(5_000)
        other.close()


def test_a_library_that_is_moved_while_it_is_open_is_missed_until_it_is_back(
    library: Library, qtbot, monkeypatch
):
    monkeypatch.setattr(foreign_watch, "LOOK_MS", 20)
    lane = Lane("writer", lambda error: None)
    watch = ForeignWatch(lane, library.writer)
    path = Path(library.path)
    try:
        watch.start()
        for is_missing in (True, False):
            places = (path, path.with_suffix(".away"))
            source, target = places if is_missing else places[::-1]
            with qtbot.waitSignal(watch.missing_changed) as signal:
                source.rename(target)
            assert signal.args == [is_missing]
    finally:
        watch.stop()
        lane.close(5_000)
