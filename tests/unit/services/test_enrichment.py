"""Tests the enrichment job: queue, priority, pauses, split chunks, stored results."""

from __future__ import annotations

import threading

import pytest

from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.extraction.llm import strategy as enrich
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import PASSAGE, Choice, Choose, PromptProgram, Write, Written
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.enrichment.service import EnrichmentService, RunResult
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import documents
from desktop_app.engine.store.enrichment import DocumentEnrichment
from tests.books import BOOK, add_book, build_small_script, enriching_of, one_by_one
from tests.fakes import ScriptedChatModel, reply_alike

pytestmark = pytest.mark.usefixtures("small_prompts")


def order_done(model: ScriptedChatModel, library: Library) -> list[int]:
    """Return the numbers of the chunks in the order of processing."""
    texts = dict(library.writer.rows("SELECT text, order_no FROM chunk"))
    return [texts[s.text] for s in model.begun]


def chunk_ids(library: Library) -> list[int]:
    return [
        r[0] for r in library.writer.rows("SELECT id FROM chunk ORDER BY document_id, order_no")
    ]


def status_of(enriching: EnrichmentService, document_id: int) -> DocumentEnrichment:
    return next(d for d in enriching.status().documents if d.document_id == document_id)


def enqueue_chunk(enriching: EnrichmentService, document_id: int, order: int) -> None:
    """Queue one chunk of `BOOK` by a part of its text."""
    middle = sum(map(len, BOOK[:order])) + len(BOOK[order]) // 2
    enriching.enqueue_range(document_id, middle, middle + 1)


# --- the queue ----------------------------------------------------------------------------------


def test_the_most_central_chunks_come_first(library):
    add_book(library)
    model = one_by_one()
    enriching = enriching_of(library, model)
    enriching.enqueue()
    enriching.run()
    done = order_done(model, library)
    assert done[:2] == [1, 3], "three names, one of them twice in the other"
    assert sorted(done) == [0, 1, 2, 3, 4]
    assert done[-1] == 2, "nobody is named there"


def test_chunks_can_be_done_in_reading_order(library):
    add_book(library)
    model = one_by_one()
    enriching = enriching_of(library, model)
    enriching.save_settings(EnrichSettings(order="document"))
    enriching.enqueue()
    enriching.run()
    assert order_done(model, library) == [0, 1, 2, 3, 4]


def test_a_requested_chunk_is_processed_next(library):
    document_id = add_book(library)
    model = one_by_one()
    enriching = enriching_of(library, model)
    enriching.save_settings(EnrichSettings(order="document"))
    enriching.enqueue()
    seen = []

    def jump(progress):
        if progress.stage == "enriching" and progress.done == 1 and not seen:
            seen.append(progress)
            enqueue_chunk(enriching, document_id, 3)
            enqueue_chunk(enriching, document_id, 4)

    enriching.run(on_progress=jump)
    assert order_done(model, library) == [0, 4, 3, 1, 2], "the last that was wanted comes first"


def test_an_entity_is_enriched_in_its_most_relevant_chunks(library):
    add_book(library)
    model = one_by_one()
    enriching = enriching_of(library, model)
    enriching.enqueue()
    (entity_id,) = library.writer.row("SELECT id FROM entity WHERE name = 'Clara'")
    change = enriching.enqueue_entity(entity_id)
    assert change.documents
    assert enriching.run(now_only=True).n_done == 2
    assert order_done(model, library) == [3, 1]
    assert enriching.status().total.n_waiting == 3


def test_a_range_of_text_can_be_requested(library):
    document_id = add_book(library)
    model = one_by_one()
    enriching = enriching_of(library, model)
    enqueue_chunk(enriching, document_id, 1)
    enriching.run()
    assert order_done(model, library) == [1]
    enriching.enqueue_range(document_id, len(BOOK[0]) - 1, len(BOOK[0]) + 1)
    enriching.run()
    assert order_done(model, library) == [1, 0], "chunk 1 is done already"


def test_only_ready_and_included_documents_are_queued(library):
    first = add_book(library)
    second = add_book(library, title="Another")
    third = add_book(library, title="Third")
    with library.writer.transaction():
        documents.set_state(library.writer, second, "indexing")
        library.writer.write("UPDATE document SET set_aside = 1 WHERE id = ?", (third,))
    enriching = enriching_of(library, one_by_one())
    assert enriching.enqueue().documents == {first}
    assert enriching.enqueue([second, third]).documents == {third}, "named, it is meant"


def test_text_outside_the_work_itself_is_not_enriched(library):
    document_id = add_book(library)
    with library.writer.transaction():
        library.writer.write(
            "UPDATE document SET body_start = ?, body_end = ? WHERE id = ?",
            (len(BOOK[0]) + 5, sum(map(len, BOOK[:3])), document_id),
        )
    model = one_by_one()
    enriching = enriching_of(library, model)
    enriching.enqueue()
    enriching.run()
    assert {s.text for s in model.begun} == {BOOK[1][5:], BOOK[2]}


