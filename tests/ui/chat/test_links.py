"""Links in answers: web addresses only, opened after confirmation."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.ui import allowed_addresses
from desktop_app.ui.chat.answer_view import (
    AnswerView,
    SafeDocument,
    render_answer,
)
from desktop_app.ui.chat.turn_widget import TurnWidget
from desktop_app.ui.chat.turns import Turn
from desktop_app.ui.theme.design_tokens import LIGHT
from desktop_app.ui.widgets.link_confirmation import LinkConfirmation
from tests.ui.fakes import FakeContext

ADDRESS = "https://example.org/ferry?a=1&b=2"
HOSTILE = """
<img src="https://example.org/a.png"> <img src='file:///etc/hostname'>
![x](https://example.org/b.png) ![y](file:///etc/hostname) ![z](data:image/png;base64,AAAA)
<link rel="stylesheet" href="https://example.org/c.css"><style>p{background:url(file:///d)}</style>
<iframe src="https://example.org/e"></iframe><script>alert(1)</script>
[script](javascript:alert(1)) [data](data:text/html,<b>x</b>) [file](file:///etc/hostname)
<javascript:alert(1)> <file:///etc/hostname> [f]: file:///etc/hostname

| <img src=f> | ![c](file:///g) |
| --- | --- |
| <object data="file:///h"> | <video src="file:///i"> |
"""


@pytest.fixture
def opened(monkeypatch, tmp_path: Path) -> list[str]:
    """Use a separate list of allowed sites, and return the addresses that would be opened."""
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    addresses: list[str] = []
    monkeypatch.setattr(LinkConfirmation, "open_address", staticmethod(addresses.append))
    return addresses


@pytest.fixture
def turn(qtbot, context: FakeContext) -> TurnWidget:
    written = Turn("Where?", f"It is written at {ADDRESS}.", model="tiny", answered=True)
    made = TurnWidget(context.theme, written)
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def asking() -> list[LinkConfirmation]:
    return [
        w
        for w in QApplication.topLevelWidgets()
        if isinstance(w, LinkConfirmation) and w.isVisible()
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[click](javascript:alert(1))",
        "[click](JaVaScRiPt:alert(1))",
        "[click](data:text/html,x)",
        "[click](file:///etc/hostname)",
        "[click](//example.org/x)",
        "[click](/etc/hostname)",
        "[click](ftp://example.org)",
        "[click](cite:1)",
        "[click](name:1)",
        "[click](https://example.org@elsewhere.example/)",
        "https://example.org@elsewhere.example/",
        "<javascript:alert(1)>",
        "file:///etc/hostname",
        "https://",
        "`https://example.org`",
        "```\nhttps://example.org\n```",
    ],
)
def test_what_is_not_a_web_address_stays_text(text: str) -> None:
    assert "<a " not in render_answer(text, {2}, LIGHT)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (f"See {ADDRESS}.", ADDRESS),
        ("见 https://example.org/渡口。后来", "https://example.org/渡口"),
        ("[the ferry](https://example.org/x)", "https://example.org/x"),
        ("<http://example.org>", "http://example.org"),
        ("(https://example.org/a)", "https://example.org/a"),
        ("https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("**https://example.org**", "https://example.org"),
    ],
)
def test_a_web_address_links_to_exactly_itself(text: str, address: str) -> None:
    html = render_answer(text, {1}, LIGHT)
    assert html.count("<a ") == 1
    assert f'href="{address.replace("&", "&amp;")}"' in html


def test_an_incomplete_address_is_not_a_link() -> None:
    assert "<a " not in render_answer(f"See {ADDRESS} and [x](https://example.org/y)", None, LIGHT)


def test_names_in_a_link_are_not_links_of_their_own() -> None:
    html = render_answer("[Ada rows](https://example.org/Ada) Ada", {1}, LIGHT, {"Ada": 3})
    assert html.count("<a ") == 2 and html.index("</a>") < html.index("name:3")


def test_a_hostile_answer_asks_for_no_file_and_no_address(qtbot, context, monkeypatch) -> None:
    wanted: list[str] = []
    load = SafeDocument.loadResource

    def watch(self, kind: int, name: QUrl):
        wanted.append(name.toString())
        return load(self, kind, name)

    monkeypatch.setattr(SafeDocument, "loadResource", watch)
    view = AnswerView(context.theme)
    qtbot.addWidget(view)
    view.resize(600, 400)
    for piece in HOSTILE.split(" "):
        view.append_piece(piece + " ")
    view.set_answer(HOSTILE, ())
    view.show()
    view.grab()
    assert wanted == []
    assert "<script>alert(1)</script>" in view.toPlainText()
    view.setHtml('<img src="file:///etc/hostname"><img src="https://example.org/a.png">')
    view.grab()
    assert all(load(view.document(), 2, QUrl(name)) is None for name in wanted)


def test_a_click_asks_and_opens_only_after_agreement(qtbot, turn, opened) -> None:
    turn.answer.anchorClicked.emit(QUrl(ADDRESS))
    (ask,) = asking()
    assert opened == [] and ADDRESS in ask.address.accessibleName()
    assert "example.org" in ask.always.text()
    ask.close()
    assert opened == []
    turn.answer.anchorClicked.emit(QUrl(ADDRESS))
    (ask,) = asking()
    ask.open_button.click()
    assert opened == [ADDRESS] and asking() == []
    turn.answer.anchorClicked.emit(QUrl(ADDRESS))
    (ask,) = asking()  # once for one site
    ask.copy_button.click()
    assert QGuiApplication.clipboard().text() == ADDRESS and opened == [ADDRESS]


def test_an_allowed_site_opens_without_asking(qtbot, turn, opened) -> None:
    turn.answer.anchorClicked.emit(QUrl(ADDRESS))
    (ask,) = asking()
    ask.always.setChecked(True)
    ask.open_button.click()
    turn.answer.anchorClicked.emit(QUrl("https://example.org/other"))
    assert opened == [ADDRESS, "https://example.org/other"] and asking() == []
    turn.answer.anchorClicked.emit(QUrl("https://elsewhere.example/"))
    (ask,) = asking()
    ask.close()
    allowed_addresses.forget_sites()
    turn.answer.anchorClicked.emit(QUrl(ADDRESS))
    (ask,) = asking()
    ask.close()
    assert len(opened) == 2


@pytest.mark.parametrize("address", ["file:///etc/hostname", "javascript:x", "data:text/html,x"])
def test_only_web_addresses_are_opened(qtbot, turn, opened, address: str) -> None:
    turn.answer.anchorClicked.emit(QUrl(address))
    assert asking() == [] and opened == []


def test_a_site_in_another_script_is_shown_in_punycode() -> None:
    assert allowed_addresses.site_of("https://еxample.org/") == "xn--xample-2of.org"
