"""What is done with a passage or a name when its menu or card says so.

Owns the way from a verb to who does it: corrections go through the sheets that every screen has.
Knows the screen's parts, not how they do it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication

from desktop_app.engine.model import EntityCard, EntityRow
from desktop_app.engine.services.annotations import Annotation
from desktop_app.workers.operations import Query

from ..editing.entity_menu import EntityMenu
from ..editing.merge_dialog import PickEntityDialog
from ..editing.name_dialog import NameDialog
from ..language import tr
from .citing import cite
from .name_card import NameCard
from .passage_menu import Spot
from .view import Name

if TYPE_CHECKING:
    from ..context import Context
    from .screen import ReaderScreen


MAX_NAMES = 40
SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "\n\n")
LONGEST_SENTENCE = 400
LONGEST_ASKED = 2000  # of a passage in a question


class PassageActions(QObject):
    """Answers `verb_wanted` and clicks on names of both views of one screen."""

    def __init__(self, context: Context, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._context, self._screen = context, screen
        self.menu = EntityMenu(context, screen)
        self.card: NameCard | None = None
        for view in (screen.text_view, screen.pdf_view):
            view.verb_wanted.connect(self.do)
            view.name_clicked.connect(self.open_card)
            view.note_clicked.connect(screen.notes.open_card)
        screen.notes.quote_wanted.connect(self.copy_with_source)
        screen.notes.ask_wanted.connect(self.ask_about_mark)
        self._verbs: dict[str, Callable[[Spot], None]] = {
            "copy": self._copy,
            "quote": lambda spot: self.copy_with_source(spot.start, spot.end),
            "ask": lambda spot: self._ask(spot.text, spot.start),
            "graph": self._show_names_in_graph,
            "highlight_note": lambda spot: self._highlight(spot, write=True),
            "bookmark": lambda spot: screen.notes.bookmark(spot.start),
            "edit_note": self._edit_note,
            "remove_note": lambda spot: screen.notes.remove(spot.note_id or 0),
            "add_name": self._add_name,
            "same_as": self._same_as,
            "follow": self._follow,
            "merge": lambda spot: self._with_row(spot, self.menu.pick_to_merge),
            "not_namesake": self._split_off,
            "not_alias": self._take_alias,
            "not_name": lambda spot: self._with_row(
                spot, lambda row: self.menu.delete([row], forever=True)
            ),
        }

    def do(self, verb: str, spot: Spot) -> None:
        """Do what a menu offered."""
        kind, _, color = verb.partition(" ")
        if kind == "highlight":
            self._screen.notes.highlight(spot.start, spot.end, color)
        else:
            self._verbs[verb](spot)

    # --- passages ---------------------------------------------------------------------------

    def copy_with_source(self, start: int, end: int) -> None:
        """Put a passage on the clipboard with title and page, as one cites it."""
        loaded, view = self._screen.loaded, self._screen.view
        if loaded is None or view is None:
            return
        QGuiApplication.clipboard().setText(cite(view.copied(start, end), loaded, start))
        self._context.messages.show(tr("Copied with its source."), kind="ok")

    def _copy(self, spot: Spot) -> None:
        view = self._screen.view
        if view is not None:
            QGuiApplication.clipboard().setText(view.copied(spot.start, spot.end).strip())

    def ask_about_mark(self, mark: Annotation) -> None:
        """Begin a question about a highlight, its note with it."""
        self._ask(mark.quote, mark.start, mark.note)

    def _ask(self, words: str, start: int, note: str = "") -> None:
        loaded = self._screen.loaded
        if loaded is not None:
            if len(words) > LONGEST_ASKED:
                words = words[:LONGEST_ASKED].rstrip() + "…"
            quote = cite(words, loaded, start)
            self._screen.ask_about.emit("\n".join(part for part in (quote, note) if part) + "\n")

    def _highlight(self, spot: Spot, *, write: bool) -> None:
        self._screen.notes.highlight(spot.start, spot.end, write=write)

    def _edit_note(self, spot: Spot) -> None:
        view = self._screen.view
        if view is not None and spot.note_id is not None:
            middle = view.viewport().rect().center()
            self._screen.notes.open_card(spot.note_id, view.viewport().mapToGlobal(middle))

    def _show_names_in_graph(self, spot: Spot) -> None:
        document_id = self._screen.document_id

        def show(names: Sequence[Name]) -> None:
            ids = list(dict.fromkeys(name[2] for name in names))[:MAX_NAMES]
            if ids:
                self._screen.show_in_graph.emit(ids)
            else:
                self._context.messages.show(tr("No name stands in this passage."))

        self._read(self._context.reading.names_in, document_id, spot.start, spot.end, then=show)

    # --- names ------------------------------------------------------------------------------

    def open_card(self, name: Name, where: QPoint) -> None:
        """Show the card of a name at a point of the screen, and what is known when it comes."""
        entity_id, title, kind = name[2:]
        if self.card is not None:
            self.card.close_card()
        screen = self._screen
        card = self.card = NameCard(self._context.theme, entity_id, title, kind, screen)
        card.opened.connect(screen.open_entity)
        card.graph_wanted.connect(lambda entity_id: screen.show_in_graph.emit([entity_id]))
        card.follow_wanted.connect(screen.following.follow)
        card.closed.connect(lambda: self._card_closed(card))
        card.show_at(where)
        view = screen.view
        if view is not None and view.caret.shown:
            card.open_button.setFocus(Qt.FocusReason.TabFocusReason)
        document_id = screen.document_id
        exploring, reading = self._context.exploring, self._context.reading

        def fetch() -> tuple[EntityCard, int]:
            known = exploring.get_entity(entity_id)
            return known, len(reading.fetch_places(entity_id, document_id))

        def fill(found: tuple[EntityCard, int]) -> None:
            if self.card is card:
                card.fill(*found)
                self.menu.fill(card.menu, [found[0].row])

        self._read(fetch, then=fill)

    def _card_closed(self, card: NameCard) -> None:
        if self.card is card:
            self.card = None

    def _follow(self, spot: Spot) -> None:
        if spot.name is not None:
            self._screen.following.follow(*spot.name[2:])

    def _with_row(self, spot: Spot, then: Callable[[EntityRow], None]) -> None:
        if spot.name is not None:
            self._read(
                self._context.exploring.get_entity, spot.name[2], then=lambda card: then(card.row)
            )

    def _add_name(self, spot: Spot) -> None:
        sheet = NameDialog(
            tr("Add a name"),
            name=spot.text,
            hint=tr("It is in the graph from now on, and found wherever these words stand."),
            verb=tr("Add"),
            type_="person",
            description=self._sentence_around(spot),
            parent=self._screen,
        )
        editing = self._context.editing
        sheet.given.connect(
            lambda name, type_, text: self.menu.edits.run(
                editing.create, name, type_, text, told=tr("“{name}” added", name=name)
            )
        )
        sheet.open()

    def _sentence_around(self, spot: Spot) -> str:
        """Return the sentence that words stand in, as the first thing known of a name."""
        view = self._screen.view
        text = view.text if view is not None else ""
        low = max((text.rfind(sign, 0, spot.start) for sign in SENTENCE_ENDS), default=-1) + 1
        ends = [text.find(sign, spot.end) for sign in SENTENCE_ENDS]
        high = min((end + 1 for end in ends if end >= 0), default=len(text))
        return " ".join(text[low:high].split()) if high - low <= LONGEST_SENTENCE else ""

    def _same_as(self, spot: Spot) -> None:
        """Join the selected words to a name: merged if they are one already, else an alias."""
        words = " ".join(spot.text.split())

        def show(found: Sequence[EntityRow]) -> None:
            own = next((row for row in found if row.name == words), None)
            if own is not None:
                self.menu.pick_to_merge(own)
                return
            stranger = EntityRow(-1, words, "other", 0, 0, 0)
            sheet = PickEntityDialog(self._context.theme, stranger, self._find, self._screen)
            sheet.title.setText(tr("“{words}” is the same as…", words=words))
            sheet.setWindowTitle(sheet.title.text())
            sheet.next_button.setText(tr("It is the same"))
            sheet.picked.connect(lambda rows: self._join(words, rows))
            sheet.open()

        self._read(self._context.exploring.find_entities, words, MAX_NAMES, then=show)

    def _join(self, words: str, rows: Sequence[EntityRow]) -> None:
        first = rows[0]
        self.menu.edits.run(
            self._context.editing.add_alias,
            first.id,
            words,
            told=tr("“{name}” is “{words}” too", name=first.name, words=words),
            then=(lambda: self.menu.merge(rows)) if len(rows) > 1 else None,
        )

    def _split_off(self, spot: Spot) -> None:
        """Make the mention at this place somebody else of the same name."""
        name, document_id = spot.name, self._screen.document_id
        if name is None:
            return

        def ask(found: tuple[int, str] | None) -> None:
            if found is None:
                self._context.messages.show(tr("This name was changed meanwhile."), kind="warn")
                return
            sheet = NameDialog(
                tr("Not {name}: who is it here?", name=name[3]),
                name=f"{found[1]} (2)",
                hint=tr(
                    "Only this place becomes somebody else; more of them can be chosen with "
                    "“Split…” on the page of the name."
                ),
                verb=tr("Split off"),
                type_=name[4],
                parent=self._screen,
            )
            sheet.given.connect(
                lambda given, type_, _: self.menu.edits.run(
                    self._context.editing.split, name[2], [found[0]], given, type_,
                    told=tr("“{given}” split off “{name}”", given=given, name=name[3]),
                )
            )  # fmt: skip
            sheet.open()

        find = self._context.reading.find_mention
        self._read(find, document_id, name[0], name[2], then=ask)

    def _take_alias(self, spot: Spot) -> None:
        name, document_id = spot.name, self._screen.document_id
        if name is None:
            return

        def take(found: tuple[int, str] | None) -> None:
            if found is not None:
                self.menu.remove_alias(EntityRow(name[2], name[3], name[4], 0, 0, 0), found[1])

        find = self._context.reading.find_mention
        self._read(find, document_id, name[0], name[2], then=take)

    # --- inside -----------------------------------------------------------------------------

    def _find(self, text: str, then: Callable[[Sequence[EntityRow]], None]) -> None:
        self._read(self._context.exploring.find_entities, text, MAX_NAMES, then=then)

    def _read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()