def test_stopping_takes_documents_out_of_the_queue(library):
    first, second = add_book(library), add_book(library, title="Another")
    enriching = enriching_of(library, one_by_one())
    enriching.enqueue()
    assert enriching.stop([first]).documents == {first}
    assert status_of(enriching, first).n_waiting == 0
    assert status_of(enriching, second).n_waiting == 5
    enriching.stop()
    assert enriching.status().total.n_waiting == 0
    assert enriching.run().n_done == 0


def test_a_limit_ends_a_run(library):
    add_book(library)
    enriching = enriching_of(library, ScriptedChatModel())
    enriching.enqueue()
    assert enriching.run(limit=2).n_done == 2
    assert enriching.status().total.n_waiting == 3


def test_without_a_model_the_error_advises_what_to_do(library):
    add_book(library)
    enriching = EnrichmentService(library.writer, lambda: None)
    with pytest.raises(EnvironmentProblem, match="chat model"):
        enriching.enqueue()
    assert "chat model" in enriching.estimate().words
    assert enriching.status().total.n_chunks == 5


# --- what is kept -------------------------------------------------------------------------------


def test_results_of_a_model_are_stored_as_evidence_with_their_cost(library):
    document_id = add_book(library)
    enriching = enriching_of(library, ScriptedChatModel(name="small"))
    enriching.enqueue()
    result = enriching.run()
    assert (result.n_done, result.n_failed) == (5, 0)
    status = status_of(enriching, document_id)
    assert (status.n_chunks, status.n_enriched, status.n_waiting, status.n_failed) == (5, 5, 0, 0)
    assert status.model == "small"
    assert status.n_tokens > 50 and status.seconds > 0
    assert enriching.status().total.n_enriched == 5
    assert library.writer.value("SELECT count(*) FROM name_claim") == 9
    assert library.writer.value("SELECT kind FROM relation LIMIT 1") == "friends"
    assert library.writer.value("SELECT 1 FROM setting WHERE key = 'graph_stale'") is None


def test_an_empty_result_is_stored_and_not_repeated(library):
    document_id = add_book(library)
    enriching = enriching_of(library, ScriptedChatModel())
    enriching.enqueue()
    enriching.run()
    assert status_of(enriching, document_id).n_empty == 1
    assert not enriching.enqueue()


def test_repeating_a_run_costs_no_call(library):
    document_id = add_book(library)
    model = ScriptedChatModel()
    enriching = enriching_of(library, model)
    enriching.enqueue()
    enriching.run()
    n_calls = len(model.script_lines)
    assert n_calls > 8
    before = library.writer.rows("SELECT chunk_id, name_id, description FROM name_claim")
    cost = enriching.status().total.n_tokens
    enriching.enqueue(again=True)
    enriching.run()
    assert enriching.status().total.n_tokens == cost > 0, "what it cost the first time"
    with library.writer.transaction():
        documents.delete_document(library.writer, document_id)
    add_book(library)
    enriching.enqueue()
    assert enriching.run().n_done == 5
    assert len(model.script_lines) == n_calls
    after = library.writer.rows("SELECT chunk_id, name_id, description FROM name_claim")
    assert len(after) == len(before)


def test_a_changed_prompt_gives_a_new_extraction_and_the_old_one_stays_until_then(library):
    add_book(library)
    enriching = enriching_of(library, ScriptedChatModel())
    enriching.enqueue()
    enriching.run()
    enriching.save_settings(EnrichSettings(domain="paper"))
    enriching.enqueue()
    enriching.run(limit=2)
    versions = library.writer.rows(
        "SELECT prompt_version, count(*) FROM extraction WHERE strategy = 'slots' GROUP BY 1"
        " ORDER BY 1"
    )
    assert versions == [("1-auto", 3), ("1-paper", 2)]
    assert enriching.estimate().n_chunks == 3


def test_another_model_starts_again(library):
    add_book(library)
    for name in ("small", "large"):
        model = ScriptedChatModel(name=name)
        enriching = enriching_of(library, model)
        enriching.enqueue()
        assert enriching.run().n_done == 5
        assert len(model.script_lines) > 8
    assert enriching.status().total.model == "large"


# --- pauses -------------------------------------------------------------------------------------


