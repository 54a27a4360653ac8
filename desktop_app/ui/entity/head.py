"""The head of an entity page: name, type, other names, counts and action buttons.

Owns only these labels and buttons. The screen fills `actions_menu` with the corrections.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QWidget

from desktop_app.engine.model import EntityCard, EntityRow
from desktop_app.engine.services.provenance import EntityProvenance
from desktop_app.engine.writing_systems import has_han

from ..editing.dialogs import describe_length
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    Button,
    ElidedLabel,
    IconButton,
    Label,
    PrimaryButton,
    TypeChip,
    build_column,
    build_row,
    format_type,
)
from ..widgets.kind_marks import SurenessMark
from ..widgets.provenance import ProvenanceMark, describe_description_source, describe_type_source
from ..widgets.words import fold_case, join_words

PRESSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down)


class TypeButton(TypeChip):
    """Emits `menu_wanted` with the point under it."""

    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "other", parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._ask()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in PRESSING:
            self._ask()
        else:
            super().keyPressEvent(event)

    def _ask(self) -> None:
        self.menu_wanted.emit(self.mapToGlobal(self.rect().bottomLeft()))


SHOWN_ALIASES = 8


def build_question(row: EntityRow) -> str:
    """Return a question about an entity, in the language of its name."""
    if has_han(row.name):
        return f"{row.name}是谁？" if row.type == "person" else f"关于{row.name}说了什么？"
    who = "Who is {name}?" if row.type == "person" else "What is said about {name}?"  # not shown
    return who.format(name=row.name)


class EntityHead(QWidget):
    """The widgets above the sections of an entity page.

    `buttons` are the actions on the entity; the screen places them in its row.
    """

    graph_wanted = Signal()
    ask_wanted = Signal()
    enrich_wanted = Signal()
    rename_wanted = Signal()
    merge_wanted = Signal()
    renamed = Signal(str)
    refused = Signal(str)  # why a name that was typed can't be taken
    type_menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._card: EntityCard | None = None
        self._all_aliases = False
        self.name = Label("", "", self, wrap=True)
        self.name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.name.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.chip = TypeButton(theme, self)
        self.chip.menu_wanted.connect(self.type_menu_wanted)
        self.sureness = SurenessMark(theme, self)
        self.source = ProvenanceMark(theme, self)
        self.standing = ElidedLabel("", "small", self)
        self.counts = Label("", "small", self, wrap=True)
        self.aliases = Label("", "muted", self, wrap=True)
        self.more_aliases = Button("", self, kind="link")
        self.more_aliases.clicked.connect(self._unfold)
        self.rename_button = Button(
            tr("Rename"),
            self,
            theme=theme,
            icon="rename",
            kind="quiet",
            tooltip="F2",
            icon_alone=True,
        )
        self.rename_button.clicked.connect(self.rename_wanted)
        self.type_button = Button(
            tr("Type"),
            self,
            theme=theme,
            icon="tag",
            kind="quiet",
            icon_alone=True,
            tooltip=tr("Change type"),
        )
        self.type_button.clicked.connect(
            lambda: self.type_menu_wanted.emit(
                self.type_button.mapToGlobal(self.type_button.rect().bottomLeft())
            )
        )
        self.merge_button = Button(
            tr("Merge…"),
            self,
            theme=theme,
            icon="merge",
            kind="quiet",
            tooltip="Ctrl+M",
            icon_alone=True,
        )
        self.merge_button.clicked.connect(self.merge_wanted)
        self.ask_button = Button(
            tr("Ask about"), self, theme=theme, icon="chat", kind="quiet", icon_alone=True
        )
        self.graph_button = PrimaryButton(
            tr("Show in graph"), self, theme=theme, icon="graph", icon_alone=True
        )
        self.ask_button.clicked.connect(self.ask_wanted)
        self.graph_button.clicked.connect(self.graph_wanted)
        self.more_button = IconButton(theme, "more", tr("More"), self)
        self.more_button.setPopupMode(self.more_button.ToolButtonPopupMode.InstantPopup)
        self.actions_menu = QMenu(self)
        self.more_button.setMenu(self.actions_menu)
        self.enrich_action = QAction(tr("Enrich this now"), self)
        self.enrich_action.setToolTip(tr("Read its passages with a model before all others"))
        self.enrich_action.triggered.connect(self.enrich_wanted)
        self.actions_menu.addAction(self.enrich_action)
        self.name.setToolTip(tr("Double-click or F2 to rename"))
        self.name_edit = QLineEdit(self)
        self.name_edit.setAccessibleName(tr("New name"))
        self.name_edit.returnPressed.connect(self._give_name)
        self.name_edit.hide()
        for watched in (self.name, self.name_edit):
            watched.installEventFilter(self)
        self.buttons = (
            self.rename_button,
            self.type_button,
            self.merge_button,
            self.ask_button,
            self.graph_button,
            self.more_button,
        )
        top = Qt.AlignmentFlag.AlignTop
        build_column(
            build_row((self.name, 1), (self.name_edit, 1), (self.source, 0, top), spacing=12),
            build_row(self.chip, self.sureness, 4, (self.counts, 1), spacing=8),
            self.standing,
            build_row((self.aliases, 1), (self.more_aliases, 0, top), spacing=4),
            parent=self,
            spacing=8,
            margins=(12, 0, 12, 0),
        )
        theme.changed.connect(self._restyle)
        self._restyle()

    def show_card(self, card: EntityCard) -> None:
        """Show an entity's facts."""
        row = card.row
        if self._card is None or self._card.row.id != row.id:
            self._all_aliases = False
            self.source.hide()
            self.sureness.hide()
            self.standing.setText("")
            self.standing.hide()
        if self._card is not None and self._card.row.id != row.id:
            self._leave_name()
        self._card = card
        self.name.setText(row.name)
        self.name.setAccessibleName(row.name)
        self.chip.set_type(row.type, format_type(row.type, capital=True))
        self.chip.setAccessibleName(tr("Change type: {type}", type=format_type(row.type)))
        parts = [
            trn("{n} mention", "{n} mentions", row.n_mentions),
            row.story or trn("{n} document", "{n} documents", row.n_documents),
        ]
        if card.edited:
            parts.append(tr("edited by you"))
        self.counts.setText(" · ".join(parts))
        self._show_aliases()

    def edit_name(self) -> None:
        """Edit the name in place; Return keeps the new name, Escape discards it."""
        if self._card is not None:
            self.name_edit.setText(self._card.row.name)
            self.name.hide()
            self.name_edit.show()
            self.name_edit.selectAll()
            self.name_edit.setFocus()

    def _give_name(self) -> None:
        name = self.name_edit.text().strip()
        if problem := describe_length(name):
            self.refused.emit(problem)  # and the field stays open with what was typed
            return
        self._leave_name()
        if name and self._card is not None and name != self._card.row.name:
            self.renamed.emit(name)

    def _leave_name(self) -> None:
        self.name_edit.hide()
        self.name.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self.name and kind == QEvent.Type.MouseButtonDblClick:
            self.rename_wanted.emit()
            return True
        if watched is self.name_edit:
            escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
            if escaped or (kind == QEvent.Type.FocusOut and not self.name_edit.isHidden()):
                self._leave_name()
                return escaped
        return super().eventFilter(watched, event)

    def set_standing(self, standing: EntityProvenance) -> None:
        """Show the source (text, model or user) of the description and of the type."""
        kind = self._card.row.type if self._card is not None else ""
        message = describe_type_source(standing, kind)
        self.source.set_source(standing)
        self.chip.setToolTip(message)
        self.sureness.set_sureness(
            standing.type_sureness if standing.type_from == "model" else 0.0, message
        )
        parts = [describe_description_source(standing)]
        if standing.type_from != "text":
            parts.append(message)
        self.standing.setText(" · ".join(parts))
        # the title "In the text" says that a text is quoted; badge and line are for models,
        # imports and edits
        plain = standing.description_from == "quote" and standing.type_from == "text"
        self.standing.setVisible(not plain or bool(standing.models))
        self.source.setVisible(standing.description_from != "quote")

    def _show_aliases(self) -> None:
        card = self._card
        names = fold_case(card.aliases, card.row.name) if card is not None else ()
        shown = names if self._all_aliases else names[:SHOWN_ALIASES]
        self.aliases.setText(tr("Also: {names}", names=join_words(shown)))
        self.aliases.setVisible(bool(names))
        n_more = len(names) - len(shown)
        self.more_aliases.setText(trn("{n} more", "{n} more", n_more))
        self.more_aliases.setVisible(n_more > 0)

    def _unfold(self) -> None:
        self._all_aliases = True
        self._show_aliases()

    def _restyle(self) -> None:
        font = self._theme.font("book")
        families = "', '".join(font.families())
        weight = QFont.Weight.DemiBold.value
        # the style sheet of the application would win over a font that is merely set
        style = f"font-family: '{families}'; font-size: {self._theme.px(22)}px;"
        for widget in (self.name, self.name_edit):
            widget.setStyleSheet(f"{style} font-weight: {weight};")
