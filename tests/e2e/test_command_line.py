"""Tests the command line as a script uses it: real readers and tagger, exit codes, JSON."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from desktop_app.__main__ import run
from desktop_app.cli import add, build_parser, export, graph, run_command
from desktop_app.cli.ask import list_sources
from desktop_app.engine import paths
from desktop_app.engine.graph.view import view
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.model import (
    Answer,
    ChunkId,
    Citation,
    DocumentId,
    Passage,
    RetrievalResult,
)
from desktop_app.engine.prompt_program import Choice
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.exporting import graph_files
from desktop_app.engine.store.db import Db
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.engine.text.file_kinds import KINDS
from tests.fakes import ScriptedChatModel, reply_alike
from tests.unit.services.test_indexing import STORY, TALE
from tests.zotero_folder import make_study


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("texts")


@pytest.fixture
def texts(folder):
    """Return the files of two texts; the library has them under these paths."""
    (folder / "clock.txt").write_text(STORY, "utf-8")
    (folder / "tea.txt").write_text(TALE, "utf-8")
    return [str(folder / "clock.txt"), str(folder / "tea.txt")]


@pytest.fixture
def library(folder, tmp_path, texts, capsys):
    """Return a library of both texts, a copy of one that is made once by `add`."""
    made = folder / "made.inkgraph"
    if not made.exists():
        assert run_command(["add", "--library", str(made), "--no-embed", *texts]) == 0
        capsys.readouterr()
    return str(shutil.copyfile(made, tmp_path / "cli.inkgraph"))


@pytest.fixture(scope="module")
def loaded_embedder(models_are_not_tried):
    registry = ModelRegistry(paths.model_folders())
    yield registry.find_embedder()
    registry.close()


@pytest.fixture
def one_embedder(monkeypatch, loaded_embedder):
    """Let many commands share the process of the embedding model, which each would start."""
    monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: loaded_embedder)


def run_json(capsys, *arguments: str) -> dict | list:
    assert run_command([arguments[0], "--json", *arguments[1:]]) == 0
    return json.loads(capsys.readouterr().out)


def test_status_lists_the_documents(library, capsys):
    found = run_json(capsys, "status", "--library", library)
    assert {d["file_name"] for d in found["documents"]} == {"clock.txt", "tea.txt"}
    assert found["overview"]["n_documents"] == 2


def test_zotero_and_files_of_references_are_added_and_updated(library, tmp_path, capsys):
    assert run_command(["add", "--library", library, "--no-embed", "--update-zotero"]) == 1
    assert "No Zotero folder was added" in capsys.readouterr().err
    zotero = make_study(tmp_path / "Zotero")
    zotero.add_work("book", title="Nowhere")
    found = run_json(capsys, "add", "--library", library, "--no-embed", str(zotero.folder))
    assert [d["title"] for d in found["documents"]] == ["A study of harbour clocks"]
    assert found["references"][0]["without_file"] == ["Nowhere"]
    work = zotero.add_work(title="Tides")
    zotero.add_file(work, "tides.txt", b"Clara Wren writes of the tides.")
    bib = tmp_path / "refs.bib"
    bib.write_text("@article{a, title={A study of harbour clocks}, doi={10.1000/clocks.7},"
                   " year={2000}}")  # fmt: skip
    arguments = ["add", "--library", library, "--no-embed", "--update-zotero", str(bib)]
    assert run_command(arguments) == 0
    printed = capsys.readouterr().out
    assert "Zotero “Zotero”, 3 references: 1 new document, 1 unchanged" in printed
    assert "BibTeX “refs.bib”, 1 reference: 0 new documents, 1 document completed" in printed
    assert "1 reference has no file and no document here: Nowhere" in printed
    assert run_command(["add", "--library", library]) == 1


def test_a_changed_file_and_its_versions(library, texts, capsys):
    def run(*arguments: str) -> tuple[int, str]:
        code = run_command([arguments[0], "--library", library, *arguments[1:]])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    with open(texts[0], "w"):
        pass
    code, printed = run("add", "--no-embed", texts[0])
    told = "The file changed, but its new version can't be read: it is empty (0 bytes). The text of"
    assert code == 1 and told in printed
    assert told in run("status")[1] and told in run("versions")[1]
    assert run("graph", "--entities")[1].count("Clara Wren") >= 1
    assert run("versions", "keep", "clock.txt", "--no-embed")[0] == 0
    assert told not in run("status")[1]
    with open(texts[0], "w", encoding="utf-8") as file:
        file.write(STORY.replace("Clara Wren", "Fanny Price"))
    assert run("add", "--no-embed", texts[0])[0] == 0
    assert "previous version" in run("versions")[1]
    assert run("versions", "restore", "clock.txt", "--no-embed")[0] == 0
    assert "Clara Wren" in run("graph", "--entities")[1]
    assert run("undo")[0] == 0
    assert run("add", "--no-embed", texts[0])[0] == 0  # reads what is queued
    assert "Fanny Price" in run("graph", "--entities")[1]
    assert "bytes of versions are deleted" in run("versions", "remove")[1]


def test_graph_gives_entities_with_evidence_and_relations(library, capsys):
    found = run_json(capsys, "graph", "--library", library, "--limit", "30")
    clara = next(e for e in found["entities"] if e["name"] == "Clara Wren")
    assert {"type", "aliases", "description", "mentions", "evidence"} <= clara.keys()
    assert clara["evidence"][0]["sentence"]
    assert all(r["evidence"][0]["sentence"] for r in found["relations"])


def test_one_entity_is_found_by_name(library, capsys):
    found = run_json(capsys, "graph", "--library", library, "--entity", "陆青山")
    assert found["name"] == "陆青山"
    assert found["relations"]


def test_search_gives_passages_with_offsets(library, capsys):
    found = run_json(
        capsys, "search", "--library", library, "Who was lost near Port Ellis?", "--top", "2"
    )
    best = found["passages"][0]
    assert "Edmund Marsh had been a sailor" in best["text"]
    assert {"document", "title", "page", "start", "end", "score", "text"} <= best.keys()


def test_search_shows_what_each_stage_kept(library, capsys, one_embedder):
    arguments = ("search", "--library", library, "Who was lost near Port Ellis?")
    for mode in ("walk", "local", "global", "hybrid", "mix", "words"):
        found = run_json(capsys, *arguments, "--mode", mode, "--keywords-low", "Port Ellis")
        assert found["passages"] and found["mode"] == mode
        assert {"entities", "relations", "references", "keywords", "stages"} <= found.keys()
        assert found["stages"][-1]["kept"]


def test_documents_and_collections_limit_the_results(library, capsys, one_embedder):
    db = Db(library)
    tea = db.value("SELECT id FROM document WHERE file_name = 'tea.txt'")
    Collections(db).create("Tea house", [tea])
    db.close()
    arguments = ("search", "--library", library, "Clara Wren 沈砚", "--mode")
    for scope in (("--document", "tea.txt"), ("--collection", "tea house")):
        for mode in ("walk", "mix"):
            found = run_json(capsys, *arguments, mode, *scope)
            assert {p["document"] for p in found["passages"]} == {tea}
    for scope in (("--document", "no.txt"), ("--collection", "Nothing")):
        assert run_command([*arguments, "walk", *scope]) == 1
        assert scope[1] in capsys.readouterr().err


@pytest.fixture
def no_chat(monkeypatch):
    monkeypatch.setattr(ModelRegistry, "find_chat", lambda self: None)
    monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: None)


def test_a_follow_up_question_is_rewritten_from_a_history_file(library, capsys, tmp_path, no_chat):
    history = tmp_path / "history.json"
    turns = [
        {"role": "user", "content": "Who was Edmund Marsh?"},
        {"role": "assistant", "content": "A sailor [1]."},
    ]
    history.write_text(json.dumps(turns), "utf-8")
    asked = ("ask", "--library", library, "Where was he lost?", "--history", str(history))
    answer = run_json(capsys, *asked)
    assert answer["found"]["question"] == "Where was Edmund Marsh lost?"
    assert answer["found"]["asked"] == "Where was he lost?"
    assert run_command([*asked]) == 0
    assert "Understood as: Where was Edmund Marsh lost?" in capsys.readouterr().out
    history.write_text('[{"role": "judge", "content": "x"}]', "utf-8")
    assert run_command([*asked]) == 1
    assert "judge" in capsys.readouterr().err
    history.write_text("{", "utf-8")
    assert run_command([*asked]) == 1


def test_the_context_or_the_prompt_can_be_printed_instead(library, capsys, no_chat):
    asked = ("ask", "--library", library, "Who was lost near Port Ellis?")
    assert run_command([*asked, "--only-context"]) == 0
    context = capsys.readouterr().out
    assert "Edmund Marsh had been a sailor" in context and "Question:" not in context
    options = ("--user-prompt", "Be brief.", "--response-type", "Bullet Points")
    assert run_command([*asked, "--only-prompt", *options]) == 0
    prompt = capsys.readouterr().out
    assert "Question: Who was lost" in prompt and "Bullet Points" in prompt
    assert run_command([*asked, "--mode", "bypass"]) == 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_passages_and_then_the_checked_answer_and_ctrl_c_keeps_its_part(
    library, monkeypatch
):
    class Interrupting(ScriptedChatModel):
        def iter_pieces(self, *arguments):
            for n, piece in enumerate(super().iter_pieces(*arguments)):
                if n == 2:
                    signal.raise_signal(signal.SIGINT)
                yield piece

    asked = ["ask", "--library", library, "Who was lost near Port Ellis?"]
    monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: None)
    for model, rc in (
        (ScriptedChatModel(["Edmund Marsh had been a sailor [1]. Nobody was [44]."]), 0),
        (Interrupting(["one two three four five six seven"]), 130),
    ):
        monkeypatch.setattr(ModelRegistry, "find_chat", lambda self, model=model: model)
        monkeypatch.setattr(ModelRegistry, "chat_model_name", lambda self: "scripted")
        monkeypatch.setattr(sys, "stdout", Terminal())
        before = signal.getsignal(signal.SIGINT)
        assert run_command(asked) == rc
        printed = sys.stdout.getvalue()
        monkeypatch.undo()
        monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: None)
        assert signal.getsignal(signal.SIGINT) is before
        if rc:
            assert "one two" in printed and "seven" not in printed and "Stopped here" in printed
        else:
            assert printed.startswith("- ") and "lost near Port Ellis" in printed
            passages, answer = printed.split("Comparing and writing…")
            assert "[44]" not in printed and "[1]" not in passages
            cited = re.search(r"Edmund Marsh had been a sailor \[(\d)\]\.", answer)
            assert cited and f"\n[{cited[1]}] clock" in answer  # in the list of sources, too


def test_without_a_model_each_quotation_is_printed_once(library, monkeypatch, no_chat):
    monkeypatch.setattr(ModelRegistry, "chat_model_name", lambda self: "")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert run_command(["ask", "--library", library, "Who was lost near Port Ellis?"]) == 0
    answer, sources = sys.stdout.getvalue().split("\nSources:\n")
    quoted = re.findall(r"^> (.+) \[(\d)\]$", answer, re.M)
    assert quoted and "Edmund Marsh" in quoted[0][0] and "- " not in answer
    assert [line[:3] for line in sources.splitlines()] == [f"[{n}]" for _, n in quoted]


def test_a_source_has_its_sentence_unless_the_answer_quotes_it():
    quotes = ("He was *lost*  near Port Ellis.", "Edmund had been a sailor.")
    citations = tuple(
        Citation(n, 1, 1, "clock", 0, 9, quote) for n, quote in enumerate(quotes, start=1)
    )
    text = "> “He was lost near Port Ellis.” [1]\n\nEdmund was a sailor [2]."
    lines = list_sources(Answer(text, citations, RetrievalResult("Who?", "walk", ())))
    assert [line.strip() for line in lines] == [
        "Sources:",
        "[1] clock (characters 0–9)",
        "[2] clock (characters 0–9)",
        "“Edmund had been a sailor.”",
    ]


def test_what_is_printed_around_an_answer_is_in_the_language_of_the_question(
    library, capsys, monkeypatch
):
    """The scripted model doubts what it writes, so passages are quoted."""

    def doubt(script, ask, line):
        alike = reply_alike(script, ask, line)
        return Choice(alike.logprobs[::-1]) if isinstance(alike, Choice) else alike

    monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: None)
    monkeypatch.setattr(ModelRegistry, "chat_model_name", lambda self: "scripted")
    for question, own, other in (
        ("谁在Port Ellis附近失踪？", ("没有写出答案", "来源：", "个字符）"), "Sources:"),
        ("Who was lost near Port Ellis?", ("No written answer", "Sources:"), "来源："),
    ):
        model = ScriptedChatModel(["Edmund Marsh had been a sailor [1]."] * 9, reply=doubt)
        monkeypatch.setattr(ModelRegistry, "find_chat", lambda self, model=model: model)
        assert run_command(["ask", "--library", library, question]) == 0
        printed = capsys.readouterr().out
        assert printed.startswith(own[0]) and all(words in printed for words in own)
        assert other not in printed


def test_rows_of_a_quoted_table_stand_on_lines_of_their_own(tmp_path, monkeypatch, no_chat):
    monkeypatch.setattr(ModelRegistry, "find_embedder", lambda self: None)
    file = tmp_path / "lakes.md"
    rows = (
        "| Lake | Depth | Area |",
        "|---|---|---|",
        "| Tana | 15 | 3,200 |",
        "| Shala | 266 | 329 |",
    )
    file.write_text("\n".join(("Lakes of Ethiopia and their *names*.", "", *rows)), "utf-8")
    library = str(tmp_path / "lakes.inkgraph")
    assert run_command(["add", "--library", library, str(file)]) == 0
    monkeypatch.setattr(ModelRegistry, "chat_model_name", lambda self: "")
    monkeypatch.setattr(sys, "stdout", Terminal())
    asked = "Is the lake Tana deeper than the lake Shala?"
    assert run_command(["ask", "--library", library, asked]) == 0
    lines = sys.stdout.getvalue().splitlines()
    first = lines.index("> Lake | Depth | Area")
    assert lines[first + 1 : first + 3] == ["> Tana | 15 | 3,200", "> Shala | 266 | 329 [1]"]
    assert "Tana | 15" not in "\n".join(lines[first + 3 :])


def test_rows_of_a_source_stand_on_lines_of_their_own():
    text = "Lakes\n\nLake | Depth\nTana | 15\nShala | 266"
    end = 100 + len(text)
    passage = Passage(ChunkId(7), DocumentId(1), "lakes", 100, end, 1.0, text, 100, 110)
    citation = Citation(1, ChunkId(7), DocumentId(1), "lakes", 107, end, text[7:])
    found = RetrievalResult("How deep?", "walk", (passage,))
    lines = list_sources(Answer("Shala is deep [1].", (citation,), found))
    assert [line.strip() for line in lines[2:]] == ["Lake | Depth", "Tana | 15", "Shala | 266"]


def test_export_writes_the_file(library, capsys, tmp_path):
    out = tmp_path / "out" / "g.graphml"
    run_json(capsys, "export", "--library", library, "--format", "graphml", "--out", str(out))
    assert out.stat().st_size > 1000


@pytest.mark.parametrize(
    "words",
    [
        ["export", "--out"],
        ["export", "--format", "postgresql", "--out"],
        ["export", "--format", "graphml", "--out"],
        ["export", "--format", "bibtex", "--out"],
        ["corrections", "export"],
    ],
)
def test_no_export_replaces_a_library_or_its_backups(library, words, capsys, tmp_path):
    assert run_command([*words, str(tmp_path / "free.json"), "--library", library]) == 0
    assert run_command(["backup", "--library", library]) == 0
    [backup] = (tmp_path / "cli.backups").glob("*.backup")
    other = shutil.copyfile(library, tmp_path / "other name.json")  # known by its content
    link = tmp_path / "link.json"
    link.symlink_to(library)
    damaged = tmp_path / "damaged.inkgraph"
    damaged.write_bytes(b"x" * 9000)
    edits = backup.with_name(backup.name.replace(".by-hand.backup", ".edits"))
    edits.touch()
    targets = [Path(library), backup, other, damaged, edits]
    before = [path.read_bytes() for path in targets]
    for target in (*targets, link, tmp_path / "cli.inkgraph-wal"):
        capsys.readouterr()
        assert run_command([*words, str(target), "--library", library]) == 1
        assert f"“{target.name}” is a" in (said := capsys.readouterr().err)
        assert "An export does not replace it." in said
    assert [path.read_bytes() for path in targets] == before


@pytest.mark.parametrize(
    ("format", "option", "value"),
    [
        ("json", "--document", "clock.txt"),
        ("json", "--tag", "x"),
        ("csv", "--collection", "y"),
        ("postgresql", "--document", "NO SUCH"),
        ("vault", "--entity", "Clara Wren"),
        ("bibtex", "--text", "clock"),
        ("ris", "--color", "bookmark"),
        ("notes-markdown", "--entity", "Clara Wren"),
    ],
)
def test_an_export_refuses_a_choice_that_its_format_does_not_have(
    library, capsys, tmp_path, format, option, value
):
    out = tmp_path / "out"
    words = ["export", "--library", library, "--format", format, option, value]
    assert run_command([*words, "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert f"The format {format} has no {option}" in said and "These have it: " in said
    assert not out.exists()


def test_a_document_of_an_export_must_be_there(library, capsys, tmp_path):
    out = tmp_path / "a.bib"
    words = ["export", "--library", library, "--format", "bibtex", "--out", str(out)]
    for option, value in (("--document", "NO SUCH"), ("--collection", "NO SUCH")):
        assert run_command([*words, option, value]) == 1
        assert "NO SUCH" in capsys.readouterr().err
    assert run_command([*words, "--tag", "NO SUCH"]) == 1
    assert not out.exists()


def test_references_and_notes_are_exported(library, capsys, tmp_path):
    out = tmp_path / "out"
    for format, name in (("bibtex", "a.bib"), ("ris", "a.ris"), ("csl", "a.json")):
        path = out / name
        run_json(capsys, "export", "--library", library, "--format", format, "--out", str(path))
        assert path.stat().st_size > 50
    csl = json.loads((out / "a.json").read_text("utf-8"))
    title = csl[0]["title"]
    options = ("--format", "bibtex", "--document", title, "--out", str(out / "one.bib"))
    assert run_json(capsys, "export", "--library", library, *options)["references"] == 1
    assert title in (out / "one.bib").read_text("utf-8")
    asked = ("export", "--library", library, "--format", "notes-docx", "--out", "x.docx")
    assert run_command([*asked]) == 1
    assert "no highlights or notes to export" in capsys.readouterr().err


def test_check_accepts_a_consistent_file(library, capsys):
    found = run_json(capsys, "check", "--library", library)
    assert found["ok"] and found["checksums"] and not found["problems"]


@pytest.mark.parametrize("mode", ["structure", "tokens", "separator", "separator_tokens"])
def test_every_way_of_chunking_keeps_the_whole_text(texts, tmp_path, mode):
    path = tmp_path / f"{mode}.inkgraph"
    size = ["--chunk-mode", mode, "--chunk-token-size", "60"]
    assert run_command(["add", "--library", str(path), "--no-embed", *size, *texts]) == 0
    db = Db(path)
    for document_id, text in db.rows("SELECT document_id, text FROM document_text"):
        chunks = db.rows(
            "SELECT text FROM chunk WHERE document_id = ? ORDER BY order_no", (document_id,)
        )
        assert len(chunks) > 2
        assert "".join(t for (t,) in chunks) == text
    db.close()


def test_the_choices_of_options_are_those_of_the_services():
    others = {*export.FOLDER_FORMATS, *export.REFERENCE_FORMATS, *export.NOTE_FORMATS}
    others |= {*export.DATABASE_FORMATS}
    assert set(export.FORMATS) == {*graph_files.FORMATS, *others}
    modes = get_args(get_type_hints(ChunkingSettings)["mode"])
    assert set(add.CHUNK_MODES) == set(modes)


def test_the_layouts_of_export_are_those_of_the_graph_view():
    assert graph.LAYOUTS == view.LAYOUTS


def test_a_quotation_is_found_with_its_differences(library, capsys):
    wanted = "Edmund Marsh had once been a sailor. He was lost near Port"
    assert run_command(["quotation", "--library", library, wanted]) == 0
    printed = capsys.readouterr().out
    assert "CHAPTER II. The Watch" in printed
    assert "Edmund Marsh had [-once-] been a sailor. He was lost near Port" in printed
    found = run_json(capsys, "quotation", "--library", library, wanted, "--document", "clock.txt")
    assert [place["wording"] for place in found["places"]] == ["small"]
    assert run_command(["quotation", "--library", library, "no such sentence is here at all"]) == 0
    assert "not found" in capsys.readouterr().out
    assert run_command(["quotation", "--library", library, "too short"]) == 1
    assert "too short" in capsys.readouterr().err


def test_user_errors_exit_with_1_and_a_reason(library, capsys, tmp_path):
    assert run_command(["graph", "--library", library, "--entity", "Nobody At All"]) == 1
    assert "Nobody At All" in capsys.readouterr().err
    assert run_command(["status", "--library", str(tmp_path / "none.inkgraph")]) == 1
    missing = str(tmp_path / "missing.pdf")
    assert run_command(["add", "--library", library, "--no-embed", missing]) == 1
    assert "missing.pdf" in capsys.readouterr().err


SHORT = ("--top", "1", "--max-total-tokens", "400")  # the small model reads 100 tokens a second


@pytest.mark.model
def test_the_real_models_answer_with_citations(texts, capsys, tmp_path, one_embedder):
    path = str(tmp_path / "real.inkgraph")
    assert run_command(["add", "--library", path, *texts]) == 0
    capsys.readouterr()
    found = run_json(capsys, "search", "--library", path, "谁收到了信？", "--mode", "naive")
    assert "陆青山" in found["passages"][0]["text"]
    answer = run_json(capsys, "ask", "--library", path, "Who was Edmund Marsh?", *SHORT)
    assert answer["text"] and answer["model"]
    text = answer["found"]["passages"]
    assert any("Edmund Marsh" in p["text"] for p in text)
    for citation in answer["citations"]:
        assert citation["quote"]


@pytest.mark.parametrize(
    ("n_times", "n_kills"), [(12, 1), pytest.param(40, 4, marks=pytest.mark.slow)]
)
def test_indexing_survives_being_killed(tmp_path, n_times, n_kills):
    """Kill -9 at random moments; the library opens, is consistent, and gets the same graph."""
    story = tmp_path / "long.txt"
    story.write_text((STORY + "\n\n") * n_times, "utf-8")
    command = [sys.executable, "-m", "desktop_app", "add", "--no-embed", "--library"]
    environment = dict(os.environ)
    whole, killed = tmp_path / "whole.inkgraph", tmp_path / "killed.inkgraph"
    started = time.monotonic()
    subprocess.run([*command, str(whole), str(story)], check=True, env=environment)
    whole_run_s = time.monotonic() - started
    dice = random.Random(7)
    for _ in range(n_kills):
        process = subprocess.Popen(
            [*command, str(killed), str(story)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with suppress(subprocess.TimeoutExpired):
            process.wait(dice.uniform(0.3, 0.9) * whole_run_s)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if killed.exists():
            db = Db(killed)
            assert db.integrity_problems() == []
            db.close()
    subprocess.run([*command, str(killed), str(story)], check=False, env=environment)
    rows = []
    for path in (whole, killed):
        db = Db(path)
        rows.append(
            (
                db.rows("SELECT start, end FROM mention ORDER BY 1, 2"),
                db.rows("SELECT name, n_mentions, n_relations FROM entity ORDER BY name"),
                db.rows("SELECT state FROM document"),
            )
        )
        db.close()
    assert rows[0][0]
    assert rows[0] == rows[1]


def test_a_mistyped_command_opens_no_window(capsys, monkeypatch):
    monkeypatch.setattr("desktop_app.app.run_window", lambda arguments: pytest.fail("a window"))
    with pytest.raises(SystemExit) as ended:
        run(["serch", "Alice"])
    assert ended.value.code == 1
    assert "invalid choice: 'serch'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "ocr --library L lines Letter --page 2",
        "ocr lines --library L Letter --page 2",
        "ocr lines --page 2 Letter --library L",
        "ocr --page 2 lines --library L Letter",
        "ocr --library L --page 2 lines Letter",
    ],
)
def test_options_may_stand_before_between_and_behind_the_words_of_a_command(words):
    options = build_parser().parse_args(words.split())
    assert (options.action, options.document, options.page) == ("lines", ["Letter"], 2)
    assert str(options.library) == "L"


def test_words_of_other_commands_are_taken_in_every_order():
    def parse(words: str) -> dict[str, object]:
        return vars(build_parser().parse_args(words.split()))

    assert parse("figures correct --number 2 Atlas")["document"] == ["Atlas"]
    assert parse("figures --json")["action"] == "list"
    assert parse("add a --no-embed b")["files"] == [Path("a"), Path("b")]
    assert parse("add -- -a b")["files"] == [Path("-a"), Path("b")]
    assert parse("entity merge A --json B C")["others"] == ["B", "C"]
    assert parse("bench x --y z")["arguments"] == ["--y", "z"]


def test_the_help_of_add_names_every_kind_that_is_read(capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["add", "--help"])
    printed = " ".join(capsys.readouterr().out.split())
    for kind in KINDS:
        assert kind.title in printed
        assert all(f"{suffix}" in printed for suffix in kind.suffixes)
    assert "Scanned pages and photographs" in printed and "--no-ocr" in printed


@pytest.mark.parametrize(
    "arguments",
    [("graph", "--image", "graph.svg"), ("export", "--format", "json", "--out", "graph.json")],
)
def test_a_folder_that_is_made_for_a_file_is_named(library, tmp_path, capsys, arguments):
    *words, name = arguments
    for expected in (True, False):
        path = tmp_path / "no such" / "folder" / name
        assert run_command([*words, str(path), "--library", library]) == 0
        assert path.is_file()
        is_named = f"the folder {path.parent} was created" in capsys.readouterr().err
        assert is_named == expected
