"""The translation catalogue: the tool that maintains it, and its completeness.

Most tests let the tool read their own files; the last ones are about
the real ones.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from tests.catalogue import tool

SCREENS = [name for name in tool.packages() if name != tool.ENGINE]

# --- the tool that maintains the catalogue ----------------------------------------------------

CODE = '''"""Not this."""
from desktop_app.ui.translation import later, tr, trn

TITLES = {"a": later("All of them")}
log.warning("nor this one here")

def show(n, title, open_):
    label.setObjectName("nor this")
    label.setText(tr("Moved “{title}”", title=title))
    button.setText(tr("Open it" if open_ else "Close it"))
    foot.setText(trn("{n} name", "{n} names", n))
    foot.setToolTip(tr(TITLES["a"]))
'''


read_words_once = cache(tool.read_words)


@pytest.fixture
def real_words(monkeypatch):
    """Read the program's own texts once for all tests; parsing all modules takes seconds."""
    monkeypatch.setattr(tool, "read_words", read_words_once)


@pytest.fixture
def sources(monkeypatch, tmp_path):
    """Return a file that replaces the package "reader", with its own catalogue."""
    file = tmp_path / "desktop_app" / "ui" / "reader" / "screen.py"
    file.parent.mkdir(parents=True)
    (file.parent / "__init__.py").write_text("", "utf-8")
    file.write_text(CODE, "utf-8")
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    monkeypatch.setattr(tool, "UI", tmp_path / "desktop_app" / "ui")
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    return file


def test_the_tool_reads_literals_conditionals_and_plurals(sources):
    words = tool.read_words("reader")
    assert list(words.plain) == ["All of them", "Moved “{title}”", "Open it", "Close it"]
    assert list(words.counted) == ["{n} names"]
    assert words.problems == []
    assert tool.bare("reader") == []


def test_the_tool_reports_f_strings_and_bare_texts(sources):
    sources.write_text(
        CODE + '    head.setText(tr(f"Open {title}"))\n    head.setToolTip("Open the other one")\n'
        '    head.setStatusTip("An excuse")  # not shown\n',
        "utf-8",
    )
    (problem,) = tool.read_words("reader").problems
    assert "screen.py:13" in problem
    assert "f-string" in problem
    assert [line for line in tool.bare("reader") if "Open the other one" in line]
    assert not [line for line in tool.bare("reader") if "excuse" in line]


def test_the_tool_keeps_translations_and_removes_unused_texts(sources, tmp_path, capsys):
    tool.update(["reader"])
    assert set(tool.missing("reader")) == set(tool.read_words("reader").plain) | {"{n} names"}
    translations = {"Open it": "打开", "{n} names": "{n} 个名称", "Never there": "没有"}
    (tmp_path / "f.json").write_text(json.dumps(translations), "utf-8")
    tool.fill("reader", tmp_path / "f.json")
    assert "Never there" in capsys.readouterr().out
    sources.write_text(CODE.replace("Close it", "Shut it"), "utf-8")
    tool.update(["reader"])
    assert tool.read_ts("reader") == {"Open it": "打开", "{n} names": "{n} 个名称"}
    assert "Shut it" in tool.missing("reader")
    assert "Close it" not in tool.ts_file("reader").read_text("utf-8")


def test_the_tool_finds_missing_placeholders(sources, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "packages", lambda: ["reader"])
    translations = {t: t for t in (*tool.read_words("reader").plain, "{n} names")}
    (tmp_path / "f.json").write_text(
        json.dumps(translations | {"Moved “{title}”": "已移动"}), "utf-8"
    )
    tool.fill("reader", tmp_path / "f.json")
    (problem,) = tool.problems()
    assert "other values" in problem


def test_the_tool_reads_the_templates_of_messages_and_errors(real_words):
    words = tool.read_words(tool.ENGINE)
    assert "it has {n:,} pages." in words.plain  # of an error
    assert "Split it into files of at most {most:,} pages." in words.plain  # its hint
    assert "Delete {n} connections" in words.plain  # one of two forms
    assert "“{what}” can't be written: {reason}." in words.plain
    assert words.problems == []


def test_the_tool_reports_messages_without_a_template(monkeypatch, tmp_path):
    file = tmp_path / "desktop_app" / "engine.py"
    file.parent.mkdir()
    file.write_text(
        "class AppError(Exception): ...\nclass Bad(AppError): ...\nclass Worse(Bad): ...\n"
        'raise Worse(f"No {x}", "Try {y}." if y else "Stop.")\nMessage("All " + x)\n',
        "utf-8",
    )
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    words = tool.read_words(tool.ENGINE)
    assert {"Try {y}.", "Stop."} <= set(words.plain)
    assert [problem.split(": ")[0] for problem in words.problems] == [
        "desktop_app/engine.py:4",
        "desktop_app/engine.py:5",
    ]


# --- the real catalogue -----------------------------------------------------------------------


def test_the_catalogue_is_complete(real_words):
    assert tool.problems() == []


def test_the_compiled_catalogue_is_current(qapp, tmp_path, real_words):
    tool.release(tmp_path / "fresh.qm")
    kept, fresh = QTranslator(), QTranslator()
    assert kept.load(str(tool.CATALOGUE))
    assert fresh.load(str(tmp_path / "fresh.qm"))
    for package in tool.packages():
        words = tool.read_words(package)
        for text, n in [(t, -1) for t in words.plain] + [(t, 2) for t in words.counted]:
            found = [one.translate(tool.CONTEXT, text, None, n) for one in (kept, fresh)]
            assert found[0] == found[1], text


@pytest.mark.parametrize("package", SCREENS)
def test_no_text_of_the_window_is_left_untranslated(package):
    assert tool.bare(package) == []


def read_replaced_terms() -> dict[str, str]:
    """Return term that no translation has -> the one in its place, of docs/GLOSSARY.md."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "GLOSSARY.md").read_text("utf-8")
    part = page.split("## Chinese terms of the window")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| ?(.*?) ?\|$", part, re.MULTILINE)
    return {term: used for _, used, others in rows[1:] for term in others.split(", ") if term}


def test_the_window_has_one_chinese_term_for_one_thing():
    replaced = read_replaced_terms()
    assert replaced["合并台"] == "合并建议" and len(replaced) > 4
    texts = [file.read_text("utf-8") for file in (tool.FOLDER / "zh").glob("*.ts")]
    assert len(texts) > 10
    shown = re.findall(r"<(?:translation|numerusform)[^>]*>([^<]+)<", "\n".join(texts))
    assert len(shown) > 3_000
    assert [text for text in shown for term in replaced if term in text] == []
