"""Tests writing reports in the background: queue, pauses, priority."""

from __future__ import annotations

import threading

import pytest

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.store import communities as community_rows
from desktop_app.workers.background_jobs import ReportJob, ReportOrder
from tests.books import add_book


@pytest.fixture
def made(library):
    add_book(library)
    refresh_communities(library.writer)
    return library


def work_of(library, **more) -> ReportJob:
    return ReportJob(ReportService(library.writer, lambda: None), **more)


def n_kept(library) -> int:
    return library.writer.value("SELECT count(*) FROM report")


def test_an_ordered_report_is_written_and_reported(made):
    work, reported, changed = work_of(made), [], set()
    work.add(ReportOrder(use_model=False))
    work.run(on_progress=reported.append, on_change=lambda c: changed.update(c.communities))
    found = CommunityReader(made.writer).tree()
    assert n_kept(made) == len(found) == work.n_done
    assert changed == {int(row.id) for row in found}
    assert (reported[-1].done, reported[-1].total) == (len(found), len(found))


def test_after_a_pause_the_remaining_reports_are_written(made):
    work, cancel, reported = work_of(made), CancelToken(), []
    work.add(ReportOrder(again=True, use_model=False))
    cancel.cancel()
    with pytest.raises(Cancelled):
        work.run(cancel=cancel)
    assert n_kept(made) == 0
    work.run(on_progress=reported.append)
    assert n_kept(made) == reported[-1].total
    work.run()  # nothing is left
    assert work.n_done == n_kept(made)


def test_cancelled_orders_are_not_written(made):
    work = work_of(made)
    work.add(ReportOrder(use_model=False))
    work.clear()
    work.run()
    assert n_kept(made) == 0


def test_a_failing_order_is_not_retried_forever(made, monkeypatch):
    work = work_of(made)
    work.add(ReportOrder(use_model=False))

    def fail(*args, **more):
        raise OSError("the disk is full")

    monkeypatch.setattr(ReportService, "run", fail)
    with pytest.raises(OSError):
        work.run()
    monkeypatch.undo()
    work.run()
    assert n_kept(made) == 0


def test_reports_wait_while_more_urgent_work_uses_the_model(made):
    scheduler, requested = WorkScheduler(), threading.Semaphore(0)
    work = work_of(made, scheduler=scheduler)
    work.add(ReportOrder())
    runner = threading.Thread(target=work.run)
    with scheduler.hold(Priority.QUESTION):
        scheduler.on_change = requested.release
        runner.start()
        assert requested.acquire(timeout=20)
        assert n_kept(made) == 0
    runner.join(20)
    assert not runner.is_alive() and n_kept(made) > 0


def test_undoing_an_edit_of_a_report_reports_its_community(made):
    reading = CommunityReader(made.writer)
    number = int(reading.tree()[0].id)
    ReportService(made.writer, lambda: None).edit(number, title="Mine")
    label, change = EditingService(made.writer).undo()
    assert "report" in label and change.communities == {number}
    _, change = EditingService(made.writer).redo()
    assert change.communities == {number}
    assert reading.get_report(number).title == "Mine"


def part(title: str, members: list[int]) -> community_rows.CommunityValues:
    return community_rows.CommunityValues(
        0, None, title, (), (title,), tuple(members), len(members), 0, 0.5, False, title
    )


def test_related_communities_are_connected_by_relations(made):
    reading, db = CommunityReader(made.writer), made.writer
    with db.transaction():
        ids = [i for (i,) in db.rows("SELECT id FROM entity ORDER BY id")]
        kept = {n: part(f"C{n}", m) for n, m in ((901, ids[:2]), (902, ids[2:]))}
        community_rows.replace_communities(
            db, kept, [i for (i,) in db.rows("SELECT id FROM community")]
        )
    across = db.value(
        "SELECT count(*) FROM relation WHERE (source_id IN (?1, ?2)) <> (target_id IN (?1, ?2))",
        (ids[0], ids[1]),
    )
    [other] = reading.related(901)
    assert int(other.row.id) == 902 and other.n_relations == across > 0
    assert reading.list_members(901) == ids[:2]


def test_a_cited_place_is_the_nearest_sentence_that_connects_members(made):
    reading, db = CommunityReader(made.writer), made.writer
    number = int(reading.tree()[0].id)
    text = db.value("SELECT text FROM document_text")
    first, last = (reading.find_place(number, 1, share) for share in (0.0, 1.0))
    assert first[0] < last[0]
    assert "Hale" in text[first[0] : first[1]] and "Clara" in text[last[0] : last[1]]
    assert reading.find_place(number, 999, 0.5) is None