def test_a_paused_run_continues_and_loses_no_finished_work(library, tmp_path):
    whole = Library(tmp_path / "whole.inkgraph")
    add_book(whole)
    enriching = enriching_of(whole, ScriptedChatModel())
    enriching.enqueue()
    enriching.run()

    add_book(library)
    model = ScriptedChatModel(n_at_once=2)
    enriching = enriching_of(library, model)
    enriching.enqueue()
    n_pauses = 0
    while enriching.status().total.n_waiting:
        before, token = enriching.status().total.n_enriched, CancelToken()

        def pause(progress, token=token, before=before):
            if progress.stage == "enriching" and progress.done:
                token.cancel()

        try:
            enriching.run(cancel=token, on_progress=pause)
        except Cancelled:
            n_pauses += 1
        assert enriching.status().total.n_enriched > before
    enriching.run()
    update_graph(library.writer)
    assert n_pauses >= 3
    asked = [(s.text, line) for s, _, line in model.script_lines]
    assert len(asked) == len(set(asked)), "answers of chunks in flight were kept"
    sql = "SELECT name, type, n_mentions, n_relations, description FROM entity ORDER BY name"
    assert library.writer.rows(sql) == whole.writer.rows(sql)
    whole.close()


class Died(BaseException):
    """Ends a run as a killed process does: nothing handles it."""


def test_a_run_that_dies_loses_no_answer_that_the_model_finished(library):
    add_book(library)
    model, n_finished = ScriptedChatModel(n_at_once=3), 0

    def reply(program, ask, line):
        nonlocal n_finished
        n_finished += 1
        if n_finished in (3, 7, 8, 13):
            raise Died
        return reply_alike(program, ask, line)

    model.reply = reply
    enriching = enriching_of(library, model)
    enriching.enqueue()
    n_deaths = 0
    while enriching.status().total.n_waiting:
        try:
            enriching.run()
        except Died:
            n_deaths += 1
            model.script_lines.pop()  # it was not answered
    assert n_deaths == 4
    answered = [(s.text, line) for s, _, line in model.script_lines]
    assert len(answered) == len(set(answered)) > 8, "no answer was asked for twice"
    assert enriching.status().total.n_enriched == 5


def test_a_waiting_answer_gets_the_model_and_then_the_run_continues(library):
    add_book(library)
    scheduler, model, answered = WorkScheduler(), ScriptedChatModel(n_at_once=2), []

    def answer() -> None:
        with scheduler.hold(Priority.QUESTION):
            asked.set()
            with model.lock:  # free: the run was interrupted
                answered.append(enriching.status().total.n_enriched)

    asked, thread = threading.Event(), threading.Thread(target=answer)

    def interrupt(progress):
        if progress.stage == "enriching" and progress.done == 1 and not asked.is_set():
            thread.start()
            assert asked.wait(20)

    enriching = enriching_of(library, model, scheduler=scheduler)
    enriching.enqueue()
    assert enriching.run(on_progress=interrupt).n_done == 5
    thread.join(20)
    assert len(answered) == 1 and 1 <= answered[0] < 5


def test_a_document_deleted_during_enrichment_leaves_no_rows(library):
    first, second = add_book(library), add_book(library, title="Another")
    enriching = enriching_of(library, ScriptedChatModel(n_at_once=2))
    enriching.enqueue()
    gone = []

    def delete(progress):
        if progress.stage == "enriching" and progress.done == 1 and not gone:
            gone.append(first)
            with library.writer.transaction():
                documents.delete_document(library.writer, first)

    enriching.run(on_progress=delete)
    assert [d.document_id for d in enriching.status().documents] == [second]
    assert enriching.status().total.n_enriched == 5
    assert library.writer.integrity_problems() == []


# --- failures -----------------------------------------------------------------------------------


def refuse_long(program: PromptProgram, ask, line: str):
    """Fail for whole chunks that name Hale, but not for shorter texts."""
    if "Hale" in program.text and len(program.text) > 60:
        raise UserError("The model repeated itself.")
    return Choice((0.0,) * len(ask.options)) if isinstance(ask, Choose) else Written("Yes.", 1)


def refuse_hale(program: PromptProgram, ask, line: str):
    if "Hale" in program.text:
        raise UserError("The model repeated itself.")
    return Choice((0.0,) * len(ask.options)) if isinstance(ask, Choose) else Written("Yes.", 1)


def test_a_failing_chunk_is_repeated_as_two_halves(library):
    add_book(library)
    model = ScriptedChatModel(reply=refuse_long)
    enriching = enriching_of(library, model)
    enriching.enqueue()
    result = enriching.run()
    assert (result.n_done, result.n_failed) == (5, 0)
    halves = [s.text for s in model.begun if s.text in BOOK[1] and s.text != BOOK[1]]
    assert "".join(halves) == BOOK[1]
    kinds = library.writer.rows(
        "SELECT s.text, t.text, r.kind FROM claimed_relation r JOIN name s ON s.id = r.source_id"
        " JOIN name t ON t.id = r.target_id JOIN extraction e ON e.id = r.extraction_id"
        " JOIN chunk c ON c.id = r.chunk_id WHERE e.strategy = 'slots' AND c.order_no = 1"
    )
    assert ("Hale", "Clara", "friends") in kinds
    assert ("Tobias", "Marsh", "") in kinds, "it lies across the cut, and stays as it was"
    names = {
        n
        for (n,) in library.writer.rows(
            "SELECT DISTINCT n.text FROM name_claim JOIN name n"
            " ON n.id = name_id JOIN chunk c ON c.id = chunk_id WHERE c.order_no = 1"
        )
    }
    assert names == {"Hale", "Clara", "Tobias", "Marsh"}


