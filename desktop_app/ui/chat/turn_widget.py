"""The widget of one turn: question, progress, answer, sources.

Shows each state of a turn and follows a live question. Knows no lanes and no chats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..allowed_addresses import allow_site, is_allowed, is_web_address, site_of
from ..language import later, tr, trn
from ..theme.theme import Theme
from ..widgets import Button, ElidedLabel, IconButton, Label, PrimaryButton, clear_layout
from .answer_view import AnswerView
from .question_queue import FAILED, WAITING, QuestionJob
from .sources import SourceList
from .turn import Turn, copy_text, plain_text

FOUND = later("How this was found")
WHO = later("See who found what")
NARROW, FACTS_FROM = 480, 340


class TurnFoot(QWidget):
    """The buttons below an answer; `unfolded` gives whether the sources are shown."""

    unfolded = Signal(bool)
    inspect = Signal()
    graph = Signal()
    again = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._turn = Turn("")
        self.sources_button = Button("", self, kind="quiet")
        self.sources_button.setCheckable(True)
        self.sources_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.sources_button.toggled.connect(self._toggled)
        self.inspect_button = Button(tr(FOUND), self, kind="quiet", tooltip=tr(WHO))
        self.inspect_button.setAccessibleName(tr(FOUND))
        self.inspect_button.clicked.connect(self.inspect)
        self.copy_button = IconButton(theme, "copy", tr("Copy"), self)
        self.copy_button.setPopupMode(self.copy_button.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._build_copies())
        self.graph_button = IconButton(theme, "graph", tr("Show this answer in the graph"), self)
        self.graph_button.clicked.connect(self.graph)
        self.again_button = IconButton(
            theme, "retry", tr("Answer again; this answer is kept beside the new one"), self
        )
        self.again_button.clicked.connect(self.again)
        self.facts = ElidedLabel("", "small", self)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (
            self.sources_button,
            self.inspect_button,
            self.copy_button,
            self.graph_button,
            self.again_button,
        ):
            row.addWidget(button)
        row.addWidget(self.facts, 1)

    def _build_copies(self) -> QMenu:
        menu = QMenu(self)
        with_marks, without = lambda: self._copy(copy_text), lambda: self._copy(plain_text)
        self.copy_action = menu.addAction(tr("Copy with sources"), with_marks)
        self.plain_action = menu.addAction(tr("Copy without sources"), without)
        return menu

    def show_turn(self, turn: Turn) -> None:
        self._turn = turn
        n_sources = len(turn.citations) or len(turn.passages)
        self.sources_button.setText(trn("{n} source", "{n} sources", n_sources))
        self.sources_button.setVisible(n_sources > 0)
        self._set_caret()
        self.graph_button.setVisible(bool(turn.entities or turn.citations or turn.passages))
        self.again_button.setVisible(bool(turn.question))
        self.inspect_button.setVisible(turn.kept is not None or bool(turn.message_id))
        self._show_facts()

    def _toggled(self, opened: bool) -> None:
        self._set_caret()
        self.unfolded.emit(opened)

    def _set_caret(self) -> None:
        opened = self.sources_button.isChecked()
        self.sources_button.setIcon(self._theme.icon("caret-down" if opened else "caret-right"))
        shown = tr("Hide {part}" if opened else "Show {part}", part=self.sources_button.text())
        self.sources_button.setAccessibleName(shown)

    def _copy(self, make) -> None:
        QGuiApplication.clipboard().setText(make(self._turn))
        self.copy_button.set_icon("check")
        self.copy_button.set_tooltip(tr("Copied"))

    def _show_facts(self) -> None:
        """Show the model and the time, unless only an ellipsis would fit."""
        room = self.width() >= FACTS_FROM
        if self.facts.full_text() != (shown := self._facts() if room else ""):
            self.facts.setText(shown)

    def _facts(self) -> str:
        turn = self._turn
        parts = [tr("Stopped")] if turn.stopped else []
        if turn.model:
            parts.append(turn.model)
        if turn.seconds >= 0.1:
            shown = f"{turn.seconds:.0f}" if turn.seconds >= 10 else f"{turn.seconds:.1f}"
            parts.append(tr("{n} s", n=shown))
        return " · ".join(parts)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._set_narrow(self.width() < NARROW)
        self._show_facts()

    def _set_narrow(self, narrow: bool) -> None:
        button = self.inspect_button
        if narrow == (not button.text()):
            return
        button.setText("" if narrow else tr(FOUND))
        button.setToolTip(tr(FOUND) if narrow else tr(WHO))
        button.setIcon(self._theme.icon("inspector") if narrow else QIcon())
        button.setStyleSheet("padding: 0 5px;" if narrow else "")


class QuestionBubble(QWidget):
    """The question in a rounded box at the right, as wide as needed."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.label = QLabel(text, self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.label.setAccessibleName(tr("Question"))
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.label)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self._room = 0
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        if self._room:
            self.fit(self._room)
        self.update()

    def fit(self, room: int) -> None:
        """Set the width to that of the text, at most four fifths of the room, and the height.

        The layout alone would use the height for a narrow column.
        """
        self._room = room
        widest = max(120, room * 4 // 5)
        metrics = self.label.fontMetrics()
        lines = self.label.text().split("\n")
        natural = max(metrics.horizontalAdvance(line) for line in lines) + 24 + 4
        width = min(widest, natural)
        self.setFixedSize(width, self._row.totalHeightForWidth(width))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sunken" if not self._theme.is_dark else "surface"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.end()


class QuestionRow(QWidget):
    """The question with its buttons; `version_wanted` gives the id of another version."""

    edit_wanted = Signal()
    version_wanted = Signal(int)

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turn = Turn(question)
        self.bubble = QuestionBubble(theme, question, self)
        self.edit_button = IconButton(theme, "rename", tr("Ask this in other words"), self)
        self.edit_button.clicked.connect(self.edit_wanted)
        self.before_button = IconButton(theme, "caret-left", tr("The version before"), self)
        self.after_button = IconButton(theme, "caret-right", tr("The next version"), self)
        self.before_button.clicked.connect(lambda: self._step(-1))
        self.after_button.clicked.connect(lambda: self._step(1))
        self.place = Label("", "small", self)
        self.versions = QWidget(self)
        arrows = QHBoxLayout(self.versions)
        arrows.setContentsMargins(0, 0, 0, 0)
        arrows.setSpacing(0)
        for widget in (self.before_button, self.place, self.after_button):
            arrows.addWidget(widget)
        asked = QHBoxLayout()
        asked.setSpacing(4)
        asked.addStretch(1)
        asked.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignVCenter)
        asked.addWidget(self.bubble)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(asked)
        column.addWidget(self.versions, 0, Qt.AlignmentFlag.AlignRight)
        self.edit_button.hide()
        self.versions.hide()

    def show_turn(self, turn: Turn, *, settled: bool) -> None:
        """Show the commands for this question; none while it is being answered."""
        self._turn = turn
        self.edit_button.setVisible(settled and bool(turn.question_id))
        shown = settled and len(turn.versions) > 1 and turn.question_id in turn.versions
        self.versions.setVisible(shown)
        if shown:
            place = turn.versions.index(turn.question_id)
            self.place.setText(tr("{n} of {m}", n=place + 1, m=len(turn.versions)))
            self.before_button.setEnabled(place > 0)
            self.after_button.setEnabled(place < len(turn.versions) - 1)

    def _step(self, by: int) -> None:
        place = self._turn.versions.index(self._turn.question_id) + by
        if 0 <= place < len(self._turn.versions):
            self.version_wanted.emit(self._turn.versions[place])

    def fit(self, room: int) -> None:
        self.bubble.fit(room - 36)


