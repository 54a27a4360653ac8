"""Tests global search and DRIFT: missing reports, budget of calls, sources of answers."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.global_search import plan_calls
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.model import CommunitiesFound
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice, Choose, Written
from desktop_app.engine.query import THEME_MODES, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.store import chats as chat_rows
from tests.books import add_book
from tests.fakes import HashEmbedder, ScriptedChatModel

QUESTION = "What became of Tobias and the clocks?"
OTHER = (
    "Petrel was a ship that Marsh had built, and Marsh loved Petrel more than his house. ",
    "Tobias sold the clocks to Hale, and Clara wept when Tobias sold them to Hale. ",
)


@pytest.fixture
def asked(library):
    add_book(library)
    add_book(library, OTHER, title="The Ship")
    return library


def answering_model(**more) -> ScriptedChatModel:
    def reply(script, ask, line):
        if isinstance(ask, Choose):
            return Choice((-0.1, -2.0))
        if line.startswith("A question about"):
            return Written(f"What did {line[17:-1]} sell or keep in the lane?", 9)
        if line.startswith("Answer: "):
            return Written("Why did Clara weep over the clocks of the shop?", 9)
        return Written("Tobias sold the clocks to Hale.", 8)

    return ScriptedChatModel(["Tobias sold the clocks to Hale [1]."], reply=reply, **more)


def asking(library, model=None) -> AnswerPipeline:
    return AnswerPipeline(
        Retriever(library.writer, lambda: HashEmbedder()), library.writer, lambda: model
    )


@pytest.mark.parametrize("mode", THEME_MODES)
def test_reports_missing_for_an_answer_are_written_and_stored(asked, mode):
    db = asked.writer
    assert db.value("SELECT count(*) FROM report") == 0
    answer = asking(asked, answering_model()).query(QUESTION, QueryParam(mode=mode))
    assert "clocks" in answer.text and answer.citations
    assert isinstance(answer.found, CommunitiesFound) and answer.found.reports
    assert 0 < db.value("SELECT count(*) FROM report") <= db.value("SELECT count(*) FROM community")
    text = dict(db.rows("SELECT document_id, text FROM document_text"))
    for one in answer.citations:
        assert text[one.document_id][one.start : one.end] == one.quote


@pytest.mark.parametrize("mode", THEME_MODES)
def test_without_a_model_the_answer_consists_of_reports(asked, mode):
    answer = asking(asked).query(QUESTION, QueryParam(mode=mode))
    assert "[1]" in answer.text and answer.citations and answer.model == ""
    assert answer.found.reports[0].title in answer.text


@pytest.mark.parametrize(("size", "n_asked"), [(1_500_000_000, 0), (7_000_000_000, 1)])
def test_a_question_about_the_whole_library_is_answered_from_reports_by_a_small_model(
    asked, size, n_asked
):
    model = answering_model(n_parameters=size)
    answer = asking(asked, model).query("What is it all about?", QueryParam(mode="overview"))
    assert len(model.asked) == n_asked
    if n_asked:
        assert answer.text.startswith("Tobias sold the clocks to Hale [1].")
    else:
        assert answer.found.reports[0].title in answer.text and answer.citations


@pytest.mark.parametrize("max_calls", [3, 5, 8])
def test_drift_stays_within_its_budget_and_returns_its_question_tree(asked, max_calls):
    model, steps = answering_model(), []
    asked_of = asking(asked, model)
    param = QueryParam(mode="drift", max_calls=max_calls)
    assert asked_of.plan(param).n_calls == max_calls
    pieces = list(asked_of.query_stream(QUESTION, param, on_step=steps.append))
    found = pieces[-1].found
    assert found.n_calls + 1 <= max_calls
    assert found.tree[0].question == QUESTION and found.tree[0].parent == -1
    assert all(q.parent < q.number for q in found.tree)
    assert any(q.state == "done" and q.answer for q in found.tree[1:])
    trees = [p.tree for p in steps if hasattr(p, "tree")]
    assert trees and len(trees[-1]) == len(found.tree)
    if max_calls == 8:
        assert any(q.parent > 0 for q in found.tree)


def test_the_overview_reads_as_many_reports_as_calls_allow(asked):
    model = answering_model()
    param = QueryParam(mode="overview", level=0, max_calls=2)
    answer = asking(asked, model).query(QUESTION, param)
    assert answer.found.n_calls == 1 and len(model.begun) == 1
    assert sum(r.judged is not None for r in answer.found.reports) == 1


def test_stopping_early_returns_the_best_answer_so_far(asked):
    cancel = CancelToken()
    model = answering_model(n_at_once=1)

    def stop(progress):
        if progress.stage == "reports" and progress.done == 1:
            cancel.cancel()

    pieces = list(
        asking(asked, model).query_stream(
            QUESTION, QueryParam(mode="overview", level=2), cancel=cancel, on_step=stop
        )
    )
    answer = pieces[-1]
    assert answer.stopped and answer.text and answer.citations


@pytest.mark.parametrize("mode", THEME_MODES)
def test_excluded_documents_contribute_nothing(asked, mode):
    db = asked.writer
    [kept] = [i for i, title in db.rows("SELECT id, title FROM document") if title != "The Ship"]
    param = QueryParam(mode=mode, document_ids=(kept,))
    answer = asking(asked, answering_model()).query(QUESTION, param)
    assert {c.document_id for c in answer.citations} <= {kept}
    assert {p.document_id for r in answer.found.reports for p in r.sources} == {kept}
    assert "sold" not in " ".join(r.summary for r in answer.found.reports)
    assert db.value("SELECT count(*) FROM report") == 0


def test_the_cost_estimate_comes_first_and_fits_the_speed_of_the_model():
    model = ScriptedChatModel()
    slow, quick = (plan_calls(QueryParam(mode="overview"), model, rate) for rate in (40, 400))
    assert slow.n_reports < quick.n_reports and "calls" in slow.words
    drift = plan_calls(QueryParam(mode="drift"), model, 400.0)
    assert drift.n_calls == 8
    assert plan_calls(QueryParam(mode="drift"), model, 30.0).n_calls < 8
    assert plan_calls(QueryParam(mode="drift"), None, 100.0).n_calls == 0


def test_an_answer_is_stored_with_its_question_tree(asked):
    db = asked.writer
    chat_id = Chats(db, db).create_chat("All of it")
    answer = asking(asked, answering_model()).ask(chat_id, QUESTION, QueryParam(mode="drift"))
    last = chat_rows.fetch_messages(db, chat_id)[-1]
    kept = chat_rows.fetch_answer(db, last.id)
    assert isinstance(kept.found, CommunitiesFound)
    assert kept.found.tree == answer.found.tree
    assert [r.title for r in kept.found.reports] == [r.title for r in answer.found.reports]


def test_the_graphrag_preset_reserves_tokens_for_reports(asked):
    param = QueryParam(mode="local", preset="graphrag", only_need_context=True)
    text = asking(asked).query("What did Tobias and Clara do?", param).text
    assert text.startswith("Themes:") and "[1]" in text
    plain = QueryParam(mode="local", only_need_context=True)
    assert "Themes:" not in asking(asked).query("What did Tobias and Clara do?", plain).text


def test_an_empty_library_answers_that_nothing_was_found(library):
    answer = asking(library, answering_model()).query(QUESTION, QueryParam(mode="overview"))
    assert not answer.citations and answer.found.weak
