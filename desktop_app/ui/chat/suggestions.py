"""The page of a chat without questions, and suggested questions about the library.

Suggestions are built from names and topics without a model. Their language is that of the names,
not of the window, since an answer has the language of its question.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.model import EntityRow
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.engine.writing_systems import has_han

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import Button, Label, build_column, clear_layout
from ..widgets.words import plain_tip

ABOUT = later(
    "Answers are written on this computer from passages of your documents, with a source for"
    " every statement."
)
NOTHING = later(
    "Add documents to the library first. You can ask as soon as the first chapters are indexed."
)


class EmptyChat(QWidget):
    """The page of a chat without questions; emits `picked` with a suggested question."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entities: list[EntityRow] = []
        self._circles: list[Sequence[str]] = []
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = Label(tr("Ask your documents"), "title", self)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.about = Label("", "muted", self, wrap=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.about.setFixedWidth(theme.breadth(420))
        self._set_text(tr(ABOUT))
        self._questions = QVBoxLayout()
        self._questions.setSpacing(8)
        center = Qt.AlignmentFlag.AlignHCenter
        column = build_column(
            *(self._icon, 4, title, (self.about, 0, center), 16, self._questions),
            parent=self,
            margins=(24, 24, 24, 24),
        )
        column.insertStretch(0, 2)
        column.addStretch(3)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self._icon.setPixmap(self._theme.icon("chat").pixmap(QSize(40, 40)))

    def _set_text(self, words: str) -> None:
        self.about.setText(words)
        # Qt does not ask a centred label for its height at a width
        self.about.setMinimumHeight(self.about.heightForWidth(self.about.width()))

    def show_circles(self, circles: Sequence[Sequence[str]]) -> None:
        """Suggest questions about names of the same topic."""
        if list(circles) != self._circles:
            self._circles = list(circles)
            self.show_names(self._entities)

    def show_names(self, entities: Sequence[EntityRow]) -> None:
        """Suggest questions about the library's most mentioned names."""
        self._entities = list(entities)
        clear_layout(self._questions)
        self._set_text(tr(ABOUT) if entities else tr(NOTHING))
        for question in suggest_questions(entities, circles=self._circles):
            button = Button(question, self, theme=self._theme, icon="arrow-right")
            button.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            button.setStyleSheet("text-align: left;")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setFixedWidth(self._theme.breadth(420))
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.setToolTip(plain_tip(question))
            button.clicked.connect(lambda _=False, q=question: self.picked.emit(q))
            self._questions.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def questions(self) -> list[QPushButton]:
        """Return the buttons of the suggested questions."""
        items = (self._questions.itemAt(i) for i in range(self._questions.count()))
        found = [item.widget() for item in items if item is not None]
        return [widget for widget in found if isinstance(widget, QPushButton)]


MOST_QUESTIONS, MOST_FOLLOWUPS = 4, 3
_THINGS = ("organisation", "event", "object", "concept")
# In English and in Chinese, independent of the window's language.
_WORDING = {
    "person": ("Who is {0}?", "{0}是谁？"),  # not shown
    "tie": ("How are {0} and {1} connected?", "{0}和{1}是什么关系？"),  # not shown
    "place": ("What happens in {0}?", "{0}发生了什么事？"),  # not shown
    "theme": (
        "What happens between {0}, {1} and {2}?",  # not shown
        "{0}、{1}和{2}一起经历了什么？",
    ),
    "thing": ("What is said about {0}?", "{0}是什么？"),  # not shown
    "deeds": ("What does {0} do?", "{0}做了什么？"),  # not shown
    "later": ("What becomes of {0}?", "{0}后来怎样了？"),  # not shown
    "who": ("Who has to do with {0}?", "谁和{0}有关？"),  # not shown
}
# kinds of suggestions in order: a person, two related people, a place, a topic
_ORDER = ("person", "tie", "place", "theme", "thing")


def suggest_questions(
    entities: Sequence[EntityRow], circles: Sequence[Sequence[str]] = ()
) -> list[str]:
    """Return up to four questions about people, places and topics of the library.

    With names in both languages the languages alternate, and a question uses names of its own
    language only.

    Args:
        entities: the most mentioned names, in order.
        circles: names of one topic each, the heaviest topic first.
    """
    by_language: dict[bool, list[EntityRow]] = {False: [], True: []}
    for row in entities:
        by_language[has_han(row.name)].append(row)
    # the language with more mentions comes first
    languages = sorted(by_language, key=lambda c: -sum(r.n_mentions for r in by_language[c][:5]))
    pools = [
        _questions(by_language[chinese], circles, chinese)
        for chinese in languages
        if by_language[chinese]
    ]
    questions: list[str] = []
    for kind in (*_ORDER, *_ORDER, "deeds", "deeds"):
        # from the language whose turn it is, if it has one
        turn = len(questions) % max(1, len(pools))
        waiting = next((p[kind] for p in pools[turn:] + pools[:turn] if p.get(kind)), [])
        if waiting and len(questions) < MOST_QUESTIONS:
            questions.append(waiting.pop(0))
    return questions


def suggest_followups(question: str, named: Sequence[NamedPart]) -> list[str]:
    """Return up to three questions about names of the answer that are not in the question.

    They have the language of the question and use only names written in it.
    """
    chinese = has_han(question)
    fitting = [part for part in named if has_han(part.name) == chinese]
    asked = [p for p in fitting if p.words in question or p.name in question]
    asked_ids = {p.entity_id for p in asked}
    fresh = list({p.entity_id: p for p in fitting if p.entity_id not in asked_ids}.values())
    people = [p.name for p in fresh if p.type == "person"]
    questions: list[str] = []
    if asked and people:
        questions.append(_word("tie", chinese, asked[0].name, people[0]))
    elif len(people) > 1:
        questions.append(_word("tie", chinese, *people[:2]))
    for part in fresh:
        kind = part.type if part.type in ("person", "place") else "thing"
        questions.append(_word(kind, chinese, part.name))
    distinct = list({p.entity_id: p for p in asked}.values())
    if len(distinct) > 1:
        questions.append(_word("tie", chinese, distinct[0].name, distinct[1].name))
    for part in distinct:
        questions.append(_word("later" if part.type == "person" else "who", chinese, part.name))
    same = question.strip().casefold()
    return [s for s in dict.fromkeys(questions) if s.casefold() != same][:MOST_FOLLOWUPS]


def _word(kind: str, chinese: bool, *names: str) -> str:
    return _WORDING[kind][chinese].format(*names)


def _questions(
    rows: Sequence[EntityRow], circles: Sequence[Sequence[str]], chinese: bool
) -> dict[str, list[str]]:
    people = [r.name for r in rows if r.type == "person"]
    # the two best known people of one topic, otherwise of the library
    together = [[name for name in people if name in names] for names in circles]
    pair = next((names[:2] for names in together if len(names) > 1), people[: 0 if circles else 2])
    language = {chinese}
    fitting = [c[:3] for c in circles if len(c) > 2 and set(map(has_han, c[:3])) == language]
    circle = fitting[0] if fitting else ()
    things = [r.name for r in rows if r.type in _THINGS]
    places = [r.name for r in rows if r.type == "place"]
    questions = {
        "person": [_word("person", chinese, name) for name in people[:1]],
        "tie": [_word("tie", chinese, *pair)] if len(pair) > 1 else [],
        "place": [_word("place", chinese, name) for name in places[:1]],
        "theme": [_word("theme", chinese, *circle)] if circle else [],
        "thing": [_word("thing", chinese, name) for name in things[:1]],
        "deeds": [_word("deeds", chinese, name) for name in people[1:3]],
    }
    if not any(questions.values()):
        questions["thing"] = [_word("thing", chinese, row.name) for row in rows[:2]]
    return questions