WIDTH = 400
LONGEST, LONGEST_SITE = 300, 36


def _open_in_browser(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))


class LinkConfirmation(QFrame):
    """Shows a web address and opens it after confirmation."""

    open_address: Callable[[str], None] = staticmethod(_open_in_browser)

    def __init__(self, theme: Theme, address: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._address = address
        self._width = theme.breadth(WIDTH)
        site = site_of(address)
        ask = Label(
            tr("Open {site} in the browser?", site=_breakable(site)), "strong", self, wrap=True
        )
        shown = address if len(address) <= LONGEST else address[: LONGEST - 1] + "…"
        self.address = Label(_breakable(shown), "small", self, wrap=True)
        self.address.setAccessibleName(address)
        # the end of a long host name identifies its owner
        short = site if len(site) <= LONGEST_SITE else "…" + site[1 - LONGEST_SITE :]
        self.always = QCheckBox(tr("Always for {site}", site=short), self)
        self.open_button = PrimaryButton(tr("Open"), self)
        self.copy_button = Button(tr("Copy the address"), self)
        self.open_button.clicked.connect(self._open)
        self.copy_button.clicked.connect(self._copy)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.copy_button)
        buttons.addWidget(self.open_button)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (ask, self.address, self.always):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.setFixedWidth(self._width)

    def show_at(self, corner: QPoint) -> None:
        """Open below this point, within the screen."""
        self.setFixedHeight(max(self._column.totalHeightForWidth(self._width), 96))
        area = (self.parentWidget() or self).screen().availableGeometry()
        left = min(max(area.left() + 8, corner.x()), area.right() - self._width - 8)
        top = min(max(area.top() + 8, corner.y() + 8), area.bottom() - self.height() - 8)
        self.move(left, top)
        self.show()
        self.open_button.setFocus()

    def _open(self) -> None:
        if self.always.isChecked():
            allow_site(self._address)
        self.close()
        self.open_address(self._address)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._address)
        self.close()


