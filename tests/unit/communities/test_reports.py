"""Tests communities and reports in a library: updates, writing, edits, export."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from desktop_app.engine.communities.material import _find_main_heading, choose_language, quote
from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.report_writing import (
    _fill,
    cut_key_words,
    is_title_supported,
    join_names,
)
from desktop_app.engine.communities.updater import _may_be_noun, are_fresh, refresh_communities
from desktop_app.engine.errors import UserError
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.model import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Mention,
    ReadDocument,
    Report,
)
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice, Choose, Written
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.store import communities as community_rows
from desktop_app.engine.store import documents, evidence, history
from desktop_app.engine.text.chunking import split_sentences
from tests.books import add_book
from tests.fakes import ScriptedChatModel

OTHER = (
    "Petrel and Marsh were seen by Petrel at the rocks, and Marsh was cold. ",
    "Tobias and Clara dined with Hale. Clara sang, and Hale and Tobias heard Clara sing. ",
)


@pytest.fixture
def made(library):
    add_book(library)
    refresh_communities(library.writer)
    return library


def add_names(library, text: str, names: dict[str, str]) -> None:
    """Add one chunk with known names and relations between neighbouring ones."""
    found = sorted(
        (m.start(), m.end(), m.group()) for name in names for m in re.finditer(name, text)
    )
    spans = split_sentences(text, "zh")
    mentions, ties = [], []
    for start, end, name in found:
        sentence = next(s for s in spans if s[0] <= start < s[1])
        mentions.append(Mention(name, names[name], start, end, *sentence))
    for a, b in pairwise(mentions):
        if a.sentence_start == b.sentence_start and a.name != b.name:
            ties.append(ClaimedRelation(a.name, b.name, a.sentence_start, a.sentence_end))
    db = library.writer
    with db.transaction():
        document_id = documents.add_waiting(
            db,
            title="水浒传",
            file_name="s.txt",
            source_path="",
            content=BytesContent(b""),
            sha256="s",
        )
        read = ReadDocument("水浒传", text, "txt", "zh")
        spans = [ChunkSpan(0, 0, len(text), 50)]
        documents.store_read(db, document_id, read, spans, [[]])
        [(chunk_id, _)] = documents.fetch_chunks(db, document_id)
        known = ChunkEvidence(0, tuple(mentions), tuple(ties))
        name_ids = evidence.NameIds(db, normalise_name)
        evidence.store_evidence(db, document_id, chunk_id, known, name_ids, strategy="instant")
        documents.set_state(db, document_id, "ready")
    update_graph(db)


def reporting(library, model=None) -> ReportService:
    return ReportService(library.writer, lambda: model)


def writing_model(**more) -> ScriptedChatModel:
    def reply(script, ask, line):
        if isinstance(ask, Choose):
            return Choice(tuple(0.0 if n == 8 else -9.0 for n in range(len(ask.options))))
        if line.startswith("Title"):
            return Written("Tobias and the clocks of the harbour", 6)
        if line.startswith("Summary"):
            text = "Tobias kept a shop of clocks by the harbour, and Hale came in from the rain."
            return Written(text, 12)
        return Written("Hale came in from the rain with Clara.", 8)

    return ScriptedChatModel(reply=reply, **more)


def test_every_entity_is_in_a_community_and_none_is_lost(made):
    db = made.writer
    inside = {i for (i,) in db.rows("SELECT entity_id FROM community_member")}
    assert inside == {i for (i,) in db.rows("SELECT id FROM entity")}
    for level, _ in CommunityReader(db).levels():
        rows = CommunityReader(db).view(level)
        assert sum(row.n_members for row in rows) == len(inside)


def test_communities_are_computed_again_only_when_the_graph_changed(made):
    assert are_fresh(made.writer)
    assert not refresh_communities(made.writer)
    add_book(made, OTHER, title="Another")
    assert not are_fresh(made.writer)
    assert refresh_communities(made.writer).communities
    assert are_fresh(made.writer)


def test_a_report_without_a_model_quotes_its_evidence(made):
    db = made.writer
    reading = CommunityReader(db)
    row = reading.tree(0)[0]
    report = reading.get_report(int(row.id))
    assert report.model == "" and report.title and row.top_names[0] in report.summary
    assert 5 <= len(report.findings) <= 10 or row.n_members < 5
    text = db.value("SELECT text FROM document_text")
    for finding in report.findings:
        for one in finding.evidence:
            assert text[one.start : one.end] == one.quote


def test_a_report_without_a_model_names_people_and_quotes_definitions_only(made):
    card = CommunityReader(made.writer).get_card(
        int(max(CommunityReader(made.writer).tree(), key=lambda row: row.n_members).id),
        language="en",
    )
    people = [one.name for one in card.members if one.type == "person"]
    assert card.report.summary.startswith("Names that ")
    assert f"”. People: {people[0]}" in card.report.summary
    # no sentence of this library defines a name
    assert card.report.findings and "In the text:" not in card.report.summary


def test_a_key_word_of_a_chinese_text_is_a_noun_of_the_dictionary():
    assert [w for w in ("诏书", "酒家", "催起", "所属", "写表", "打死") if _may_be_noun(w)] == [
        "诏书",
        "酒家",
    ]


def test_only_stale_reports_are_written_again(made):
    work = reporting(made)
    due = work.due(with_model=False)
    assert due
    run = work.run(due)
    assert run.n_done == len(due)
    assert work.due(with_model=False) == []
    add_book(made, OTHER, title="Another")
    refresh_communities(made.writer)
    stale = work.due(with_model=False)
    assert stale and all(row.is_stale or row.model is None for row in stale)


def test_a_model_writes_title_and_summary_and_the_evidence_stays(made):
    model = writing_model()
    work = reporting(made, model)
    [row] = [r for r in CommunityReader(made.writer).tree(0) if "Tobias" in r.top_names]
    plan = work.estimate([row])
    assert plan.n_reports == 1 and plan.n_calls >= 1 and plan.seconds > 0
    run = work.run([row])
    assert run.n_done == 1 and not run.failed
    report = CommunityReader(made.writer).get_report(int(row.id))
    assert report.title == "Tobias and the clocks of the harbour"
    assert report.summary.startswith("Tobias kept a shop")
    assert report.model == "scripted" and 4.0 <= report.rating <= 10.0
    assert all(f.evidence for f in report.findings)
    asked = len(model.script_lines)
    work.run([row])  # the answers are cached
    assert len(model.script_lines) == asked


def test_a_large_model_writes_findings_and_invented_ones_become_quotations(made):
    def reply(script, ask, line):
        if line.startswith("[1]"):
            return Written("Dragons burned every village of the northern kingdom.", 9)
        return writing_model().reply(script, ask, line)

    model = ScriptedChatModel(reply=reply, n_parameters=7_000_000_000)
    row = CommunityReader(made.writer).tree(0)[0]
    reporting(made, model).run([row])
    report = CommunityReader(made.writer).get_report(int(row.id))
    assert "Dragons" not in report.findings[0].text
    lines = [line for _, _, line in model.script_lines]
    assert any(line.startswith("[1]") for line in lines)


def test_writing_can_be_paused_and_resumed(made):
    add_book(made, OTHER, title="Another")
    work = reporting(made, writing_model(n_at_once=1))
    refresh_communities(made.writer)
    due = [row for row in work.due() if not row.is_loose]
    cancel = CancelToken()
    run = work.run(due, cancel=cancel, on_progress=lambda p: cancel.cancel() if p.done else None)
    assert run.stopped and run.n_done == 1
    left = [row for row in work.due() if not row.is_loose]
    assert len(left) == len(due) - 1


def test_edits_of_a_report_are_kept_and_can_be_undone(made):
    db, work = made.writer, reporting(made, writing_model())
    row = CommunityReader(db).tree(0)[0]
    work.store_extractive([int(row.id)])
    work.edit(int(row.id), title="The lane", summary="All of them live in the lane.")
    assert CommunityReader(db).get_report(int(row.id)).title == "The lane"
    assert CommunityReader(db).tree(0)[0].title == "The lane"
    assert row.id not in [r.id for r in work.due()]
    work.run([row])
    assert CommunityReader(db).get_report(int(row.id)).title == "The lane"
    history.undo(db)
    report = CommunityReader(db).get_report(int(row.id))
    assert report.title != "The lane" and not report.is_edited


def test_a_pinned_report_is_not_written_again(made):
    db, work = made.writer, reporting(made)
    row = CommunityReader(db).tree(0)[0]
    work.pin(int(row.id))
    add_book(made, OTHER, title="Another")
    refresh_communities(made.writer)
    assert row.id not in [r.id for r in work.due()]
    work.pin(int(row.id), False)
    assert not CommunityReader(db).get_report(int(row.id)).is_pinned


def test_a_card_lists_entities_and_documents_and_two_can_be_compared(made):
    reading = CommunityReader(made.writer)
    first = reading.tree(0)[0]
    card = reading.get_card(int(first.id))
    assert {m.name for m in card.members} >= set(first.top_names[:2])
    assert card.spread and all(0.0 <= place <= 1.0 for place, _ in card.spread[0].places)
    assert card.relations[0].source and reading.groups(0)
    found = reading.compare(int(first.id), int(first.id))
    assert len(found.shared) == first.n_members and not found.only_first and not found.between
    assert reading.find(str(first.id)) == first and reading.find("nobody at all") is None
    with pytest.raises(UserError, match="no such community"):
        reading.get_card(999)


def test_reports_of_a_removed_community_are_deleted_and_the_file_is_consistent(made):
    work = reporting(made)
    work.run(work.due(with_model=False))
    db = made.writer
    with db.transaction():
        db.write("DELETE FROM entity")
    with db.transaction():
        db.write("UPDATE library_state SET graph_version = graph_version + 1")
    refresh_communities(db)
    assert CommunityReader(db).tree() == []
    assert db.value("SELECT count(*) FROM report") == 0
    assert db.integrity_problems() == []


def test_findings_survive_storage(made):
    row = CommunityReader(made.writer).tree(0)[0]
    [kept] = reporting(made).store_extractive([int(row.id)])
    again = community_rows.find_report(made.writer, int(row.id))
    assert again is not None and again.findings == kept.findings


def test_a_chinese_library_gets_chinese_reports(library):
    names = {"宋江": "person", "吴用": "person", "李逵": "person", "梁山泊": "place"}
    text = "宋江与吴用在梁山泊商议军情。李逵听宋江说了，大怒而去。吴用笑着对李逵说：“且慢。”"
    add_names(library, text, names)
    refresh_communities(library.writer)
    row = CommunityReader(library.writer).tree(0)[0]
    report = CommunityReader(library.writer).get_report(int(row.id))
    assert (
        report.language == "zh"
        and "人物：吴用、宋江和李逵。地点：梁山泊。" in report.summary
        and "、" in report.title
    )
    assert any("商议军情" in f.text for f in report.findings)


def test_a_report_has_the_language_of_its_texts_and_not_of_its_names(library):
    names = {"LightRAG": "concept", "GraphRAG": "concept"}
    text = "我们先比较LightRAG与GraphRAG的检索方法。后来LightRAG比GraphRAG省下许多时间。"
    add_names(library, text, names)
    refresh_communities(library.writer)
    row = CommunityReader(library.writer).tree(0)[0]
    report = CommunityReader(library.writer).get_report(int(row.id), language_if_mixed="en")
    assert report.language == "zh"
    assert "中经常一起提到的实体。这个社群由" in report.summary


@pytest.mark.parametrize(
    ("languages", "if_mixed", "expected"),
    [
        (["zh"] * 9 + ["en"], "en", "zh"),
        (["en"] * 9 + ["zh"], "zh", "en"),
        (["zh"] * 6 + ["en"] * 4, "en", "en"),
        (["zh"] * 6 + ["en"] * 4, "", "zh"),
        ([], "en", "zh"),
    ],
)
def test_mixed_texts_are_reported_in_the_language_of_the_window(languages, if_mixed, expected):
    assert choose_language(languages, ["宋江"], if_mixed) == expected


def report_on_joe(library, text: str) -> Report:
    """Return the report on the community of Joe and Dilber in a text."""
    add_names(library, text, {"Joe": "person", "Dilber": "person"})
    with library.writer.transaction():
        library.writer.write("UPDATE document SET language = 'en', title = 'The Carol'")
    refresh_communities(library.writer)
    row = CommunityReader(library.writer).tree(0)[0]
    return CommunityReader(library.writer).get_report(int(row.id))


def test_the_report_of_a_pair_is_plain_english_and_quotes_each_sentence_once(library):
    report = report_on_joe(library, "Joe met Dilber. He sat. ")
    assert report.summary == (
        "Names that “The Carol” often mentions together. This community consists of Joe and Dilber."
    )
    assert [f.text for f in report.findings] == ["Joe met Dilber."]
    assert report.reason == "It contains 2 of 2 names, and 100% of all connections and mentions."
    assert [f.headline for f in report.findings] == ["Joe and Dilber"]


def test_a_sentence_that_defines_a_central_name_is_in_the_summary(library):
    text = "Joe, the baker of the village, was tall. Joe met Dilber. "
    summary = report_on_joe(library, text).summary
    assert "In the text: Joe, the baker of the village, was tall." in summary


def test_a_definition_that_a_key_point_quotes_is_not_repeated_in_the_summary(library):
    report = report_on_joe(library, "Joe, the baker of the village, met Dilber. He sat. ")
    assert [f.text for f in report.findings] == ["Joe, the baker of the village, met Dilber."]
    assert "In the text" not in report.summary


def test_a_quotation_has_no_signs_of_emphasis():
    assert quote("*Tom, the gate is _down_.*", "en") == "Tom, the gate is down."
    assert quote("自今就叫做孙悟空也！”", "zh") == "“自今就叫做孙悟空也！”"


@pytest.mark.parametrize(
    ("title", "fits"),
    [
        ("方腊与睦州的联姻", False),
        ("水浒传中八臂棍棒的八人", False),
        ("方腊与睦州", True),
        ("宋江攻打睦州", True),
        ("兄弟情谊", False),
    ],
)
def test_a_title_uses_only_words_of_the_text(title, fits):
    known = ("方腊", "睦州", "宋江")
    assert is_title_supported(title, known, "方腊 睦州 宋江 宋江引兵攻打睦州，方腊大惊。") is fits


def test_an_english_title_needs_a_name():
    known, text = ("Old Fezziwig", "Dick"), "Then Old Fezziwig stood out to dance with his family."
    assert is_title_supported("Old Fezziwig's dance", known, text)
    assert not is_title_supported("A group of friends", known, text)


def test_a_report_that_nobody_wrote_is_in_the_language_of_the_reader(library):
    names = {"Ada": "person", "Tobias": "person"}
    add_names(library, "Ada met Tobias at the ferry. Tobias saw Ada again.", names)
    refresh_communities(library.writer)
    reader = CommunityReader(library.writer)
    row = reader.tree(0)[0]
    assert reader.get_report(int(row.id)).summary.startswith("《水浒传》中经常")  # as its document
    report = reader.get_card(int(row.id), language="en").report
    assert "This community consists of Ada and Tobias." in report.summary
    assert report.findings[0].headline == "Ada and Tobias"
    assert any("ferry" in finding.text for finding in report.findings)


def test_the_key_words_are_cut_from_the_end_of_a_summary():
    words = ["clerk", "partner"]
    assert cut_key_words("It is one. Characteristic words: clerk, partner.", words) == "It is one."
    assert cut_key_words("共有两个。代表性词语：clerk、partner。", words) == "共有两个。"
    assert cut_key_words("It is one.", words) == "It is one." == cut_key_words("It is one.", [])


def test_latin_names_and_numbers_have_blanks_around_them_in_a_chinese_sentence() -> None:
    assert _fill("zh", "loose", n=151, names=join_names(["Jane", "Mr. Darcy"], "zh")) == (
        "这 151 个实体从未与其他实体在同一句中出现，例如 Jane 和 Mr. Darcy。"
    )
    assert join_names(["林冲", "高俅"], "zh") == "林冲和高俅"
    assert _fill("zh", "title", title="Emma") == "《Emma》"
    assert _fill("en", "all", names="A and B") == "This community consists of A and B."


def test_a_card_reads_the_sentences_of_its_community_once(made, monkeypatch):
    reads: list[int] = []
    fetch = community_rows.fetch_inner_sentences

    def count(db, community_id):
        reads.append(community_id)
        return fetch(db, community_id)

    monkeypatch.setattr(community_rows, "fetch_inner_sentences", count)
    reader = CommunityReader(made.writer)
    number = int(reader.tree()[0].id)
    card = reader.get_card(number)
    assert reads == [number]
    assert card.report == reader.get_report(number)
    assert sum(one.n_sentences for one in card.spread) == len(fetch(made.writer, number)) > 0


def test_a_chapter_is_named_only_if_a_third_of_the_sentences_are_in_it() -> None:
    assert _find_main_heading(Counter({"I": 4, "II": 4, "III": 3})) == "I"
    assert _find_main_heading(Counter({f"Chapter {n}": 3 for n in range(4)})) == ""