def test_the_last_chunk_of_the_queue_is_halved_too(library):
    document_id = add_book(library)
    enriching = enriching_of(library, ScriptedChatModel(reply=refuse_long))
    enqueue_chunk(enriching, document_id, 1)
    assert enriching.run(limit=1) == RunResult(1, 0, pytest.approx(0, abs=60))
    assert enriching.status().total.n_enriched == 1


def test_a_model_without_any_output_ends_the_run(library, monkeypatch):
    def build(task, settings, strategy, split):
        return PromptProgram(
            task.key, (ChatMessage("user", PASSAGE),), task.text, lambda: iter_nothing()
        )

    def iter_nothing():
        return None
        yield

    monkeypatch.setattr(enrich, "build_prompt_program", build)
    add_book(library)
    enriching = enriching_of(library, ScriptedChatModel())
    enriching.enqueue()
    assert enriching.run().n_failed == 5
    monkeypatch.setattr(
        ScriptedChatModel, "run_programs", lambda self, programs, **_: take_all(programs)
    )

    def take_all(programs):
        list(programs)
        yield from ()

    enriching.retry()
    assert enriching.run().n_failed == 5


def test_a_chunk_that_keeps_failing_is_marked_failed_with_a_reason(library):
    document_id = add_book(library)
    enriching = enriching_of(library, ScriptedChatModel(reply=refuse_hale))
    enriching.enqueue()
    result = enriching.run()
    assert (result.n_done, result.n_failed) == (5, 1)
    (failure,) = enriching.failures(document_id)
    assert (failure.chunk_order, failure.reason) == (1, "The model repeated itself.")
    assert failure.heading == "Part › Chapter 2"
    assert BOOK[1] == "".join(BOOK)[failure.start : failure.end]
    status = status_of(enriching, document_id)
    assert (status.n_enriched, status.n_failed, status.n_waiting) == (4, 1, 0)


def test_failed_chunks_can_be_retried(library):
    document_id = add_book(library)
    model = ScriptedChatModel(reply=refuse_hale)
    enriching = enriching_of(library, model)
    enriching.enqueue()
    enriching.run()
    assert enriching.retry(document_id).documents == {document_id}
    assert status_of(enriching, document_id).n_failed == 0, "it waits"
    model.reply = refuse_long
    enriching.run()
    assert enriching.failures() == []
    assert status_of(enriching, document_id).n_enriched == 5
    assert not enriching.retry()


def test_a_failure_keeps_the_older_extraction(library):
    add_book(library)
    model = ScriptedChatModel()
    enriching = enriching_of(library, model)
    enriching.enqueue()
    enriching.run()
    model.reply = refuse_hale
    enriching.save_settings(EnrichSettings(domain="paper"))
    with library.writer.transaction():
        library.writer.write("DELETE FROM model_cache")
    enriching.enqueue()
    enriching.run()
    total = enriching.status().total
    assert (total.n_enriched, total.n_failed) == (5, 1)


def test_a_bug_in_one_chunk_does_not_stop_the_others(library, monkeypatch):
    def build(task, settings, strategy, split):
        program = build_small_script(task, settings, strategy, split)
        if task.chunk_order == 0:
            raise ValueError("no slots")
        if task.chunk_order == 4:
            return PromptProgram(program.key, program.messages, program.text, lambda: iter_broken())
        return program

    def iter_broken():
        yield Write(("x:",), 5)
        raise KeyError("Petrel")

    monkeypatch.setattr(enrich, "build_prompt_program", build)
    add_book(library)
    enriching = enriching_of(library, ScriptedChatModel())
    enriching.enqueue()
    assert enriching.run().n_failed == 2
    reasons = {f.chunk_order: f.reason for f in enriching.failures()}
    assert "no slots" in reasons[0] and "Petrel" in reasons[4]


# --- sentences where they are best ----------------------------------------------------------------


def test_a_name_is_described_in_a_few_chunks(library):
    chunks = [f"Clara went to the harbour on day {i}, nobody knew why. " for i in range(9)]
    add_book(library, chunks)
    model = ScriptedChatModel()
    enriching = enriching_of(library, model)
    enriching.enqueue()
    enriching.run()
    described = [s.text for s, ask, _ in model.script_lines if isinstance(ask, Write)]
    assert sorted(described) == [chunks[0], chunks[3], chunks[6]], "spread over the book"
