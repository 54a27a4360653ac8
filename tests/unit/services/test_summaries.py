"""Tests summaries of many descriptions: when they are written, stored and replaced."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.extraction.llm.descriptions import FreshGuard
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.messages import Message
from desktop_app.engine.model import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Mention,
    NameClaim,
    ReadDocument,
)
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Write, Written
from desktop_app.engine.services.enrichment import summaries
from desktop_app.engine.services.enrichment.summaries import SummaryService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.store import curation, documents, evidence
from desktop_app.engine.store.db import Db
from tests.fakes import ScriptedChatModel

N_CHUNKS = 12


@pytest.fixture
def db(tmp_path):
    made = Db(tmp_path / "one.inkgraph")
    text = "Anna met Boris at the mill. " * N_CHUNKS
    size = len(text) // N_CHUNKS
    with made.transaction():
        document_id = documents.add_waiting(
            made,
            title="Mill",
            file_name="mill.txt",
            source_path="",
            content=BytesContent(b""),
            sha256="1",
        )
        spans = [ChunkSpan(i, i * size, (i + 1) * size, 7) for i in range(N_CHUNKS)]
        read = ReadDocument("Mill", text, "txt", "en")
        documents.store_read(made, document_id, read, spans, [[] for _ in spans])
    yield made
    made.close()


def store_descriptions(
    db: Db, n_chunks: int, of_anna: str = "", of_both: str = "", of_boris: str = ""
) -> None:
    """Store descriptions of Anna, of the pair or of Boris in the first `n_chunks` chunks."""
    name_ids = evidence.NameIds(db, normalise_name)
    for i in range(n_chunks):
        evidence_of_chunk = ChunkEvidence(
            i,
            (Mention("Anna", "person", 0, 4, 0, 27), Mention("Boris", "person", 9, 14, 0, 27)),
            (ClaimedRelation("Anna", "Boris", 0, 27, 1.0, of_both and f"{of_both} ({i})"),),
            (),
            (
                NameClaim("Anna", "person", of_anna and f"{of_anna} ({i})", 0.9),
                NameClaim("Boris", "person", of_boris and f"{of_boris} ({i})", 0.9),
            ),
        )
        with db.transaction():
            evidence.store_evidence(
                db, 1, i + 1, evidence_of_chunk, name_ids, strategy="slots", model="a"
            )
    update_graph(db)


def write(text: str, ended: str = "finished"):
    return lambda _program, _ask, _line: Written(text, 9, ended)


def description(db: Db, name: str = "Anna") -> str:
    return db.value("SELECT description FROM entity WHERE name = ?", (name,))


def test_many_descriptions_are_summarised_and_used_in_the_graph(db):
    store_descriptions(db, 8, "Anna runs the mill", "They meet")
    chat = ScriptedChatModel(reply=write("Anna runs the mill and meets Boris."))
    steps = []
    changed = SummaryService(db, lambda: chat).run(on_progress=steps.append)
    assert description(db) == "Anna runs the mill and meets Boris."
    assert db.value("SELECT description FROM relation") == "Anna runs the mill and meets Boris."
    assert changed.entities and changed.relations
    assert [(s.stage, s.done, s.total) for s in steps] == [("summaries", i, 2) for i in range(3)]
    assert db.rows("SELECT model, n_fragments FROM summary") == [("scripted", 8), ("scripted", 8)]
    [read] = {script.text for script in chat.begun if "–" not in script.text.splitlines()[0]}
    assert read.startswith("Anna\n- ") and read.count("\n- ") == 8


def test_few_descriptions_stay_unchanged(db):
    store_descriptions(db, 7, "Anna runs the mill")
    chat = ScriptedChatModel()
    assert not SummaryService(db, lambda: chat).run()
    assert chat.begun == []
    assert description(db).startswith("Anna runs the mill (0)")


def test_few_but_long_fragments_are_summarised(db):
    store_descriptions(db, 2, "Anna runs the mill " * 200)
    chat = ScriptedChatModel(reply=write("Anna runs a mill."))
    assert SummaryService(db, lambda: chat).run()
    assert description(db) == "Anna runs a mill."


def test_unchanged_descriptions_cost_no_call(db):
    store_descriptions(db, 8, "Anna runs the mill")
    chat = ScriptedChatModel(reply=write("A summary."))
    SummaryService(db, lambda: chat).run()
    n_begun = len(chat.begun)
    store_descriptions(db, 8, "Anna runs the mill")
    SummaryService(db, lambda: chat).run()
    assert len(chat.begun) == n_begun
    assert description(db) == "A summary."
    store_descriptions(db, 9, "Anna runs the mill")
    assert description(db).startswith("Anna runs the mill (0)")
    SummaryService(db, lambda: chat).run()
    assert len(chat.begun) == n_begun + 1


def test_without_a_model_the_best_fragments_stay(db):
    store_descriptions(db, 8, "Anna runs the mill")
    before = description(db)
    assert not SummaryService(db, lambda: None).run()
    assert description(db) == before


def test_more_than_fits_the_context_is_summarised_in_parts(db):
    store_descriptions(db, 12, "Anna runs the mill and " + "so on " * 60)
    chat = ScriptedChatModel(n_ctx=1200, reply=lambda s, *_: Written(f"Part {len(s.text)}.", 4))
    SummaryService(db, lambda: chat).run()
    texts = [script.text for script in chat.begun]
    assert len(texts) > 2
    assert "- Part" in texts[-1] and description(db) == f"Part {len(texts[-1])}."
    assert all(chat.count_tokens(text) < 1200 - summaries.SUMMARY_MAX_TOKENS for text in texts)
    for i in range(12):
        assert sum(f"({i})" in text for text in texts) == 1


def test_chinese_fragments_get_a_chinese_prompt(db):
    store_descriptions(db, 8, "安娜在河边开着一家磨坊。")
    chat = ScriptedChatModel(reply=write("安娜开磨坊。"))
    SummaryService(db, lambda: chat).run()
    assert "笔记" in chat.begun[0].messages[0].text
    asked = [ask for _, ask, _ in chat.script_lines]
    assert asked == [Write(("",), summaries.SUMMARY_MAX_TOKENS, FreshGuard())]


def test_a_long_summary_ends_with_a_whole_sentence(db):
    store_descriptions(db, 8, "Anna runs the mill")
    chat = ScriptedChatModel(reply=write("Anna runs the mill. She then wen", "long"))
    SummaryService(db, lambda: chat).run()
    assert description(db) == "Anna runs the mill."


@pytest.mark.parametrize("ended", ["loop", "finished"])
def test_an_invalid_summary_keeps_the_fragments(db, ended):
    store_descriptions(db, 8, "Anna runs the mill")
    before = description(db)
    chat = ScriptedChatModel(reply=write("mill mill mill" if ended == "loop" else "  ", ended))
    assert not SummaryService(db, lambda: chat).run()
    assert description(db) == before


def test_a_failed_call_does_not_affect_the_others(db):
    store_descriptions(db, 8, "Anna runs the mill", "They meet")

    def reply(script, _ask, _line):
        if "Boris" in script.text.splitlines()[0]:
            raise UserError("It does not fit.")
        return Written("A summary.", 2)

    SummaryService(db, lambda: ScriptedChatModel(reply=reply)).run()
    assert description(db) == "A summary."
    assert db.value("SELECT count(*) FROM summary") == 1


def test_two_failed_parts_of_one_target_do_not_affect_the_others(db):
    store_descriptions(
        db, 12, "Anna runs the mill and " + "so on " * 60, of_boris="Boris grinds flour"
    )
    before = description(db)

    def reply(script, _ask, _line):
        if script.text.startswith("Anna\n"):
            raise UserError("It does not fit.")
        return Written("Boris grinds flour.", 4)

    chat = ScriptedChatModel(n_ctx=1200, reply=reply)
    SummaryService(db, lambda: chat).run()
    assert sum(script.text.startswith("Anna\n") for script in chat.begun) > 2
    assert description(db) == before
    assert description(db, "Boris") == "Boris grinds flour."


def test_descriptions_by_the_user_are_not_summarised(db):
    store_descriptions(db, 8, "Anna runs the mill")
    with db.edit(Message("Describe “Anna”")):
        curation.write_entity_edit(db, "Anna", description="Mine.")
    update_graph(db)
    chat = ScriptedChatModel()
    SummaryService(db, lambda: chat).run()
    assert chat.begun == []
    assert description(db) == "Mine."


def test_stopping_keeps_finished_summaries(db):
    store_descriptions(db, 8, "Anna runs the mill", "They meet")
    cancel = CancelToken()
    chat = ScriptedChatModel(reply=write("A summary."), n_at_once=1)
    with pytest.raises(Cancelled):
        SummaryService(db, lambda: chat).run(
            cancel=cancel, on_progress=lambda p: cancel.cancel() if p.done else None
        )
    assert db.value("SELECT count(*) FROM summary") == 1
    descriptions = [description(db), db.value("SELECT description FROM relation")]
    assert descriptions.count("A summary.") == 1
