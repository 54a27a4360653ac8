"""Tests exports as Markdown: text of documents and models loads and runs nothing there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from desktop_app.engine.model import Citation, DocumentRow
from desktop_app.engine.services.annotations import Annotation, build_notes_markdown
from desktop_app.engine.services.exporting.markdown import disarm_line, disarm_markdown
from desktop_app.engine.services.exporting.vault import export_vault
from desktop_app.engine.services.library import Library
from desktop_app.ui.chat.export import as_html, as_markdown
from desktop_app.ui.chat.turns import Turn
from tests.books import BOOK, add_book

HOSTILE = (
    "![x](http://example.org/a.png)",
    "![x][r]\n\n[r]: http://example.org/b.png",
    "![[../secret]]",
    '<img src="http://example.org/c.png">',
    "<IMG/SRC=http://example.org/d.png>",
    "<iframe src='file:///etc/passwd'></iframe>",
    "<script>alert(1)</script>",
    "<!-- x --><?php x ?><% tp.x %>",
    "[![x](http://example.org/e.png)](http://example.org)",
    "!\\[x](http://example.org/f.png)\n![y]\n(z)",
    "```dataviewjs\napp.x()\n```",
    "- ```dataviewjs\n  app.x()\n  ```",
    "~~~ dataviewjs\nx\n~~~",
    "`$= app.x()` and ``= this.file``",
    "> ![x](http://example.org/g.png)",
    "1. ![x](//example.org/h.png)",
    "a | ![x](http://example.org/i.png)\n--|--\nb | c",
)
RUNS = re.compile(r"<[a-z/!?%]|!\[|`[$=]", re.I)


def renders_nothing_foreign(markdown: str) -> bool:
    """Return whether no image and no HTML is in it, by a parser that allows both."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = [t for block in parser.parse(markdown) for t in (block, *(block.children or ()))]
    return not {t.type for t in tokens} & {"image", "html_block", "html_inline"} and not any(
        t.type == "fence" and t.info for t in tokens
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_images_tags_and_programs_become_text(text: str):
    for harmless in (disarm_markdown(text), disarm_line(text)):
        assert renders_nothing_foreign(harmless), harmless
        assert not RUNS.search(harmless.replace("\\`", "")), harmless


def test_other_markdown_stays():
    text = "## Who\n\n- **Ada** said [so](https://example.org) [1]\n\n`x < 3` and 1 < 2 ![]"
    assert disarm_markdown(text) == text.replace("![]", "!\\[]")


def test_a_chat_is_exported_without_images():
    turns = [
        Turn(
            text,
            text,
            answered=True,
            model=text,
            citations=(Citation(1, 1, 1, text, 0, 3, text, text),),
        )
        for text in HOSTILE
    ]
    for turn in turns:
        assert renders_nothing_foreign(as_markdown(turn.text, [turn]))
    page = as_html("<img src=x>", turns)
    assert not re.search(r"<(img|iframe|script|object|link)\b", page, re.I)
    assert "default-src 'none'" in page


def test_notes_are_exported_without_images():
    for text in HOSTILE:
        row = DocumentRow(1, text, text, "txt", "en", "ready", author=text)
        note = Annotation(1, 1, "highlight", 0, 5, text, "yellow", text, 0.0)
        assert renders_nothing_foreign(build_notes_markdown(row, [note]))


def test_a_vault_of_hostile_names_is_harmless_and_its_files_are_valid(tmp_path: Path):
    library = Library(tmp_path / "small.inkgraph")
    db = library.writer
    add_book(library, tuple(f"{chunk} {text}. " for chunk in BOOK for text in HOSTILE))
    names = ["CON", "con", "..", "x" * 9_000, "😀" * 300, *HOSTILE]
    with db.transaction():
        for i, (entity_id,) in enumerate(db.rows("SELECT id FROM entity ORDER BY id")):
            db.write("UPDATE entity SET name = ? WHERE id = ?", (names[i], entity_id))
        db.write("UPDATE entity SET type = 'a\nb: <img src=x>' WHERE name = 'CON'")
        for i, text in enumerate(HOSTILE):
            db.write("UPDATE relation SET description = ? WHERE id % 17 = ?", (text, i))
            db.write("UPDATE entity SET description = ? WHERE id % 17 = ?", (text, i))
    n_names, _ = export_vault(db, tmp_path / "vault")
    library.close()
    notes = list((tmp_path / "vault").rglob("*.md"))
    assert len([n for n in notes if n.parent.name == "Names"]) == n_names == 5
    assert len({n.name.casefold() for n in notes}) == len(notes)
    for note in notes:
        assert note.stem.casefold().split(".")[0] not in {"con", "nul", ".."}
        text = note.read_text("utf-8")
        body = text.split("\n---\n", 1)[-1]
        assert renders_nothing_foreign(body), note.name
        assert text.count("\n---\n") <= 1
