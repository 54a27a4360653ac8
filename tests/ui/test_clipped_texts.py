"""No text is cut off on any screen or dialog, at the smallest and the largest text size, and
every button that has no words has a name.

The whole window, at 1280 by 720 and 1440 by 900, and with normal text at 900 by 600, in both
languages, with long and short texts. The usual run checks English, whose texts are longer, where
there is least room, and in Chinese the screens with most commands and texts; `-m slow` checks all
combinations, and screens with more pixels to a point.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QLineEdit,
    QToolButton,
    QWidget,
)

from desktop_app.app import App
from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.figures import Figure
from desktop_app.engine.llm.machine import Machine
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.messages import Message
from desktop_app.engine.model import CommunityId, Finding, Report
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.settings import options_of
from desktop_app.engine.store.figure_descriptions import DescriptionCount
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.ui.communities.community_tree import CommunityTree
from desktop_app.ui.communities.dialogs import (
    CompareCommunitiesDialog,
    EditReportDialog,
    WriteReportsDialog,
)
from desktop_app.ui.duplicates.decisions import MergeManyDialog
from desktop_app.ui.editing.entity_menu import EntityMenu
from desktop_app.ui.evaluation.propose_dialog import ProposeDialog
from desktop_app.ui.figures.descriptions import DescribeSheet, DescriptionSheet
from desktop_app.ui.library.check_dialog import CheckDialog
from desktop_app.ui.library.clipboard import PasteDialog
from desktop_app.ui.library.details import DetailsDialog
from desktop_app.ui.library.encryption import (
    DecryptDialog,
    EncryptionProgressDialog,
    NewPassphraseDialog,
    PassphraseDialog,
)
from desktop_app.ui.library.export_dialog import ExportLibraryDialog
from desktop_app.ui.library.index_again import IndexAgainDialog
from desktop_app.ui.library.open_elsewhere import OpenElsewhereDialog
from desktop_app.ui.models.link_dialog import LinkDialog
from desktop_app.ui.reader.password_dialog import PasswordDialog
from desktop_app.ui.settings.window_options import WindowSettings, WindowStore
from desktop_app.ui.translation import tr
from desktop_app.ui.workspace import Workspace
from tests.books import BOOK, add_book
from tests.ui.overflow import find_overflow

WAIT_MS = 30_000
MOST_ROUNDS = 20  # of the event loop, until layouts have followed
SIZES = ((1280, 720), (1440, 900))
SMALL = ((900, 600),)  # about the least size of the window
TEXT_SIZES = [
    value for o in options_of(WindowSettings) if o.name == "scale" for value, _ in o.choices
]
SCREENS = (
    *("library", "graph", "entity", "merge", "communities", "chat", "highlights", "models"),
    "evaluation",
    "settings",
)
DENSEST = ("library", "graph", "merge", "highlights", "evaluation", "settings")
DIALOGS = (
    *("history", "create", "maintenance", "watch", "privacy", "shortcuts", "palette", "restore"),
    *("new_library", "enrich", "enrich_settings", "enrich_suggest", "report"),
)
LONG = "The Life and Adventures of Nicholas Nickleby, containing a Faithful Account of the Family"
CHINESE = "忠义水浒传：一百二十回本附李卓吾先生批评与插图"
DUPLICATES = ("Tobias Alexander Quill-Wetherington", "Tobias A. Quill-Wetherington")
QUESTION = "How are Clara and Marsh connected, and what became of the Petrel and all of her crew?"


def fill_library(path: Path) -> None:
    """Make a library with long and short, English and Chinese texts in every place."""
    library = Library(path)
    db = library.writer
    book = add_book(library)
    long = add_book(library, BOOK[::-1], title=LONG)
    chinese = add_book(library, ("话说江州城外有个渡口。",), title=CHINESE, language="zh")
    failed = add_book(library, ("Marsh again. ",), title="Failed")
    refresh_communities(db)
    editing = EditingService(db)
    [(clara,)] = db.rows("SELECT id FROM entity WHERE name = 'Clara'")
    editing.describe(clara, f"{LONG}. {CHINESE}。")
    editing.add_alias(clara, LONG[:60])
    for name in DUPLICATES:
        editing.create(name, "person")
    DocumentService(db).edit_details([long], author=LONG, comment=LONG, tags=[LONG[:40], "水浒传"])
    Collections(db).create(LONG, [book, long, chinese])
    AnnotationService(db, db).highlight(book, 5, 30, note=LONG)
    chats = Chats(db, db)
    chat = chats.create_chat(QUESTION)
    chats.create_chat("水浒传")
    with db.transaction():
        db.write_many(
            "INSERT INTO message(chat_id, role, text, created_at) VALUES (?, ?, ?, 1)",
            ((chat, "user", QUESTION), (chat, "assistant", f"{LONG}. {CHINESE}。 [1]")),
        )
        db.write(
            "UPDATE document SET state = 'failed', reason = ? WHERE id = ?",
            (Message("The file is empty.").to_stored(), failed),
        )
        db.write("INSERT INTO graph_view VALUES (?, '{}')", (LONG,))
    library.close()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "filled.inkgraph"
    fill_library(path)
    return path


@dataclass(frozen=True)
class Look:
    """What decides about the room for a text."""

    language: str
    scale: float
    sizes: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        sizes = " and ".join(f"{width} × {height}" for width, height in self.sizes)
        return f"{self.language} {self.scale:.0%} {sizes}"


LOOKS = [
    Look("en", TEXT_SIZES[-1], SIZES[:1]),
    Look("en", 1.0, SMALL),
    pytest.param(Look("zh", 1.0, SMALL), marks=pytest.mark.slow),
    *(
        pytest.param(Look(language, scale, SIZES), marks=pytest.mark.slow)
        for language in ("en", "zh")
        for scale in TEXT_SIZES
    ),
]


@pytest.fixture(params=LOOKS, ids=str)
def look(request: pytest.FixtureRequest) -> Look:
    return request.param


@pytest.fixture
def workspace(
    look: Look, qapp: QApplication, filled: Path, tmp_path: Path, monkeypatch
) -> Iterator[Workspace]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(tmp_path / "no models"))
    path = tmp_path / "Nineteenth-century novels and their sources.inkgraph"
    shutil.copyfile(filled, path)
    WindowStore().change("language", look.language)
    WindowStore().change("scale", look.scale)
    app = App(qapp)
    made = app.open_library(path)
    made.window.show()
    yield made
    app.close()
    QCoreApplication.sendPostedEvents()
    WindowStore().change("language", "en")
    WindowStore().change("scale", 1.0)
    app.theme.set_scale(1.0)
    app.speak()


def find_nameless(widget: QWidget) -> list[str]:
    """Return the visible buttons without words that lack a tooltip or an accessible name."""
    return [
        f"{type(button).__name__} in {type(button.parent()).__name__} has no name"
        for button in widget.findChildren(QAbstractButton)
        if button.isVisible() and button.rect().isValid()
        and not (button.text().strip() and _has_words(button))
        and not (button.accessibleName() and (button.toolTip() or _is_beside_words(button)))
    ]  # fmt: skip


def _has_words(button: QAbstractButton) -> bool:
    style = Qt.ToolButtonStyle.ToolButtonIconOnly
    return not isinstance(button, QToolButton) or button.toolButtonStyle() != style


def _is_beside_words(button: QAbstractButton) -> bool:
    """Return whether this is the sign in a search field, or the box of a title beside it."""
    return isinstance(button, QCheckBox) or isinstance(button.parent(), QLineEdit)


class FitCheck:
    """Collects the texts that are cut off, each with the first place where it was seen."""

    def __init__(self, workspace: Workspace, look: Look, qtbot) -> None:
        self._workspace, self._sizes, self._qtbot = workspace, look.sizes, qtbot
        self.problems: dict[str, str] = {}
        self.n_checked = 0

    def settle(self) -> None:
        """Wait for the work of screens, and let layouts follow."""
        context = self._workspace.context
        lanes = [*self._workspace.session.lanes.values(), context.reader_lane]
        self._qtbot.waitUntil(lambda: all(lane.n_jobs == 0 for lane in lanes), timeout=WAIT_MS)
        for _ in range(3):  # a label that breaks words anew requests another layout
            QApplication.processEvents()

    def check(self, place: str, widget: QWidget | None = None) -> None:
        """Check the window, or a dialog over it, at each size of the window."""
        window = self._workspace.window
        for width, height in self._sizes:
            window.resize(width, height)
            self.settle()
            assert (window.width(), window.height()) == (width, height)
            self.n_checked += 1
            for problem in [
                *self._find_lasting(widget or window),
                *find_nameless(widget or window),
            ]:
                self.problems.setdefault(problem, f"{place}, {width} × {height}")

    def report(self) -> None:
        """Fail with every problem and its place."""
        if self.problems:
            pytest.fail("\n".join(f"{place}: {text}" for text, place in self.problems.items()))

    def _find_lasting(self, widget: QWidget) -> list[str]:
        """Return what does not fit once the layouts have followed."""
        for _ in range(MOST_ROUNDS):
            if not (found := find_overflow(widget, whole_commands=True)):
                break
            QApplication.processEvents()
        return found


def _check_screens(workspace: Workspace, fit: FitCheck, names: Iterable[str]) -> None:
    """Check these screens, and a suggestion of the merge desk."""
    window = workspace.window
    for name in names:
        window.show_screen(name)
        fit.check(name)
    window.show_screen("merge")
    window.screens.merge.list.certainty_wanted.emit(0.25)
    fit.check("a suggestion of the merge desk")
    assert window.screens.merge.page.cluster is not None


@pytest.mark.parametrize("look", [Look("zh", 1.0, SMALL)], indirect=True, ids=str)
def test_every_chinese_text_of_the_densest_screens_fits(
    workspace: Workspace, look: Look, qtbot
) -> None:
    window, context = workspace.window, workspace.context
    fit = FitCheck(workspace, look, qtbot)
    _check_screens(workspace, fit, DENSEST)
    clara = context.library_reader.find_entities("Clara", 1)[0]
    window.navigator.open_entity(clara.id)
    fit.check("a name")
    window.navigator.open_document(context.library_reader.list_documents()[0].id)
    fit.check("reader")
    fit.report()
    assert fit.n_checked == len(DENSEST) + 3


def test_every_text_of_the_window_fits_or_is_elided(
    workspace: Workspace, look: Look, qtbot
) -> None:
    window, context = workspace.window, workspace.context
    fit = FitCheck(workspace, look, qtbot)
    _check_screens(workspace, fit, SCREENS)
    window.show_screen("library")
    rows = context.library_reader.list_documents()
    for row in rows:
        window.screens.library.list.select(row.id)
        fit.check(f"library, {row.title[:20]}")
    clara = context.library_reader.find_entities("Clara", 1)[0]
    window.navigator.open_entity(clara.id)
    fit.check("a name")
    window.navigator.show_in_graph([clara.id])
    fit.check("the graph around a name")
    for chat in context.library_reader.list_chats():
        window.navigator.open_chat(chat.id)
        fit.check("a chat")
    window.navigator.open_document(rows[0].id)
    fit.check("reader")
    window.document_tabs.reader.head.outline.setChecked(True)
    window.document_tabs.reader.head.names.setChecked(True)
    fit.check("reader with its panel")
    window.document_tabs.open_side_by_side(window.document_tabs.page, rows[-1].id)
    fit.check("two documents side by side")
    window.document_tabs.open_beside(rows[0].id)
    fit.check("reader beside a screen")
    for name in SCREENS:
        window.show_screen(name)
        fit.check(f"{name} beside the reader")
    fit.report()
    assert fit.n_checked > 25 * len(look.sizes)


def test_every_text_of_a_dialog_fits_or_is_elided(workspace: Workspace, look: Look, qtbot) -> None:
    window, context = workspace.window, workspace.context
    fit, shown = FitCheck(workspace, look, qtbot), []

    def check_dialogs(name: str) -> None:
        fit.settle()
        for sheet in QApplication.topLevelWidgets():
            if isinstance(sheet, QDialog) and sheet.isVisible():
                shown.append(name)
                fit.check(name, sheet)
                sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
                sheet.reject()

    for name in DIALOGS:
        action = window.actions_by_name[name]
        if action.isEnabled():
            action.trigger()
            check_dialogs(name)
    for text in ("", "two words", "The gulls of nowhere flew to no island at all.", BOOK[0][:120]):
        window.find_quotation(text)
        check_dialogs(f"a quotation: {text[:20]}")
    menu = EntityMenu(context, window)
    one, other = context.library_reader.find_entities("a", 2)
    asks: dict[str, Callable[[], object]] = {
        "rename": lambda: menu.rename(one),
        "describe": lambda: menu.describe(one),
        "alias": lambda: menu.add_alias(one),
        "split": lambda: menu.split(one),
        "relate": lambda: menu.relate(one),
        "pick to merge": lambda: menu.pick_to_merge(one),
        "pick to compare": lambda: menu.pick_to_compare(one),
        "compare": lambda: menu.compare(one, other),
        "merge": lambda: menu.merge([one, other]),
        "history of a name": lambda: menu.show_history(one),
    }
    for name, ask in asks.items():
        ask()
        check_dialogs(name)
    fit.report()
    assert len(shown) > 15


def _build_sheets(workspace: Workspace) -> dict[str, Callable[[], QDialog]]:
    """Return the dialogs that no command of the window opens, over its long and short texts."""
    window, context = workspace.window, workspace.context
    theme, name = context.theme, workspace.session.library.path.stem
    rows = context.library_reader.list_documents()
    long = next(row for row in rows if row.title == LONG)
    model = ModelRow(
        *("vision", "vision", LONG, 3 * 10**9, ("en", "zh"), "Apache-2.0", 4 * 10**9),
        installed=True,
        path=None,
        active=True,
        note=Message(""),
    )
    figure = StoredFigure(1, 0, Figure(0, 9, "figure 1"), LONG, title=LONG, description=CHINESE)
    report = Report(
        CommunityId(1),
        LONG,
        f"{LONG}. {CHINESE}。",
        7.5,
        LONG,
        (Finding(LONG, CHINESE),),
        model=LONG,
    )
    machine = Machine(8 * 10**9, 10**9, 2)
    suggestion = context.model_registry.list_suggestions()[0]
    chunking = ChunkingSettings()
    db = workspace.session.library.reader()
    tree = CommunityTree(CommunityReader(db).tree())
    copies = [Path(f"/home/user/{LONG}/{number}.backup") for number in range(3)]
    clusters = window.screens.merge.model.rows
    return {
        "details and tags of a document": lambda: DetailsDialog([long], window),
        "details and tags of several": lambda: DetailsDialog(rows, window),
        "export of the library": lambda: ExportLibraryDialog(theme, window, is_encrypted=True),
        "passphrase": lambda: PassphraseDialog(name, window, has_other=True),
        "new passphrase": lambda: NewPassphraseDialog(name, copies, window, is_encrypted=False),
        "other passphrase": lambda: NewPassphraseDialog(name, copies, window, is_encrypted=True),
        "decrypt": lambda: DecryptDialog(name, window),
        "encryption": lambda: EncryptionProgressDialog(tr("Encrypting the library"), window),
        "link to a model": lambda: LinkDialog(context, machine, window),
        "link to a suggested model": lambda: LinkDialog(context, machine, window, suggestion),
        "describe pictures": lambda: DescribeSheet(
            model, DescriptionCount(12, 3, 0, 1, 40.0), lambda _: None, window
        ),
        "description of a figure": lambda: DescriptionSheet(figure, lambda _: None, window),
        "report": lambda: EditReportDialog(report, window),
        "write reports": lambda: WriteReportsDialog(LONG, window),
        "compare communities": lambda: CompareCommunitiesDialog(theme, tree, 1, window),
        "index again": lambda: IndexAgainDialog(theme, 1_200, None, chunking, 800, window),
        "check": lambda: CheckDialog(window),
        "merge many": lambda: MergeManyDialog(tr("Merge"), clusters, window),
        "propose questions": lambda: ProposeDialog(theme, [model], window),
        "password of a file": lambda: PasswordDialog(LONG, wrong=True, parent=window),
        "paste": lambda: PasteDialog(f"{LONG}\n{CHINESE}", window),
        "open elsewhere": lambda: OpenElsewhereDialog(name, window, has_other=True),
    }


def test_every_text_of_a_dialog_of_a_screen_fits_or_is_elided(
    workspace: Workspace, look: Look, qtbot
) -> None:
    fit, shown = FitCheck(workspace, look, qtbot), 0
    width, height = look.sizes[0]
    workspace.window.resize(width, height)
    for name, build in _build_sheets(workspace).items():
        sheet = build()
        sheet.show()
        fit.check(name, sheet)
        shown += sheet.isVisible()
        sheet.close()
    fit.report()
    assert shown == fit.n_checked / len(look.sizes) > 20


@pytest.mark.slow
@pytest.mark.parametrize("factor", ["1.25", "2"])
def test_every_text_fits_on_a_screen_with_more_pixels_to_a_point(
    factor: str, tmp_path: Path
) -> None:
    """The scale of a screen holds for a whole process, so the tests run in another one."""
    screen = {"name": "large", "x": 0, "y": 0, "width": 3840, "height": 2160}
    config = tmp_path / "screens.json"  # the usual one has 800 points, fewer with a factor
    config.write_text(json.dumps({"screens": [screen]}))
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "900", __file__],
        env={
            **os.environ,
            "QT_SCALE_FACTOR": factor,
            "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
        },
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4_000:]
    assert "4 passed" in ran.stdout