def _breakable(text: str) -> str:
    """Return a text that can be wrapped anywhere, since an address has no blanks."""
    return "\u200b".join(text)


def ask_to_open(
    theme: Theme, address: str, corner: QPoint, parent: QWidget
) -> LinkConfirmation | None:
    """Open an allowed address, ask about any other web address, ignore the rest."""
    if not is_web_address(address):
        return None
    if is_allowed(address):
        LinkConfirmation.open_address(address)
        return None
    asking = LinkConfirmation(theme, address, parent)
    asking.show_at(corner)
    return asking


NO_MODEL = later("No language model is here yet, so these are the passages themselves.")
INDENT = 13


class TurnWidget(QWidget):
    """A question with its answer; `ask` is the live question, None for a stored turn."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)  # the Turn
    inspect = Signal(object)  # the Turn
    ask_again = Signal(str)
    ask_next = Signal(str)
    edit_wanted = Signal(object)  # the Turn
    version_wanted = Signal(int)
    passages_wanted = Signal()
    open_models = Signal()
    will_unfold = Signal()
    withdrawn = Signal()

    def __init__(
        self,
        theme: Theme,
        turn: Turn,
        ask: QuestionJob | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.ask = ask
        self.turn = turn
        self._source_list: SourceList | None = None
        self._build()
        if ask is not None and (ask.is_live or ask.state == FAILED):
            if ask.text:
                self.answer.append_piece(ask.text)
            ask.changed.connect(self._follow)
            ask.piece.connect(self._take_piece)
        self._follow() if ask is not None else self._show_turn()

    def _build(self) -> None:
        self.asked = QuestionRow(self._theme, self.turn.question, self)
        self.asked.setVisible(bool(self.turn.question))
        self.asked.edit_wanted.connect(lambda: self.edit_wanted.emit(self.turn))
        self.asked.version_wanted.connect(self.version_wanted)
        self.step = Label("", "small", self)
        self.step_action = Button(tr("Withdraw"), self, kind="link")
        self.step_action.clicked.connect(self._act)
        self.step_row = QWidget(self)
        step_row = QHBoxLayout(self.step_row)
        step_row.setContentsMargins(0, 0, 0, 0)
        step_row.setSpacing(8)
        step_row.addWidget(self.step)
        step_row.addWidget(self.step_action)
        step_row.addStretch(1)
        self.answer = AnswerView(self._theme, self)
        self.answer.mark_clicked.connect(self._open_mark)
        self.answer.name_clicked.connect(self.open_entity)
        self.answer.address_clicked.connect(self._ask_to_open)
        self.note = QLabel(self)
        self.note.setProperty("role", "small")
        self.note.setTextFormat(Qt.TextFormat.RichText)
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.note.linkActivated.connect(lambda _: self.open_models.emit())
        self._theme.changed.connect(self._show_note)
        self.foot = TurnFoot(self._theme, self)
        self.foot.unfolded.connect(self._fold)
        self.foot.inspect.connect(lambda: self.inspect.emit(self.turn))
        self.foot.graph.connect(lambda: self.show_in_graph.emit(self.turn))
        self.foot.again.connect(lambda: self.ask_again.emit(self.turn.question))
        self.followups = QWidget(self)
        self._followups = QVBoxLayout(self.followups)
        self._followups.setContentsMargins(0, 8, 0, 0)
        self._followups.setSpacing(4)
        self.followups.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 24)
        column.setSpacing(8)
        column.addWidget(self.asked)
        column.addSpacing(4)
        texts = QVBoxLayout()  # aligned with the text of the button row and of the box
        texts.setContentsMargins(INDENT, 0, 0, 0)
        texts.setSpacing(8)
        texts.addWidget(self.step_row)
        texts.addWidget(self.answer)
        texts.addWidget(self.note)
        column.addLayout(texts)
        column.addWidget(self.foot)
        self._sources_place = QVBoxLayout()
        column.addLayout(self._sources_place)
        column.addWidget(self.followups)

    @property
    def inspect_button(self) -> Button:
        return self.foot.inspect_button

    # --- states ----------------------------------------------------------------------------

    def _follow(self) -> None:
        ask = self.ask
        if ask is None:
            return
        self.asked.show_turn(self.turn, settled=not ask.is_live)
        if ask.is_live:
            self._show_step(ask.step_text, tr("Withdraw") if ask.can_withdraw else "")
            self.answer.setVisible(bool(self.answer.text))
            self.note.hide()
            self.foot.hide()
        elif ask.state == FAILED:
            self._show_step(ask.error_text, tr("Retry"), role="bad")
            self.answer.setVisible(bool(self.answer.text))
            self.note.hide()
            self.foot.hide()
        else:
            self.turn = ask.turn
            self._show_turn()

    def _show_step(self, words: str, action: str, role: str = "small") -> None:
        self.step.setText(words)
        self.step.set_role(role)
        self.step.setWordWrap(role == "bad")
        self.step_action.setText(action)
        self.step_action.setVisible(bool(action))
        self.step_row.show()

    def _show_turn(self) -> None:
        turn = self.turn
        self.asked.show_turn(turn, settled=True)
        if not turn.answered:
            self._show_step(tr("This question has no answer yet."), tr("Ask again"))
            self.answer.hide()
            self.note.hide()
            self.foot.hide()
            return
        self.step_row.setVisible(False)
        if turn.stopped and not turn.text:
            self._show_step(tr("Stopped before there was an answer."), tr("Ask again"))
        self.answer.set_answer(turn.text, turn.citations)
        self.answer.setVisible(bool(turn.text))
        self._show_note()
        self.foot.show_turn(turn)
        self.foot.setVisible(bool(turn.text))
        if self._source_list is not None:  # those were for the earlier state of the answer
            self._source_list.deleteLater()
            self._source_list = None
            self._fold(self.foot.sources_button.isChecked())

    def _show_note(self) -> None:
        alone = self.turn.is_passages_only
        words = tr(NO_MODEL) if alone else ""  # the answer itself states that little was found
        if alone:
            look = f"color:{self._theme.tokens.accent}; font-weight:600; text-decoration:none"
            words += f' <a href="models" style="{look}">{tr("Get a model")}</a>'
        self.note.setText(words)
        self.note.setVisible(bool(words))

    def keep(self, turn: Turn) -> None:
        """Update what is known of the turn: its place in the chat, its passages."""
        self.turn = turn
        if turn.answered:
            self._show_turn()
        else:
            self.asked.show_turn(turn, settled=True)

    def show_named(self, turn: Turn) -> None:
        """Add links for the names in the answer."""
        self.turn = turn
        self.answer.set_names(turn.named)

    def show_followups(self, questions: Sequence[str]) -> None:
        """Offer these follow-up questions; none hides the row."""
        clear_layout(self._followups)
        for question in questions:
            button = Button(
                question, self.followups, kind="quiet", theme=self._theme, icon="arrow-right"
            )
            button.setToolTip(tr("Ask this"))
            button.clicked.connect(lambda _=False, q=question: self.ask_next.emit(q))
            self._followups.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.followups.setVisible(bool(questions))

    def _take_piece(self, piece: str) -> None:
        self.answer.append_piece(piece)
        self.answer.setVisible(True)

    # --- user input -------------------------------------------------------------------------------

    def _act(self) -> None:
        if self.ask is not None and self.ask.state == WAITING:
            self.ask.stop()
            self.withdrawn.emit()
        else:
            self.ask_again.emit(self.turn.question)

    def _ask_to_open(self, address: str) -> None:
        spot = self.answer.mapToGlobal(self.answer.cursorRect().bottomLeft())
        ask_to_open(self._theme, address, spot, self)

    def _open_mark(self, number: int) -> None:
        for citation in self.turn.citations:
            if citation.number == number:
                self.open_passage.emit(citation.document_id, citation.start, citation.end)
                return

    def _fold(self, opened: bool) -> None:
        self.will_unfold.emit()
        if opened and not self.turn.passages and self.turn.message_id:
            self.passages_wanted.emit()  # passages of a stored answer are loaded on request
        if opened and self._source_list is None:
            self._source_list = SourceList(self._theme, self.turn, self)
            self._source_list.opened.connect(self.open_passage)
            self._sources_place.addWidget(self._source_list)
        if self._source_list is not None:
            self._source_list.setVisible(opened)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.asked.fit(self.width())
